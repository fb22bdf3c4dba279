package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container that is OOM-killed every second for ten minutes, each time another cgroup. */
class OomCrashLoopTest {
    private static final String LIMIT = "20971520";
    private static final int SECONDS = 600;
    /** A forgotten container is some kilobytes, with its sample and its files. */
    private static final long SLACK = 512 * 1024;

    @TempDir
    Path directory;

    @Test
    void seriesAndHeapStayAsTheyAre() {
        OomNode oom = new OomNode(directory);
        oom.container(1, 1, "max", LIMIT);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api"));
        oom.tick();
        Set<String> series = oom.shown().keySet();
        long heap = 0;
        for (int i = 1; i <= SECONDS; i++) {
            oom.ownLimit(containerPath(1, i), 1);
            oom.remove(containerPath(1, i));
            oom.container(1, i + 1, "max", LIMIT);
            oom.node.name(uid(1), "shop-0", Map.of(id(i), "api~", id(i + 1), "api"));
            oom.tick();
            oom.node.reads.clear();
            if (i == SECONDS / 6) {
                heap = used();
            }
        }
        long grown = used() - heap;
        assertTrue(grown < SLACK, grown + " bytes more are held than after " + SECONDS / 6 + " kills");
        assertEquals(series, oom.shown().keySet());
        oom.settle();
        assertEquals("1200 container_limit=600", oom.shown().get("shop-0/api"));
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
