package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kubepods.kubelet.Quantities;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class PodWatcherTest {
    private static final String ID = "1".repeat(64);

    private final AtomicLong ahead = new AtomicLong();
    private final TestApiServer server;
    private final PodWatcher watcher;

    PodWatcherTest(@TempDir Path directory) throws Exception {
        server = new TestApiServer(directory);
        watcher = new PodWatcher(
                server.inCluster(), "worker-1", Duration.ZERO, () -> System.nanoTime() + ahead.get(), new Pauses());
    }

    @AfterEach
    void tearDown() {
        watcher.close();
        server.close();
    }

    private static Pod pod(String uid, String name, String containerId) {
        return new PodBuilder()
                .withNewMetadata()
                .withUid(uid)
                .withNamespace("shop")
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("api")
                .withContainerID("containerd://" + containerId)
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private void start() throws Exception {
        watcher.start();
        Wait.until("a watch", () -> watcher.isUp() && server.watches() == 1);
    }

    private void named(String uid, String name) throws Exception {
        Wait.until(uid + " is called " + name, () -> {
            io.kubepods.model.Pod found = watcher.find(uid);
            return found != null && found.name().equals(name);
        });
    }

    @Test
    void listsFromTheWatchCacheAndWatchesFromThere() throws Exception {
        server.put(pod("a", "api-0", ID));
        long version = server.version();
        start();
        named("a", "api-0");
        List<String> asked =
                server.requests().stream().map(TestApiServer.Request::uri).toList();
        assertEquals("/api/v1/pods?fieldSelector=spec.nodeName%3Dworker-1&resourceVersion=0", asked.get(0));
        assertEquals("/api/v1/nodes/worker-1?resourceVersion=0", asked.get(1));
        assertTrue(
                asked.get(2)
                        .matches(
                                "/api/v1/pods\\?watch=true&allowWatchBookmarks=true&fieldSelector=spec.nodeName%3Dworker-1"
                                        + "&resourceVersion=" + version + "&timeoutSeconds=[23]\\d\\d"),
                asked::toString);
        assertEquals(3, asked.size());
        assertEquals(new Quantities(8_000, 16L << 30), watcher.capacity());
    }

    @Test
    void followsWhatHappens() throws Exception {
        start();
        server.put(pod("a", "api-0", ID));
        named("a", "api-0");
        long generation = watcher.generation();
        Pod same = pod("a", "api-0", ID);
        same.getMetadata().setLabels(Map.of("what", "is not used"));
        server.put(same);
        server.put(pod("b", "api-1", ID));
        named("b", "api-1");
        assertEquals(generation + 1, watcher.generation(), "what is not used is no change");
    }

    @Test
    void aPodThatIsGoneKeepsItsNameForFiveMinutes() throws Exception {
        Pod pod = pod("a", "api-0", ID);
        server.put(pod);
        start();
        server.delete(pod);
        server.put(pod("b", "api-0", ID));
        named("b", "api-0");
        named("a", "api-0");
        ahead.addAndGet(PodStore.GRACE.toNanos() - Duration.ofMinutes(1).toNanos());
        watcher.refresh();
        assertNotNull(watcher.find("a"));
        ahead.addAndGet(Duration.ofMinutes(1).toNanos());
        watcher.refresh();
        assertNull(watcher.find("a"));
        assertEquals(1, watcher.size());
    }

    @Test
    void aPodThatWentWhileNobodyWatchedIsGoneToo() throws Exception {
        Pod pod = pod("a", "api-0", ID);
        server.put(pod);
        start();
        server.refuse(503);
        server.delete(pod);
        server.forget();
        server.put(pod("b", "api-1", ID));
        server.refuse(0);
        named("b", "api-1");
        named("a", "api-0");
        ahead.addAndGet(PodStore.GRACE.toNanos());
        watcher.refresh();
        assertNull(watcher.find("a"));
    }

    @Test
    void aWatchThatEndsGoesOnWhereItWas() throws Exception {
        start();
        for (int i = 0; i < 20; i++) {
            server.put(pod("uid-" + i, "api-" + i, ID));
            server.cut();
            server.put(pod("other-" + i, "other-" + i, ID));
            named("uid-" + i, "api-" + i);
            named("other-" + i, "other-" + i);
        }
        for (Reason reason : Reason.values()) {
            assertEquals(reason == Reason.SHORT_WATCH ? 20 : 0, watcher.errors(reason), reason::label);
        }
        assertEquals(
                1,
                server.requests().stream()
                        .filter(request -> request.uri().endsWith("&resourceVersion=0"))
                        .filter(request -> request.uri().contains("/pods"))
                        .count(),
                "listed once");
    }

    @Test
    void anEventCutInTheMiddleCostsAList() throws Exception {
        start();
        server.put(pod("a", "api-0", ID));
        server.tear();
        server.put(pod("b", "api-1", ID));
        named("a", "api-0");
        named("b", "api-1");
        assertEquals(1, watcher.errors(Reason.MALFORMED));
    }

    @Test
    void whatIsTooOldIsListedAnew() throws Exception {
        start();
        server.forget();
        server.put(pod("a", "api-0", ID));
        named("a", "api-0");
        assertTrue(watcher.errors(Reason.EXPIRED) > 0);
        assertTrue(
                server.requests().stream()
                        .map(TestApiServer.Request::uri)
                        .filter(uri -> !uri.contains("watch=true") && uri.contains("/pods"))
                        .allMatch(uri -> uri.endsWith("&resourceVersion=0")
                                || uri.endsWith("&resourceVersionMatch=NotOlderThan")),
                "no list that etcd must answer");
    }

    @Test
    void aStaticPodIsFoundByItsMirrorAndNobodyCanPoseAsAnother() throws Exception {
        Pod mirror = pod("m", "etcd-worker-1", ID);
        mirror.getMetadata().setAnnotations(Map.of("kubernetes.io/config.mirror", "hash"));
        Pod poser = pod("p", "poser", ID);
        poser.getMetadata().setAnnotations(Map.of("kubernetes.io/config.mirror", "a"));
        server.put(poser);
        server.put(mirror);
        server.put(pod("a", "api-0", ID));
        start();
        named("hash", "etcd-worker-1");
        named("a", "api-0");
        server.put(poser);
        server.delete(poser);
        server.put(pod("b", "api-1", ID));
        named("b", "api-1");
        named("a", "api-0");
        assertNull(watcher.find("m"));
    }

    @Test
    void theTokenIsReadAgain() throws Exception {
        start();
        assertEquals("Bearer first", last().authorization());
        Files.writeString(server.serviceAccount().resolve("token"), "second");
        server.put(pod("a", "api-0", ID));
        server.cut();
        Wait.until("the new token", () -> last().authorization().equals("Bearer second"));
        named("a", "api-0");
        assertEquals(0, watcher.errors(Reason.UNAUTHORIZED));
    }

    private TestApiServer.Request last() {
        return server.requests().get(server.requests().size() - 1);
    }

    @ParameterizedTest
    @CsvSource({"401, UNAUTHORIZED", "403, FORBIDDEN", "429, THROTTLED", "500, SERVER", "503, SERVER", "404, OTHER"})
    void anErrorIsCountedAndTriedAgain(int status, Reason reason) throws Exception {
        server.refuse(status);
        server.put(pod("a", "api-0", ID));
        watcher.start();
        Wait.until("two answers of " + status, () -> watcher.errors(reason) >= 2);
        assertFalse(watcher.isUp());
        assertFalse(watcher.isSynced());
        server.refuse(0);
        named("a", "api-0");
    }

    @Test
    void nonsenseOnTheWatchCostsOnlyItself() throws Exception {
        start();
        server.say(
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"x\"}}}");
        Wait.until("a nameless pod", () -> watcher.errors(Reason.NAMELESS_POD) == 1);
        server.say("<html>");
        server.put(pod("a", "api-0", "0/not an id"));
        named("a", "api-0");
        assertTrue(watcher.errors(Reason.MALFORMED) > 0);
        Pod noStatus = pod("b", "api-1", ID);
        noStatus.setStatus(null);
        server.put(noStatus);
        named("b", "api-1");
        Pod noIds = pod("c", "api-2", ID);
        noIds.getStatus().getContainerStatuses().get(0).setContainerID(null);
        server.put(noIds);
        named("c", "api-2");
    }

    @Test
    void aServerThatReturnsIsFoundSoon() throws Exception {
        server.put(pod("a", "api-0", ID));
        start();
        server.stop();
        Wait.until("attempts in vain", () -> watcher.errors(Reason.CONNECTION) > 3);
        named("a", "api-0");
        assertFalse(watcher.isUp());
        server.put(pod("b", "api-1", ID));
        server.start();
        Wait.until("the new name", Duration.ofSeconds(5), () -> watcher.find("b") != null);
        assertTrue(watcher.isSynced());
        assertEquals("api-1", Objects.requireNonNull(watcher.find("b")).name());
    }
}
