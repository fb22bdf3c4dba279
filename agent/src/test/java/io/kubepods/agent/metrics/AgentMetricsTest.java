package io.kubepods.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubepods.agent.NodeOnDisk;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import io.kubepods.model.NodeSampler;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class AgentMetricsTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsCountedIsNotCollected() {
        PosixFiles files = new PosixFiles();
        NodeSampler sampler = new NodeSampler(files, files, directory, directory, PodSource.NONE, System::nanoTime);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (AgentMetrics metrics = new AgentMetrics(registry, sampler, "1")) {
            AtomicLong count = new AtomicLong();
            metrics.errors("test.errors", "help", count::get);
            collectGarbage();
            count.set(3);
            assertEquals(
                    3,
                    registry.get("kubepods.agent.test.errors").functionCounter().count());
        }
    }

    /** Micrometer warns of every one that is there already. */
    @Test
    void nothingIsRegisteredTwice() {
        PosixFiles files = new PosixFiles();
        NodeSampler sampler = new NodeSampler(files, files, directory, directory, PodSource.NONE, System::nanoTime);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Logger logger = (Logger) LoggerFactory.getLogger("io.micrometer");
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try (AgentMetrics metrics = new AgentMetrics(registry, sampler, "1")) {
            metrics.podWatch(() -> true, () -> 1_000);
            metrics.update();
            metrics.update();
            assertEquals(
                    List.of(),
                    said.list.stream()
                            .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                            .map(ILoggingEvent::getFormattedMessage)
                            .toList());
            assertEquals(
                    1,
                    registry.get("kubepods.agent.pod.watch.last.event.timestamp")
                            .gauge()
                            .value());
        } finally {
            logger.detachAppender(said);
        }
    }

    @Test
    void podsInAnotherPlaceThanTheirQosClassHasAreCounted() throws IOException {
        String uid = "00000000-0000-0000-0000-000000000001";
        NodeOnDisk node = new NodeOnDisk(directory);
        node.add(uid, "1".repeat(64));
        PodSource pods = new PodSource() {
            @Override
            public Pod find(String of) {
                Pod.Info info = new Pod.Info("Guaranteed", PodPriority.NONE, "", false, null, PodResources.NONE);
                return new Pod(uid, "shop", "cart-0", Map.of(), info);
            }

            @Override
            public long generation() {
                return 1;
            }
        };
        PosixFiles files = new PosixFiles();
        NodeSampler sampler = new NodeSampler(files, files, node.cgroupfs(), node.procfs(), pods, System::nanoTime);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (AgentMetrics metrics = new AgentMetrics(registry, sampler, "1")) {
            metrics.update();
            assertEquals(
                    1,
                    registry.get("kubepods.agent.pods.qos.mismatched").gauge().value());
        }
    }

    /** Returns once everything that nothing holds has gone. */
    private static void collectGarbage() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        while (garbage.get() != null) {
            System.gc();
        }
        assertNull(garbage.get());
    }
}
