package io.kubepods.agent;

import io.kubepods.agent.demo.DemoNode;
import io.kubepods.agent.kube.PodEvents;
import io.kubepods.agent.kube.PodWatcher;
import io.kubepods.agent.kube.PodsFile;
import io.kubepods.kernel.KernelLogDevice;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.model.NodeSampler;
import io.kubepods.model.PodSource;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node that is read, this machine's or the simulated one, and what is told of it by others: names, and the kernel's log. */
final class Node implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Node.class);

    /** So that a rollout does not have all agents list at once. */
    private static final Duration LIST_JITTER = Duration.ofSeconds(2);

    final NodeSampler sampler;
    final @Nullable PodsFile pods;
    final @Nullable PodWatcher watcher;
    final @Nullable PodEvents events;
    final KernelLogDevice kernelLog;
    final @Nullable StateFile state;
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
            @Nullable PodEvents events,
            Duration syncTimeout,
            @Nullable StateFile state,
            @Nullable DemoNode demo) {
        this.pods = pods;
        this.watcher = watcher;
        this.events = events;
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
        if (events != null) {
            events.start();
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
                kube == null ? null : new PodWatcher(kube.server(), kube.nodeName(), jitter(kube), System::nanoTime),
                kube == null || !kube.events() ? null : new PodEvents(kube.server(), kube.nodeName(), System::nanoTime),
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
        if (events != null) {
            events.refresh();
        }
        for (OomIncident incident : sampler.takeNewOoms()) {
            log.info("{}", incident.sentence());
            if (events != null) {
                events.offer(event(incident));
            }
        }
    }

    private static PodEvents.Told event(OomIncident incident) {
        return new PodEvents.Told(
                incident.time(),
                incident.namespace(),
                incident.pod(),
                incident.podUid(),
                incident.container() + "/" + incident.cause().label(),
                "OOMKill",
                incident.sentence());
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
        if (events != null) {
            events.close();
        }
        kernelLog.close();
        if (demo != null) {
            demo.close();
        }
    }
}
