package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;

import io.kubepods.PlainNode;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.PosixFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * A tick, and a scrape's reading, of 1,000 containers in 334 pods, all throttled: {@code ./mvnw -Pbenchmark test}. The files are
 * plain ones, which cost less to read than the kernel's. A tick whose files come from memory shows what the system calls cost.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TickBenchmark {
    private static final int PODS = 334;
    private static final String CPU_STAT = """
            usage_usec 412451
            user_usec 397315
            system_usec 15136
            nice_usec 0
            nr_periods %d
            nr_throttled %d
            throttled_usec %d
            nr_bursts 0
            burst_usec 0
            """;
    private static final String MEMORY_EVENTS = """
            low 0
            high 0
            max 12
            oom 1
            oom_kill 2
            oom_group_kill 1
            """;

    private final PosixFiles posix = new PosixFiles();
    private Path directory = Path.of("");
    private PlainNode node = new PlainNode(directory);
    private NodeSampler sampler = sampler(posix);
    private NodeSampler ofMemory = sampler(posix);
    private byte[][] cpuStats = {};
    private final byte[] memoryEvents = MEMORY_EVENTS.getBytes(StandardCharsets.US_ASCII);
    private int ticks;
    private long now;

    @Setup
    public void makeNode() throws IOException {
        directory = Files.createTempDirectory("tick-benchmark");
        node = new PlainNode(directory);
        for (int pod = 0; pod < PODS; pod++) {
            for (int container = 0; container < 3; container++) {
                write(containerPath(pod, 10 * pod + container));
            }
            write(podPath(pod));
        }
        cpuStats = new byte[60][];
        for (int i = 0; i < cpuStats.length; i++) {
            cpuStats[i] = CPU_STAT.formatted(10 * i, 5 * i, 250_000 * i).getBytes(StandardCharsets.US_ASCII);
        }
        KernelFiles throttled = (file, offset, into) -> file.name().equals("cpu.stat")
                ? copy(cpuStats[ticks % cpuStats.length], posix.read(file, offset, into), into)
                : posix.read(file, offset, into);
        KernelFiles memory = (file, offset, into) -> file.name().equals("cpu.stat")
                ? copy(cpuStats[ticks % cpuStats.length], 0, into)
                : copy(memoryEvents, 0, into);
        sampler = sampler(throttled);
        ofMemory = sampler(memory);
    }

    private void write(String path) {
        node.cgroup(path);
        node.write(path, "cpu.stat", CPU_STAT.formatted(0, 0, 0));
        node.write(path, "cpu.stat.local", "throttled_usec 15\n");
        node.write(path, "cpu.max", "20000 100000\n");
        node.write(path, "memory.events", MEMORY_EVENTS);
        node.write(path, "memory.current", "33325056\n");
        node.write(path, "memory.max", "67108864\n");
        node.write(path, "memory.stat", "anon 33325056\nfile 4096\ninactive_file 4096\n");
    }

    /** The counters of a plain file stand still: they are moved here, after it has been read. */
    private static int copy(byte[] text, int read, byte[] into) {
        if (read < 0) {
            return read;
        }
        System.arraycopy(text, 0, into, 0, text.length);
        return text.length;
    }

    private NodeSampler sampler(KernelFiles files) {
        return new NodeSampler(posix, files, node.cgroupfs, node.procfs, PodSource.NONE, () -> now);
    }

    @Benchmark
    public void tick() {
        advance();
        sampler.tick();
    }

    /** The directories are still looked at. */
    @Benchmark
    public void tickOfFilesInMemory() {
        advance();
        ofMemory.tick();
    }

    @Benchmark
    public int everythingForAScrape() {
        advance();
        return sampler.sample(NodeModel::unnamed);
    }

    private void advance() {
        ticks++;
        now += 1_000_000_000L;
    }

    @TearDown
    public void removeNode() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void run() throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(TickBenchmark.class.getName())
                        .warmupIterations(3)
                        .measurementIterations(5)
                        .forks(1)
                        .build())
                .run();
    }
}
