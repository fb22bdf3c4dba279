package io.kubepods.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.kubepods.kernel.PosixFiles;
import io.kubepods.model.NodeSampler;
import io.kubepods.model.PodSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** Returns once everything that nothing holds has gone. */
    private static void collectGarbage() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        while (garbage.get() != null) {
            System.gc();
        }
        assertNull(garbage.get());
    }
}
