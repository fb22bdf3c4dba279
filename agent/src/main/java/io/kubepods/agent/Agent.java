package io.kubepods.agent;

import io.kubepods.agent.http.HttpServer;
import io.kubepods.agent.http.Request;
import io.kubepods.agent.http.Response;
import io.kubepods.agent.http.Route;
import io.kubepods.agent.kube.PodEvents;
import io.kubepods.agent.kube.PodWatcher;
import io.kubepods.agent.kube.PodsFile;
import io.kubepods.agent.kube.Reason;
import io.kubepods.agent.metrics.AgentMetrics;
import io.kubepods.agent.metrics.NodeMetrics;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running agent, wired from top to bottom: files, model, loop, metrics, HTTP.
 *
 * <p>Two clocks: the loop reads what is cheap every tick; a scrape has everything read.
 */
final class Agent implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Agent.class);

    /** Ticks that began longer ago than this mean that the agent hangs. */
    private static final Duration LIVENESS_PATIENCE = Duration.ofMinutes(2);

    private final Node node;
    private final TickLoop loop;
    private final AgentMetrics agentMetrics;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final HttpServer server;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Agent(Config config) throws IOException {
        node = Node.open(config);
        try {
            PrometheusMeterRegistry micrometer =
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
            agentMetrics = new AgentMetrics(micrometer, node.sampler, Main.version());
            Timer scanDuration = agentMetrics.scanDuration();
            loop = new TickLoop(config.sampleInterval(), () -> scanDuration.record(() -> node.tick(config)));
            agentMetrics.tickLag(loop::lagSeconds);
            agentMetrics.errors("tick.failures", "Ticks that failed for a fault of the agent's own.", loop::failures);
            agentMetrics.errors("ticks.skipped", "Ticks left out because those before took too long.", loop::skipped);
            PodsFile pods = node.pods;
            if (pods != null) {
                agentMetrics.errors(
                        "pods.file.errors",
                        "Times the pods file had changed and could not be read; the pods read before stay in force.",
                        pods::errors);
            }
            PodWatcher watcher = node.watcher;
            if (watcher != null) {
                agentMetrics.podWatch(watcher::isUp, watcher::lastEventMillis);
                for (Reason reason : Reason.values()) {
                    agentMetrics.podWatchErrors(reason.label(), () -> watcher.errors(reason));
                }
            }
            StateFile state = node.state;
            if (state != null) {
                agentMetrics.errors(
                        "state.file.errors",
                        "Times the state file could not be written; it is tried again every tick.",
                        state::errors);
            }
            PodEvents events = node.events;
            if (events != null) {
                agentMetrics.errors(
                        "events.failed", "Events on pods that the API server did not take.", events::failed);
            }
            agentMetrics.kernelLog(node.kernelLog::isOpen, node.sampler::lostLogRecords);
            registry.register(new NodeMetrics(node.sampler));
            server = HttpServer.start(
                    config.listenAddress(),
                    Map.of(
                            config.telemetryPath(),
                            this::metrics,
                            "/api/v1/oom",
                            request -> OomApi.of(node.sampler.ooms()),
                            "/healthz",
                            Route.immediate(this::healthz),
                            "/readyz",
                            Route.immediate(this::readyz),
                            "/",
                            Route.immediate(request -> LandingPage.of(config))));
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /** @throws IOException with one sentence when it cannot start */
    static Agent start(Config config) throws IOException {
        Agent agent = new Agent(config);
        Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "stop"));
        agent.loop.start();
        log.info(
                "kubepods-exporter {} serves {} of {} on {}",
                Main.version(),
                config.telemetryPath(),
                config.demo() ? "a simulated node" : "this node",
                text(agent.server.address()));
        return agent;
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress() ? "[::]" : address.getHostString();
        return host + ":" + address.getPort();
    }

    /** Reads the node once, and prints what it says of pods in the text format. */
    static void snapshot(Config config, OutputStream out) throws IOException {
        try (Node node = Node.open(config)) {
            node.awaitNames();
            MetricSnapshots snapshots = new NodeMetrics(node.sampler).collect();
            ExpositionFormats.init().getPrometheusTextFormatWriter().write(out, snapshots);
            out.flush();
        }
    }

    /** Waits until the agent is stopped. */
    void join() throws InterruptedException {
        stopped.await();
    }

    /** Where it is served. */
    InetSocketAddress address() {
        return server.address();
    }

    private Response metrics(Request request) {
        node.sampler.sample(model -> model); // first, so that what goes wrong in it is counted in this very answer
        agentMetrics.update();
        ExpositionFormatWriter writer = formats.findWriter(request.header("Accept"));
        MetricSnapshots snapshots = registry.scrape();
        return Response.of(writer.getContentType(), out -> writer.write(out, snapshots));
    }

    private Response healthz(Request request) {
        return loop.isAlive(LIVENESS_PATIENCE)
                ? Response.text(200, "ok")
                : Response.text(503, "The node's files have not been read for too long.");
    }

    private Response readyz(Request request) {
        if (!loop.hasTicked()) {
            return Response.text(503, "The node's files have not been read yet.");
        }
        return node.hasNames()
                ? Response.text(200, "ok")
                : Response.text(503, "The API server has not told the pods' names yet.");
    }

    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        server.close();
        loop.close();
        agentMetrics.close();
        node.close();
        stopped.countDown();
    }
}
