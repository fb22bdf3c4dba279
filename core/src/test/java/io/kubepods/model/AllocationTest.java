package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.kubepods.PlainNode;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.PosixFiles;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of 50 pods, each of two containers and a sandbox, on which nothing comes or goes. Of several windows the least
 * counts: what the JVM itself allocates on a thread, while it compiles for instance, is not in all of them.
 */
class AllocationTest {
    private static final int PODS = 50;
    private static final int CONTAINERS = 3 * PODS;
    private static final int WINDOWS = 12;
    private static final int WARM_UP = 400;
    /** In each window all cgroups are searched twice at least. */
    private static final int TICKS = 24;

    private static final int SAMPLES = 4;

    @TempDir
    Path directory;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PosixFiles posix = new PosixFiles();
    private long now;
    private byte[] escaping = new byte[0];
    private PlainNode node;

    @BeforeEach
    void makeNode() {
        node = new PlainNode(directory);
        int pid = 1_000;
        for (int pod = 0; pod < PODS; pod++) {
            for (int container = 0; container < 3; container++) {
                String path = containerPath(pod, 10 * pod + container);
                node.cgroup(path);
                node.init(path, pid++, container == 0 ? "pause" : "java");
                write(path);
            }
            write(podPath(pod));
        }
    }

    private void write(String path) {
        node.write(path, "cpu.stat", "usage_usec 412451\nuser_usec 397315\nnr_periods 21\nthrottled_usec 1589570\n");
        node.write(path, "cpu.max", "20000 100000\n");
        node.write(path, "memory.current", "33325056\n");
        node.write(path, "memory.max", "max\n");
        node.write(path, "memory.stat", "anon 33325056\nfile 4096\ninactive_file 4096\nnew_key 1\n");
        node.write(path, "memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n");
        node.write(path, "memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=226\n");
    }

    private NodeSampler sampler(KernelFiles files) {
        return new NodeSampler(posix, files, node.cgroupfs, node.procfs, PodSource.NONE, () -> now);
    }

    private long allocated(int repetitions, Runnable work) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < repetitions; i++) {
            now += 1_000_000_000L;
            work.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private long least(int repetitions, Runnable work) {
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS; window++) {
            least = Math.min(least, allocated(repetitions, work));
        }
        return least;
    }

    @Test
    void aSteadyTickAllocatesNothing() {
        NodeSampler sampler = sampler(posix);
        allocated(WARM_UP, sampler::tick);
        assertEquals(
                CONTAINERS, (int) sampler.sample(model -> model.containers().size()));
        allocated(WARM_UP, sampler::tick);
        assertEquals(0, least(TICKS, sampler::tick), "bytes in " + TICKS + " ticks");
    }

    @Test
    void oneArrayATickIsSeen() {
        boolean[] first = {true};
        NodeSampler sampler = sampler((file, offset, into) -> {
            if (first[0]) {
                first[0] = false;
                escaping = new byte[16];
            }
            return posix.read(file, offset, into);
        });
        Runnable tick = () -> {
            first[0] = true;
            sampler.tick();
        };
        allocated(WARM_UP, tick);
        assertEquals(16, escaping.length);
        assertEquals(TICKS * 32L, least(TICKS, tick), "header and 16 bytes a tick");
    }

    /** Not every file's descriptor is kept at this size, nor every process's: those are told apart by their start time. */
    @Test
    void readingEverythingAllocatesLittle() {
        NodeSampler sampler = sampler(posix);
        Runnable sample = () -> sampler.sample(model -> model);
        allocated(WARM_UP / 10, sample);
        long bytes = least(SAMPLES, sample);
        long perContainer = bytes / (SAMPLES * CONTAINERS);
        assertTrue(perContainer <= 64, bytes + " bytes in " + SAMPLES + " samples, " + perContainer + " a container");
    }
}
