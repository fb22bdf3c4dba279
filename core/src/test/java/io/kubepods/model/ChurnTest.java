package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers come and go under the walk as fast as another thread can make and remove them. */
class ChurnTest {
    private static final int CYCLES = 4_000;
    private static final int PODS = 5;

    @TempDir
    Path directory;

    private static void makeAndRemove(SampledNode node) {
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            int pod = cycle % PODS;
            String path = containerPath(pod, 1_000 + cycle);
            node.files.cgroup(cycle % 3 == 0 ? path + "/container" : path);
            if (cycle % 2 == 0) {
                node.files.write(path, "memory.events", "oom_kill 1\n");
                node.files.write(path, "cgroup.procs", cycle + "\n");
            }
            node.files.remove(cycle % 100 == 0 ? podPath(pod) : path);
        }
    }

    @Test
    void nothingIsLeakedAndNothingIsSaid() {
        SampledNode node = new SampledNode(directory);
        node.files.cgroup(containerPath(99, 99));
        node.files.init(containerPath(99, 99), 7, "java");
        for (int pod = 0; pod < PODS; pod++) {
            node.files.cgroup(podPath(pod));
        }
        node.tick();
        node.only();
        long before = node.openDescriptors();

        CompletableFuture<Void> churn = CompletableFuture.runAsync(() -> makeAndRemove(node));
        int seen = 0;
        while (!churn.isDone()) {
            node.tick();
            seen += node.count(model -> model.containers().size()) - 1;
            node.reads.clear();
        }
        churn.join();
        assertTrue(seen > 0, "the walk has met some");

        for (int pod = 0; pod < PODS; pod++) {
            node.files.cgroup(podPath(pod));
        }
        for (int i = 0; i < 12; i++) {
            node.tick();
        }
        assertEquals(1, node.shown().size());
        assertEquals(1, node.count(model -> model.containers().size()));
        assertEquals(PODS + 1, node.count(model -> model.pods().size()));
        assertEquals(before, node.openDescriptors());
        assertEquals(before, node.keptDescriptors());
        assertEquals(Map.of(), node.errors());
    }
}
