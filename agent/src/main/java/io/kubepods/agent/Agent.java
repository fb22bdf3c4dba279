package io.kubepods.agent;

import io.kubepods.agent.demo.DemoNode;
import io.kubepods.agent.http.HttpServer;
import io.kubepods.agent.http.Request;
import io.kubepods.agent.http.Response;
import io.kubepods.agent.http.Route;
import io.kubepods.agent.kube.PodWatcher;
import io.kubepods.agent.kube.PodsFile;
import io.kubepods.agent.kube.Reason;
import io.kubepods.agent.metrics.AgentMetrics;
import io.kubepods.agent.metrics.NodeMetrics;
import io.kubepods.kernel.KernelLogDevice;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.model.NodeSampler;
import io.kubepods.model.PodSource;
import io.kubepods.oom.OomState;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
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

    /** So that a rollout does not have all agents list at once. */
    private static final Duration LIST_JITTER = Duration.ofSeconds(2);

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

    /** The node that is read: this machine's, or the simulated one. */
    private static final class Node implements AutoCloseable {
        final NodeSampler sampler;
        final @Nullable PodsFile pods;
        final @Nullable PodWatcher watcher;
        final KernelLogDevice kernelLog;
        private final @Nullable StateFile state;
        private final PosixFiles files = new PosixFiles();
        private final @Nullable DemoNode demo;
        private final long syncUntil;
        private boolean saidWithoutNames;

        private Node(
                Path cgroupfs,
                Path procfs,
                Path kmsg,
                @Nullable PodsFile pods,
                @Nullable PodWatcher watcher,
                Duration syncTimeout,
                @Nullable StateFile state,
                @Nullable DemoNode demo) {
            this.pods = pods;
            this.watcher = watcher;
            this.state = state;
            this.demo = demo;
            syncUntil = System.nanoTime() + syncTimeout.toNanos();
            PodSource names = pods != null ? pods : watcher != null ? watcher : PodSource.NONE;
            sampler = new NodeSampler(files, files, cgroupfs, procfs, names, System::nanoTime);
            if (state != null) {
                state.read().ifPresent(sampler::restore);
            }
            kernelLog = new KernelLogDevice(kmsg);
            openKernelLog(kmsg);
            if (watcher != null) {
                watcher.start();
            }
        }

        private void openKernelLog(Path kmsg) {
            // A file of records will do, but no other device: kind links /dev/kmsg to /dev/console where it is missing.
            Optional<String> problem = Files.isRegularFile(kmsg) ? Optional.empty() : KernelLogDevice.problem(kmsg);
            if (problem.isEmpty()) {
                int result = kernelLog.open();
                problem = result == 0 ? problem : Optional.of(KernelLogDevice.reason(kmsg, -result));
            }
            if (problem.isEmpty()) {
                sampler.watch(kernelLog);
            } else {
                log.info("OOMs are counted without the kernel log, which would tell their victims: {}", problem.get());
            }
        }

        static Node open(Config config) throws IOException {
            if (config.demo()) {
                DemoNode demo = DemoNode.create(Files.createTempDirectory("kubepods-demo"));
                return new Node(
                        demo.cgroupfs(),
                        demo.procfs(),
                        demo.kmsg(),
                        PodsFile.open(demo.podsFile(), ""),
                        null,
                        Duration.ZERO,
                        null,
                        demo);
            }
            Config.PodsList podsFile = config.podsFile();
            Config.Kube kube = config.kube();
            Path stateFile = config.stateFile();
            return new Node(
                    config.cgroupfs(),
                    config.procfs(),
                    config.kmsg(),
                    podsFile == null ? null : PodsFile.open(podsFile.path(), podsFile.nodeName()),
                    kube == null
                            ? null
                            : new PodWatcher(kube.server(), kube.nodeName(), jitter(kube), System::nanoTime),
                    kube == null ? Duration.ZERO : kube.syncTimeout(),
                    stateFile == null ? null : StateFile.open(stateFile, config.procfs()),
                    null);
        }

        /** A small part of the time that readiness may wait. */
        private static Duration jitter(Config.Kube kube) {
            Duration part = kube.syncTimeout().dividedBy(10);
            return part.compareTo(LIST_JITTER) < 0 ? part : LIST_JITTER;
        }

        /** Whether names are as complete as they get, or need not be waited for any longer. */
        boolean hasNames() {
            return watcher == null || watcher.isSynced() || System.nanoTime() - syncUntil >= 0;
        }

        /** Once, when they are no longer waited for. */
        private void sayIfReadyWithoutNames(PodWatcher names) {
            if (!saidWithoutNames && !names.isSynced() && hasNames()) {
                saidWithoutNames = true;
                log.warn(
                        "The API server has not told the pods' names in time; this agent is ready without, and goes on asking.");
            }
        }

        /** Waits for them. */
        void awaitNames() throws IOException {
            try {
                if (watcher != null && !watcher.awaitSync(Duration.ofNanos(syncUntil - System.nanoTime()))) {
                    log.warn("The API server has not told the pods' names in time; they are served without.");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while waiting for the API server.");
            }
        }

        void tick(Config config) {
            if (demo != null) {
                // Under the sampler's lock: nobody reads a file that is half written.
                sampler.exclusively(() -> step(demo, config.sampleInterval()));
            }
            if (pods != null) {
                pods.refresh();
            }
            if (watcher != null) {
                watcher.refresh();
                sayIfReadyWithoutNames(watcher);
            }
            sampler.tick();
            if (state != null) {
                keep(state);
            }
        }

        private void keep(StateFile to) {
            OomState changed = sampler.takeState(to.bootId());
            if (changed != null && !to.write(changed, System.nanoTime())) {
                sampler.stateWasNotKept();
            }
        }

        private static void step(DemoNode demo, Duration elapsed) {
            try {
                demo.step(elapsed);
            } catch (IOException e) {
                throw new UncheckedIOException("The simulated node could not be written: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            if (watcher != null) {
                watcher.close();
            }
            kernelLog.close();
            if (demo != null) {
                demo.close();
            }
        }
    }
}
