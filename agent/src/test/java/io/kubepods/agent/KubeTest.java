package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kubepods.agent.Exposition.Sample;
import io.kubepods.agent.http.ListenAddress;
import io.kubepods.agent.kube.Said;
import io.kubepods.agent.kube.TestApiServer;
import io.kubepods.agent.kube.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent with an API server over TLS that stops, returns, refuses, or was never there. */
@Timeout(120)
class KubeTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final TestApiServer server;
    private final NodeOnDisk node;

    KubeTest(@TempDir Path directory) throws IOException {
        server = new TestApiServer(Files.createDirectory(directory.resolve("serviceaccount")));
        node = new NodeOnDisk(directory.resolve("node"));
    }

    @AfterEach
    void tearDown() {
        server.close();
    }

    private static String uid(int number) {
        return "00000000-0000-0000-0000-%012d".formatted(number);
    }

    private static String id(int number) {
        return "%064d".formatted(number);
    }

    private static Pod pod(int number) {
        return new PodBuilder()
                .withNewMetadata()
                .withUid(uid(number))
                .withNamespace("shop")
                .withName("api-" + number)
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("api")
                .withContainerID("containerd://" + id(number))
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private Agent start(Duration syncTimeout) throws IOException {
        return Agent.start(new Config(
                node.cgroupfs(),
                node.procfs(),
                node.procfs().resolve("kmsg"),
                null,
                new Config.Kube(server.inCluster(), "worker-1", syncTimeout, true),
                ListenAddress.parse("127.0.0.1:0"),
                "/metrics",
                Duration.ofMillis(200),
                null,
                false));
    }

    private HttpResponse<String> get(Agent agent, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + agent.address().getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private List<Sample> metrics(Agent agent) throws IOException, InterruptedException {
        return Exposition.parse(get(agent, "/metrics").body());
    }

    private static double value(List<Sample> samples, String name) {
        return Exposition.of(samples, name).get(0).value();
    }

    /** Who has a CPU usage, which every container has. */
    private Set<String> containers(Agent agent) throws IOException, InterruptedException {
        return Exposition.of(metrics(agent), "kubepods_container_cpu_usage_seconds_total").stream()
                .map(sample -> sample.label("namespace") + "/" + sample.label("pod") + "/" + sample.label("container"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void numbersAndNamesGoOnWithoutTheApiServerAndNewNamesComeWhenItReturns() throws Exception {
        node.add(uid(1), id(1));
        server.put(pod(1));
        try (Agent agent = start(LONG)) {
            Wait.until("the first name", () -> containers(agent).equals(Set.of("shop/api-1/api")));
            assertEquals(200, get(agent, "/readyz").statusCode());
            Wait.until("a watch", () -> value(metrics(agent), "kubepods_agent_pod_watch_up") == 1);
            Wait.until(
                    "a tick after the node was read",
                    () -> !Exposition.of(metrics(agent), "kubepods_node_cpu_capacity_cores")
                            .isEmpty());
            List<Sample> before = metrics(agent);
            assertEquals(8, value(before, "kubepods_node_cpu_capacity_cores"));
            assertEquals(16L << 30, value(before, "kubepods_node_memory_capacity_bytes"));
            assertTrue(value(before, "kubepods_agent_pod_watch_last_event_timestamp_seconds") > 1e9);

            server.stop();
            Wait.until("the watch is down", () -> value(metrics(agent), "kubepods_agent_pod_watch_up") == 0);
            node.add(uid(2), id(2));
            String unnamed = "/" + uid(2) + "/" + id(2).substring(0, 12);
            Wait.until("the new container", () -> containers(agent).equals(Set.of("shop/api-1/api", unnamed)));
            assertEquals(1, value(metrics(agent), "kubepods_agent_cgroups_unnamed"));
            assertEquals(200, get(agent, "/readyz").statusCode());
            assertEquals(200, get(agent, "/healthz").statusCode());

            server.put(pod(2));
            server.start();
            Wait.until(
                    "the new name",
                    Duration.ofSeconds(5),
                    () -> containers(agent).equals(Set.of("shop/api-1/api", "shop/api-2/api")));
        }
    }

    @Test
    void anOomIsAnEventOnItsPod() throws Exception {
        node.add(uid(1), id(1));
        node.oomKills(uid(1), id(1), 0);
        server.put(pod(1));
        try (Agent agent = start(LONG)) {
            Wait.until("the name", () -> containers(agent).equals(Set.of("shop/api-1/api")));
            node.oomKills(uid(1), id(1), 1);
            Wait.until("an event", () -> server.made().size() == 1);
            String event = server.made().get(0);
            assertTrue(
                    event.contains("POST /api/v1/namespaces/shop/events")
                            && event.contains("\"uid\":\"" + uid(1) + "\"")
                            && event.contains("OOM kill in shop/api-1/api: the container reached its memory limit"),
                    event);
            assertEquals(0, value(metrics(agent), "kubepods_agent_events_failed_total"));
        }
    }

    @Test
    void withoutAnyApiServerItIsReadyAfterAWhileAndServesAllNumbers() throws Exception {
        node.add(uid(1), id(1));
        server.stop();
        try (Said said = new Said(Node.class);
                Agent agent = start(Duration.ofSeconds(2))) {
            Wait.until("it is said", () -> said.lines().stream().anyMatch(line -> line.contains("is ready without")));
            Wait.until("ready", () -> get(agent, "/readyz").statusCode() == 200);
            assertEquals(Set.of("/" + uid(1) + "/" + id(1).substring(0, 12)), containers(agent));
            List<Sample> samples = metrics(agent);
            assertEquals(0, value(samples, "kubepods_agent_pod_watch_up"));
            assertEquals(List.of(), Exposition.of(samples, "kubepods_agent_pod_watch_last_event_timestamp_seconds"));
        }
    }

    @Test
    void itIsNotReadyBeforeThatAndAliveAllTheTime() throws Exception {
        server.refuse(403);
        node.add(uid(1), id(1));
        server.put(pod(1));
        try (Agent agent = start(LONG)) {
            Wait.until(
                    "the refusal is counted",
                    () -> Exposition.of(metrics(agent), "kubepods_agent_pod_watch_errors_total").stream()
                            .anyMatch(sample -> sample.label("reason").equals("forbidden") && sample.value() > 0));
            assertEquals(503, get(agent, "/readyz").statusCode());
            assertEquals(200, get(agent, "/healthz").statusCode());
            assertFalse(containers(agent).contains("shop/api-1/api"));
            server.refuse(0);
            Wait.until("ready", () -> get(agent, "/readyz").statusCode() == 200);
            Wait.until("the name", () -> containers(agent).equals(Set.of("shop/api-1/api")));
        }
    }
}
