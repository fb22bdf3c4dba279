package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.agent.kube.Wait;
import io.kubepods.agent.metrics.Family;
import io.kubepods.agent.metrics.NodeMetrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The packaged jar, as a user starts it: {@code java -jar}, no flags for the JVM. */
class KubepodsExporterJarIT {
    private static final Path KUBEADM = Path.of("../core/src/test/resources/nodes/kubeadm");

    private static HttpResponse<byte[]> get(int port, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
    }

    /** The API server tells a node's capacity, and a file of pods does not. */
    private static final Set<String> NOT_IN_THE_DEMO =
            Set.of("kubepods_node_cpu_capacity_cores", "kubepods_node_memory_capacity_bytes");

    @Test
    void theDemoServesEveryFamily() throws Exception {
        try (RunningJar demo = RunningJar.start("--demo")) {
            Wait.until("every family", () -> missing(demo).isEmpty()); // a second must have gone by, for throttling
            assertEquals(1, demo.log().size(), () -> "one line and no warning of the JVM's: " + demo.log());
            assertEquals(143, demo.stop(), "ends by SIGTERM");
        }
    }

    private static List<String> missing(RunningJar demo) throws IOException, InterruptedException {
        String served = new String(get(demo.port(), "/metrics").body(), UTF_8);
        Set<String> names = served.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{')))
                .map(name -> name.replaceFirst("_bucket$", ""))
                .collect(Collectors.toSet());
        return NodeMetrics.families()
                .map(Family::name)
                .filter(name -> !names.contains(name) && !NOT_IN_THE_DEMO.contains(name))
                .toList();
    }

    @Test
    void negotiatesTheFormatAndCompresses() throws Exception {
        try (RunningJar jar = RunningJar.start("--demo")) {
            HttpResponse<byte[]> text = get(jar.port(), "/metrics", "Accept-Encoding", "gzip");
            assertEquals("gzip", text.headers().firstValue("Content-Encoding").orElse(""));
            GZIPInputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(text.body()));
            assertTrue(new String(unzipped.readAllBytes(), UTF_8)
                    .contains("\nkubepods_container_cpu_usage_seconds_total{"));
            HttpResponse<byte[]> openMetrics =
                    get(jar.port(), "/metrics", "Accept", "application/openmetrics-text; version=1.0.0");
            assertTrue(new String(openMetrics.body(), UTF_8).endsWith("# EOF\n"));
            HttpResponse<byte[]> protobuf = get(
                    jar.port(),
                    "/metrics",
                    "Accept",
                    "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited");
            assertTrue(protobuf.headers()
                    .firstValue("Content-Type")
                    .orElse("")
                    .startsWith("application/vnd.google.protobuf"));
        }
    }

    @Test
    void aSnapshotGoesToStandardOutputAndNothingElseDoes() throws Exception {
        Process process = new ProcessBuilder(RunningJar.command(
                        "snapshot",
                        "--path.cgroupfs=" + KUBEADM.resolve("sys/fs/cgroup"),
                        "--path.procfs=" + KUBEADM.resolve("proc"),
                        "--pods.file=" + KUBEADM.resolve("pods.yaml")))
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor());
        assertEquals("", errors);
        assertEquals(
                Files.readAllLines(KUBEADM.resolve("metrics.prom")).stream()
                        .filter(line -> !line.contains("kubepods_agent_"))
                        .toList(),
                printed.lines().toList());
    }

    @Test
    void knowsItsVersionAndComplainsInOneSentence() throws Exception {
        Process version = new ProcessBuilder(RunningJar.command("--version")).start();
        String printed = new String(version.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, version.waitFor());
        assertTrue(printed.matches("kubepods-exporter \\d+\\.\\d+\\.\\d+\\S*\n"), printed);

        Process wrong = new ProcessBuilder(RunningJar.command("--no-such-flag")).start();
        String errors = new String(wrong.getErrorStream().readAllBytes(), UTF_8);
        assertEquals(1, wrong.waitFor());
        assertEquals("kubepods-exporter: Unknown option: '--no-such-flag'. See --help.\n", errors);
    }
}
