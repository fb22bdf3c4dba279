package io.kubepods.cgroup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.ErrorCounts.Kind;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each errno means: one file of a cgroup fails on purpose, all others are right. */
class CgroupReaderTest {
    private static final CgroupFile[] ALL = CgroupFile.values();

    private final Map<String, String> texts = new HashMap<>();
    /** What the next reads of a file give instead of its text: negative errnos; the last one stays. */
    private final Map<String, Deque<Integer>> failures = new HashMap<>();

    private final List<String> reads = new ArrayList<>();
    private final ErrorCounts readErrors = new ErrorCounts("read_errors_total");
    private final ErrorCounts malformed = new ErrorCounts("malformed_total");
    private final CgroupReader reader = new CgroupReader(this::read, readErrors, malformed);
    private final Cgroup cgroup =
            Cgroup.root(new KernelDirectory(Path.of("/sys/fs/cgroup"))).child("kubepods", 7);

    private int read(KernelFile file, long offset, byte[] into) {
        reads.add(file.name());
        Deque<Integer> fails = failures.get(file.name());
        if (fails != null && !fails.isEmpty()) {
            int failure = fails.size() == 1 ? fails.getFirst() : fails.removeFirst();
            if (failure < 0) {
                return failure;
            }
        }
        String text = texts.get(file.name());
        if (text == null) {
            return -Errno.ENOENT;
        }
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, into, 0, bytes.length);
        return bytes.length;
    }

    @BeforeEach
    void writeEveryFile() {
        for (CgroupFile file : ALL) {
            texts.put(file.fileName(), "7\n");
        }
        texts.put("cgroup.procs", "");
        texts.put("cpu.stat", "usage_usec 11\nnr_periods -2147483640\n");
        texts.put("cpu.stat.local", "throttled_usec 12\n");
        texts.put("cpu.max", "max 100000\n");
        texts.put("memory.stat", "anon 13\ninactive_file 2\n");
        texts.put("memory.events", "oom_kill 14\n");
        texts.put("memory.events.local", "oom_kill 15\n");
        texts.put("memory.swap.events", "fail 16\n");
        texts.put("cgroup.events", "populated 1\n");
        for (String controller : List.of("cpu", "memory", "io")) {
            texts.put(controller + ".pressure", "some total=17\nfull total=18\n");
        }
    }

    private void fails(String file, Integer... errnos) {
        Deque<Integer> negative = new ArrayDeque<>();
        for (int errno : errnos) {
            negative.add(-errno);
        }
        failures.put(file, negative);
    }

    private static Map<Kind, Long> all(ErrorCounts errors) {
        Map<Kind, Long> all = new HashMap<>();
        errors.forEach(all::put);
        return all;
    }

    private void nothingIsCounted() {
        assertEquals(Map.of(), all(readErrors));
        assertEquals(Map.of(), all(malformed));
    }

    /** One field of each file; {@link Value#ABSENT} if it is. */
    private Map<CgroupFile, Long> sample() {
        CgroupSample sample = cgroup.sample();
        Map<CgroupFile, Long> values = new HashMap<>();
        for (CgroupFile file : ALL) {
            long value = switch (file) {
                case CPU_STAT -> sample.cpuStat(CpuStat.USAGE_USEC);
                case CPU_STAT_LOCAL -> sample.cpuStatLocal(CpuStatLocal.THROTTLED_USEC);
                case CPU_MAX -> sample.cpuMax().periodMicros();
                case MEMORY_STAT -> sample.memoryStat(MemoryStat.ANON);
                case MEMORY_EVENTS -> sample.memoryEvents(MemoryEvents.OOM_KILL);
                case MEMORY_EVENTS_LOCAL -> sample.memoryEventsLocal(MemoryEvents.OOM_KILL);
                case MEMORY_SWAP_EVENTS -> sample.swapEvents(SwapEvents.FAIL);
                case CGROUP_EVENTS -> sample.cgroupEvents(CgroupEvents.POPULATED);
                case CPU_PRESSURE, MEMORY_PRESSURE, IO_PRESSURE ->
                    sample.pressure(file).someMicros();
                default -> sample.single(file);
            };
            values.put(file, value);
        }
        return values;
    }

    /** Reads well once, so that an old value is there to be forgotten; then again. */
    private boolean readTwice(Runnable between) {
        assertTrue(reader.read(cgroup, ALL, 0));
        between.run();
        reads.clear();
        return reader.read(cgroup, ALL, 0);
    }

    private void onlyIsAbsent(CgroupFile absent) {
        Map<CgroupFile, Long> found = sample();
        assertEquals(Value.ABSENT, found.get(absent));
        found.remove(absent);
        found.forEach((file, value) -> assertTrue(value != Value.ABSENT, file::fileName));
    }

    @Test
    void content() {
        assertTrue(reader.read(cgroup, ALL, 0));
        nothingIsCounted();
        Map<CgroupFile, Long> found = sample();
        assertEquals(11, found.get(CgroupFile.CPU_STAT));
        assertEquals(12, found.get(CgroupFile.CPU_STAT_LOCAL));
        assertEquals(100_000, found.get(CgroupFile.CPU_MAX));
        assertEquals(13, found.get(CgroupFile.MEMORY_STAT));
        assertEquals(14, found.get(CgroupFile.MEMORY_EVENTS));
        assertEquals(15, found.get(CgroupFile.MEMORY_EVENTS_LOCAL));
        assertEquals(16, found.get(CgroupFile.MEMORY_SWAP_EVENTS));
        assertEquals(17, found.get(CgroupFile.IO_PRESSURE));
        assertEquals(18, cgroup.sample().pressure(CgroupFile.IO_PRESSURE).fullMicros());
        assertEquals(7, found.get(CgroupFile.PIDS_MAX));
        assertEquals(2_147_483_656L, cgroup.sample().cpuStat(CpuStat.NR_PERIODS));
        assertEquals(Value.ABSENT, cgroup.sample().cpuStat(CpuStat.NR_THROTTLED));
        assertEquals(ALL.length, reads.size(), "each file once, and no other");
    }

    @Test
    void whatWasNeverReadIsAbsent() {
        sample().forEach((file, value) -> assertEquals(Value.ABSENT, value, file::fileName));
        assertTrue(reader.read(cgroup, new CgroupFile[] {CgroupFile.PIDS_MAX}, 0));
        assertEquals(List.of("pids.max"), reads);
        assertEquals(7, cgroup.sample().single(CgroupFile.PIDS_MAX));
    }

    @ParameterizedTest
    @EnumSource
    void enoentOnAFileIsAFact(CgroupFile file) {
        assertTrue(readTwice(() -> fails(file.fileName(), Errno.ENOENT)));
        onlyIsAbsent(file);
        nothingIsCounted();
    }

    @ParameterizedTest
    @EnumSource
    void enodevOnceIsAFileThatWasMadeAgain(CgroupFile file) {
        assertTrue(readTwice(() -> {
            fails(file.fileName(), Errno.ENODEV, 0);
        }));
        assertEquals(2, reads.stream().filter(file.fileName()::equals).count());
        sample().forEach((each, value) -> assertTrue(value != Value.ABSENT, each::fileName));
        nothingIsCounted();
    }

    /** A controller was switched off while its files were read. */
    @ParameterizedTest
    @EnumSource
    void enodevAndThenEnoentIsAFact(CgroupFile file) {
        assertTrue(readTwice(() -> fails(file.fileName(), Errno.ENODEV, Errno.ENOENT)));
        onlyIsAbsent(file);
        nothingIsCounted();
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "19, 19", "19, 2", "2, 19"})
    void aCgroupWithoutCpuStatAndProcessesHasGone(int cpuStat, int procs) {
        assertFalse(readTwice(() -> {
            texts.clear();
            fails("cpu.stat", cpuStat);
            fails("cgroup.procs", procs);
        }));
        nothingIsCounted();
        sample().forEach((file, value) -> assertEquals(Value.ABSENT, value, file::fileName));
    }

    @ParameterizedTest
    @CsvSource({"0", "5", "13", "95"})
    void aCgroupWithoutCpuStatIsThereWhileItsProcessesCanBeAskedFor(int errno) {
        assertTrue(readTwice(() -> {
            fails("cpu.stat", Errno.ENOENT);
            fails("cgroup.procs", errno);
        }));
        onlyIsAbsent(CgroupFile.CPU_STAT);
        nothingIsCounted();
    }

    @ParameterizedTest
    @EnumSource(names = {"CPU_PRESSURE", "MEMORY_PRESSURE", "IO_PRESSURE"})
    void eopnotsuppOnPressureIsAFact(CgroupFile file) {
        assertTrue(readTwice(() -> fails(file.fileName(), Errno.EOPNOTSUPP)));
        onlyIsAbsent(file);
        nothingIsCounted();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CPU_PRESSURE", "MEMORY_PRESSURE", "IO_PRESSURE"})
    void eopnotsuppElsewhereIsTrouble(CgroupFile file) {
        assertTrue(readTwice(() -> fails(file.fileName(), Errno.EOPNOTSUPP)));
        onlyIsAbsent(file);
        assertEquals(Map.of(new Kind(file.fileName(), "EOPNOTSUPP"), 1L), all(readErrors));
        assertEquals(Map.of(), all(malformed));
    }

    @ParameterizedTest
    @EnumSource
    void anythingElseIsTrouble(CgroupFile file) {
        assertTrue(readTwice(() -> fails(file.fileName(), Errno.EIO)));
        onlyIsAbsent(file);
        fails(file.fileName(), Errno.EACCES);
        assertTrue(reader.read(cgroup, ALL, 0));
        assertTrue(reader.read(cgroup, ALL, 0));
        onlyIsAbsent(file);
        assertEquals(
                Map.of(new Kind(file.fileName(), "EIO"), 1L, new Kind(file.fileName(), "EACCES"), 2L), all(readErrors));
        assertEquals(Map.of(), all(malformed));
        failures.clear();
        assertTrue(reader.read(cgroup, ALL, 0));
        sample().forEach((each, value) -> assertTrue(value != Value.ABSENT, each::fileName));
    }

    @ParameterizedTest
    @EnumSource
    void aMalformedFileCostsItsOwnFieldsAndIsCounted(CgroupFile file) {
        assertTrue(readTwice(() -> texts.put(file.fileName(), "nonsense\n")));
        onlyIsAbsent(file);
        assertEquals(Map.of(new Kind(file.fileName(), "malformed"), 1L), all(malformed));
        assertEquals(Map.of(), all(readErrors));
    }

    @Test
    void aMalformedLineCostsOneField() {
        texts.put("cpu.stat", "usage_usec x\nuser_usec 3\n");
        assertTrue(reader.read(cgroup, ALL, 0));
        assertEquals(Value.ABSENT, cgroup.sample().cpuStat(CpuStat.USAGE_USEC));
        assertEquals(3, cgroup.sample().cpuStat(CpuStat.USER_USEC));
        assertEquals(Map.of(new Kind("cpu.stat", "malformed"), 1L), all(malformed));
    }

    @Test
    void theMostUnknownKeysOfOneText() {
        texts.put("cpu.stat", "usage_usec 1\nnew_a 2\nnew_b 3\n");
        assertTrue(reader.read(cgroup, ALL, 0));
        texts.put("cpu.stat", "usage_usec 1\nnew_a 2\n");
        assertTrue(reader.read(cgroup, ALL, 0));
        assertEquals(2, reader.unknownKeys(CgroupFile.CPU_STAT));
        assertEquals(0, reader.unknownKeys(CgroupFile.MEMORY_STAT));
        nothingIsCounted();
    }

    @ParameterizedTest
    @CsvSource({"100, 40, 60", "40, 100, 0", "40, , ", ", 40, ", "0, 0, 0"})
    void workingSet(@Nullable Long current, @Nullable Long inactive, @Nullable Long expected) {
        if (current == null) {
            fails("memory.current", Errno.ENOENT);
        }
        texts.put("memory.current", current + "\n");
        texts.put("memory.stat", inactive == null ? "anon 1\n" : "inactive_file " + inactive + "\n");
        assertTrue(reader.read(cgroup, ALL, 0));
        assertEquals(expected == null ? Value.ABSENT : expected, cgroup.sample().workingSet());
    }

    @Test
    void theLeastCpuLimitUpToTheRoot() {
        Cgroup pod = cgroup.child("pod", 8);
        Cgroup container = pod.child("container", 9);
        assertEquals(Double.NaN, container.leastCpuLimit());
        CgroupFile[] cpuMax = {CgroupFile.CPU_MAX};
        texts.put("cpu.max", "200000 100000\n");
        assertTrue(reader.read(container, cpuMax, 0));
        assertEquals(2.0, container.leastCpuLimit());
        assertEquals(Double.NaN, pod.leastCpuLimit());
        texts.put("cpu.max", "50000 100000\n");
        assertTrue(reader.read(cgroup, cpuMax, 0));
        assertEquals(0.5, container.leastCpuLimit());
        texts.put("cpu.max", "300000 100000\n");
        assertTrue(reader.read(pod, cpuMax, 0));
        assertEquals(0.5, container.leastCpuLimit());
        texts.put("cpu.max", "max 100000\n");
        assertTrue(reader.read(container, cpuMax, 0));
        assertEquals(0.5, container.leastCpuLimit());
    }
}
