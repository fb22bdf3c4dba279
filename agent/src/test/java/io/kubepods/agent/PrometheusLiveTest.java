package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes the demo. Run by {@code ./mvnw -Pprometheus verify}; needs {@code prometheus} and {@code promtool}
 * on the PATH (Debian's package prometheus has both).
 */
class PrometheusLiveTest {
    private static final int SCRAPES = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern VALUE = Pattern.compile("\"value\":\\[[0-9.]+,\"([^\"]+)\"]");

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    @Test
    void scrapesTheDemoWithoutLossOrComplaint() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path log = directory.resolve("prometheus.log");
        try (RunningJar demo = RunningJar.start("--demo")) {
            checkWithPromtool(demo);
            Process prometheus = prometheus(demo, log);
            try {
                await("count_over_time(up[1h]) >= " + SCRAPES);
            } finally {
                prometheus.destroy();
                assertTrue(prometheus.waitFor() >= 0);
            }
        }
        List<String> complaints = Files.readAllLines(log).stream()
                .filter(line -> line.contains("level=warn")
                        || line.contains("level=error")
                        || line.contains("level=WARN")
                        || line.contains("level=ERROR"))
                .filter(line -> !line.contains("Received SIGTERM"))
                .toList();
        assertEquals(List.of(), complaints);
    }

    private void checkWithPromtool(RunningJar demo) throws IOException, InterruptedException {
        Path metrics = directory.resolve("metrics");
        Files.writeString(metrics, get("http://127.0.0.1:" + demo.port() + "/metrics"));
        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectInput(metrics.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertEquals("", said);
        assertEquals(0, promtool.waitFor());
    }

    private Process prometheus(RunningJar demo, Path log) throws IOException {
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, scrape_timeout: 1s}
                scrape_configs:
                - job_name: kubepods
                  static_configs: [{targets: ["127.0.0.1:%d"]}]
                """.formatted(demo.port()));
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Until enough has been scraped; then everything that was scraped must have been good. */
    private void await(String enough) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(end) && query(enough).isEmpty()) {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
        assertTrue(Double.parseDouble(query("count_over_time(up[1h])")) >= SCRAPES, "scraped often enough in time");
        assertEquals("1", query("min_over_time(up[1h])"));
        assertEquals("1", query("min(min_over_time(scrape_samples_scraped[1h]) > bool 1000)"));
        assertEquals(
                "", query("scrape_samples_scraped != scrape_samples_post_metric_relabeling"), "no sample was dropped");
        assertTrue(
                Double.parseDouble(query("sum(increase(kubepods_container_cpu_throttled_periods_total[1h]))")) > 0,
                "the demo's spinner is throttled");
    }

    /** The first value of an instant query's answer; "" when it has none. */
    private String query(String expression) throws IOException, InterruptedException {
        String url = "http://127.0.0.1:" + port + "/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8);
        try {
            Matcher matcher = VALUE.matcher(get(url));
            return matcher.find() ? matcher.group(1) : "";
        } catch (ConnectException e) {
            return ""; // it has not started yet
        }
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
        return response.body();
    }
}
