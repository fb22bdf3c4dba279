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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of 50 pods, each of two containers and a sandbox, or of 1,000 containers, on which nothing comes or goes. Of several
 * windows the least counts: what the JVM itself allocates on a thread, while it compiles for instance, is not in all of them.
 */
class AllocationTest {
    private static final int PODS = 50;
    private static final int CONTAINERS = 3 * PODS;
    private static final int WINDOWS = 12;
    private static final int WARM_UP = 400;
    /** In each window all cgroups are searched twice at least. */
    private static final int TICKS = 24;

    private static final int SAMPLES = 4;

    /** Throttled time, throttled periods and periods of a second. */
    private static final int[] FACTORS = {10_000, 5, 10};

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
        pods(0, PODS);
    }

    private void pods(int from, int to) {
        int pid = 1_000 * (1 + from);
        for (int pod = from; pod < to; pod++) {
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

    /** All of them are throttled in every tick. */
    @Test
    void aTickOfAThousandContainersThatAreThrottledAllocatesNothing() {
        pods(PODS, 334);
        byte[] text = """
                usage_usec 412451
                user_usec 397315
                nr_periods 000000000
                nr_throttled 000000000
                throttled_usec 000000000
                """.getBytes(StandardCharsets.US_ASCII);
        long[] seconds = {0};
        NodeSampler sampler = sampler((file, offset, into) -> {
            if (!file.name().equals("cpu.stat")) {
                return posix.read(file, offset, into);
            }
            int end = text.length - 1;
            for (int factor : FACTORS) {
                put(seconds[0] * factor, text, end);
                end = previousNumber(text, end);
            }
            System.arraycopy(text, 0, into, 0, text.length);
            return text.length;
        });
        Runnable tick = () -> {
            seconds[0]++;
            sampler.tick();
        };
        allocated(100, tick);
        ContainerState any = sampler.sample(model -> model.containers().get(500));
        assertEquals(1_002, (int) sampler.sample(model -> model.containers().size()));
        assertEquals(0.5, any.throttle().ratio(), 1e-9);
        allocated(100, tick);
        assertEquals(0, least(TICKS, tick), "bytes in " + TICKS + " ticks");
    }

    /** Nine digits before {@code end}. */
    private static void put(long number, byte[] text, int end) {
        long left = number;
        for (int at = end - 1; at >= end - 9; at--) {
            text[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    private static int previousNumber(byte[] text, int end) {
        int at = end - 1;
        while (text[at] != '\n') {
            at--;
        }
        return at;
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
