package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.agent.http.ListenAddress;
import java.io.ByteArrayOutputStream;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fixture node, served by the whole agent, against that node's golden file. After a change that is meant to change
 * them, {@code ./mvnw verify -Dgolden.update=true} writes them anew; the difference is then for people to read.
 */
class EndToEndTest {
    private static final Path NODES = Path.of("../core/src/test/resources/nodes");

    /** What is the same in every run: not the JVM, not durations, not versions. */
    private static final Pattern STEADY =
            Pattern.compile("kubepods_(container|pod|slice|node|agent_(cgroups|kubepods_trees|hidden"
                    + "|unknown_keys|pods_file_errors|tick_failures))_?.*");

    static List<Path> nodes() throws IOException {
        try (Stream<Path> nodes = Files.list(NODES)) {
            return nodes.sorted().toList();
        }
    }

    @Test
    void thereAreNodesOfManyLayouts() throws IOException {
        assertTrue(nodes().size() >= 10, () -> "fixture nodes in " + NODES.toAbsolutePath());
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void servesWhatTheGoldenFileSays(Path node) throws Exception {
        String served;
        try (Agent agent = Agent.start(config(node))) {
            served = steady(get(agent, "/metrics"));
        }
        Path golden = node.resolve("metrics.prom");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(golden, served);
        }
        assertEquals(Files.readString(golden), served);
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void snapshotPrintsTheSameSeries(Path node) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Agent.snapshot(config(node), out);
        List<String> golden = Files.readAllLines(node.resolve("metrics.prom")).stream()
                .filter(line -> !line.contains("kubepods_agent_"))
                .toList();
        assertEquals(golden, out.toString(UTF_8).lines().toList());
    }

    @Test
    void countsWhatNoKernelWrites() throws Exception {
        String served;
        try (Agent agent = Agent.start(config(NODES.resolve("odd")))) {
            served = get(agent, "/metrics");
        }
        List<String> malformed = served.lines()
                .filter(line -> line.startsWith("kubepods_agent_malformed_files_total"))
                .map(line -> line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')))
                .toList();
        assertEquals(List.of("cpu.pressure", "cpu.stat", "io.pressure", "memory.max"), malformed);
    }

    @Test
    void answersEveryPathItHas() throws Exception {
        try (Agent agent = Agent.start(config(NODES.resolve("empty")))) {
            assertTrue(get(agent, "/").contains("href=\"/metrics\""));
            assertEquals("ok\n", get(agent, "/healthz"));
            get(agent, "/metrics");
            assertTrue(List.of("ok\n", "The node's files have not been read yet.\n")
                    .contains(get(agent, "/readyz")));
            assertEquals(404, response(agent, "/nothing").statusCode());
        }
    }

    private static Config config(Path node) {
        Path yaml = node.resolve("pods.yaml");
        return new Config(
                node.resolve("sys/fs/cgroup"),
                node.resolve("proc"),
                node.resolve("kmsg"),
                new Config.PodsList(Files.exists(yaml) ? yaml : node.resolve("pods.json"), ""),
                null,
                ListenAddress.parse("127.0.0.1:0"),
                "/metrics",
                Duration.ofSeconds(1),
                null,
                false);
    }

    private static String get(Agent agent, String path) throws IOException, InterruptedException {
        return response(agent, path).body();
    }

    private static HttpResponse<String> response(Agent agent, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + agent.address().getPort() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static String steady(String exposition) {
        return exposition
                .lines()
                .filter(line ->
                        STEADY.matcher(line.replaceFirst("# (HELP|TYPE) ", "")).matches())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
