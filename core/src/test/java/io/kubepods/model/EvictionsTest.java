package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.cgroup.Value;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import io.kubepods.kubelet.Quantities;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pods of a node in the order of their eviction, and how far that is. */
class EvictionsTest {
    @TempDir
    Path directory;

    private SampledNode node;

    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
    }

    private void pod(int number, long workingSet, long request, PodPriority priority) {
        node.files.cgroup(containerPath(number, number));
        node.files.write(podPath(number), "memory.current", workingSet + 50 + "\n");
        node.files.write(podPath(number), "memory.stat", "anon 1\ninactive_file 50\n");
        Quantities requests = new Quantities(Quantities.ABSENT, request);
        node.pods.put(
                uid(number),
                new Pod(
                        uid(number),
                        "shop",
                        "pod-" + number,
                        Map.of(),
                        new Pod.Info("", priority, "", false, null, new PodResources(requests, Quantities.NONE))));
        node.generation++;
    }

    private Map<String, Integer> ranks() {
        return node.sample(model -> {
            Map<String, Integer> ranks = new HashMap<>();
            model.shownPods().forEach(pod -> ranks.put(pod.name(), pod.evictionRank()));
            return ranks;
        });
    }

    @Test
    void byWorkingSetAgainstRequest() {
        pod(1, 100, 200, PodPriority.NONE);
        pod(2, 300, 200, PodPriority.NONE);
        pod(3, 500, Quantities.ABSENT, new PodPriority(7, "", false));
        pod(4, 900, 100, new PodPriority(2_000_001_000, "system-node-critical", false));
        node.files.cgroup(containerPath(5, 5));
        assertEquals(Map.of("pod-2", 1, "pod-3", 2, "pod-1", 3, "pod-4", 0, uid(5), 0), ranks());
        node.files.write(podPath(1), "memory.current", "1000\n");
        assertEquals(1, ranks().get("pod-1"));
    }

    @Test
    void requestsAreAddedUp() {
        assertEquals(
                Quantities.NONE,
                node.sample(model -> model.node().get(0).totals().requests()));
        pod(1, 100, 200, PodPriority.NONE);
        pod(2, 300, 200, PodPriority.NONE);
        pod(3, 500, Quantities.ABSENT, PodPriority.NONE);
        assertEquals(
                new Quantities(0, 400),
                node.sample(model -> model.node().get(0).totals().requests()));
        pod(4, 1, Long.MAX_VALUE, PodPriority.NONE);
        assertEquals(
                new Quantities(0, Long.MAX_VALUE),
                node.sample(model -> model.node().get(0).totals().requests()));
    }

    @Test
    void memoryAvailableIsOfTheMachinesRoot() {
        node.files.write("", "memory.stat", "anon 4096\nfile 8192\ninactive_file 2048\n");
        Path meminfo = node.files.procfs.resolve("meminfo");
        write(meminfo, "MemTotal: 64 kB\nMemAvailable: 40 kB\n");
        assertEquals(65_536 - 10_240, available());
        node.files.write("", "memory.current", "4096\n");
        assertEquals(Value.ABSENT, available(), "a root with memory.current is a container's");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long available() {
        return node.sample(model -> model.node().get(0).memory().evictionAvailable());
    }
}
