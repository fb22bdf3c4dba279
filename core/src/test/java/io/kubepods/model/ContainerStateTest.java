package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.MemoryEvents;
import io.kubepods.cgroup.Value;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One container of one level, or of crun's two. */
class ContainerStateTest {
    private static final String POD = podPath(1);
    private static final String OUTER = containerPath(1, 1);
    private static final String INNER = OUTER + "/container";

    @TempDir
    Path directory;

    private SampledNode node;

    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
        node.files.cgroup(OUTER);
    }

    private void write(String cgroup, String file, @Nullable String text) {
        if (text != null) {
            node.files.write(cgroup, file, text + "\n");
        }
    }

    private void twoLevels() {
        node.files.cgroup(INNER);
    }

    @ParameterizedTest
    @CsvSource({
        // outer, inner, quota, throttled periods taken from
        "50000 100000, 50000 100000, 50000, inner",
        "max 100000, 50000 100000, 50000, inner",
        "50000 100000, max 100000, 50000, outer",
        "50000 100000, 70000 100000, 50000, outer",
        "70000 100000, 50000 100000, 50000, inner",
        "max 100000, max 100000, 9223372036854775807, inner",
        ", 50000 100000, 50000, inner",
        "50000 100000, , 50000, outer",
        ", , -9223372036854775808, inner",
        "100000 100000, 100000 200000, 100000, inner",
    })
    void twoLevelsAreOneLimit(@Nullable String outer, @Nullable String inner, long quota, String throttled) {
        twoLevels();
        write(OUTER, "cpu.max", outer);
        write(INNER, "cpu.max", inner);
        write(OUTER, "cpu.stat", "nr_throttled 11");
        write(INNER, "cpu.stat", "nr_throttled 22");
        write(OUTER, "cpu.max.burst", "11");
        write(INNER, "cpu.max.burst", "22");
        ContainerState container = node.only();
        assertEquals(quota, container.cpuMax().quotaMicros());
        assertEquals(throttled.equals("outer") ? 11 : 22, container.throttling(CpuStat.NR_THROTTLED));
        assertEquals(throttled.equals("outer") ? 11 : 22, container.cpuBurst());
    }

    @Test
    void theSmallerQuotientIsTheLimit() {
        twoLevels();
        write(OUTER, "cpu.max", "100000 100000");
        write(INNER, "cpu.max", "150000 200000");
        assertEquals(0.75, node.only().cpuMax().cores());
        assertEquals(0.75, node.only().effectiveCpuLimit());
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 8192, 4096",
        "8192, 4096, 4096",
        "max, 4096, 4096",
        "4096, max, 4096",
        "max, max, 9223372036854775807",
        ", 4096, 4096",
        "4096, , 4096",
        ", , -9223372036854775808",
        "0, max, 0",
    })
    void limits(@Nullable String outer, @Nullable String inner, long limit) {
        twoLevels();
        write(OUTER, "memory.max", outer);
        write(INNER, "memory.max", inner);
        assertEquals(limit, node.only().limit(CgroupFile.MEMORY_MAX));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "0, 1, 1", "0, 0, 0", "1, , 1", ", 0, 0", ", , -9223372036854775808"})
    void theOomKillerTakesAllIfEitherLevelSaysSo(@Nullable String outer, @Nullable String inner, long oomGroup) {
        twoLevels();
        write(OUTER, "memory.oom.group", outer);
        write(INNER, "memory.oom.group", inner);
        assertEquals(oomGroup, node.only().oomGroup());
    }

    @ParameterizedTest
    @CsvSource({"oom 3, oom 4, 7", "oom 3, , 3", ", oom 4, 4", ", , -9223372036854775808"})
    void localEventsAreThoseOfBothLevels(@Nullable String outer, @Nullable String inner, long events) {
        twoLevels();
        write(OUTER, "memory.events.local", outer);
        write(INNER, "memory.events.local", inner);
        assertEquals(events, node.only().localEvents(MemoryEvents.OOM));
    }

    @Test
    void oneLevelAlone() {
        write(OUTER, "cpu.max", "50000 100000");
        write(OUTER, "cpu.stat", "nr_throttled 11");
        write(OUTER, "cpu.max.burst", "12");
        write(OUTER, "memory.max", "4096");
        write(OUTER, "cpu.weight", "79");
        write(OUTER, "memory.events.local", "oom 3");
        ContainerState container = node.only();
        assertEquals(0.5, container.cpuMax().cores());
        assertEquals(11, container.throttling(CpuStat.NR_THROTTLED));
        assertEquals(12, container.cpuBurst());
        assertEquals(4_096, container.limit(CgroupFile.MEMORY_MAX));
        assertEquals(79, container.cgroup().sample().single(CgroupFile.CPU_WEIGHT));
        assertEquals(3, container.localEvents(MemoryEvents.OOM));
    }

    @ParameterizedTest
    @CsvSource({
        // local, container's, pod's throttled_usec, stalled
        "400, 100, 200, 400",
        "0, 100, 200, 0",
        ", 100, 200, 200",
        ", 300, 200, 300",
        ", , 200, 200",
        ", 300, , 300",
        ", , , -9223372036854775808",
    })
    void stalled(@Nullable String local, @Nullable String own, @Nullable String pod, long stalled) {
        write(OUTER, "cpu.max", "50000 100000");
        write(OUTER, "cpu.stat.local", local == null ? null : "throttled_usec " + local);
        write(OUTER, "cpu.stat", own == null ? "usage_usec 1" : "throttled_usec " + own);
        write(POD, "cpu.max", "90000 100000");
        write(POD, "cpu.stat", pod == null ? "usage_usec 1" : "throttled_usec " + pod);
        assertEquals(stalled, node.only().stalledMicros());
    }

    @Test
    void aPodWithoutAQuotaHoldsNobody() {
        write(OUTER, "cpu.max", "50000 100000");
        write(OUTER, "cpu.stat", "throttled_usec 5");
        write(POD, "cpu.max", "max 100000");
        write(POD, "cpu.stat", "throttled_usec 10000");
        assertEquals(5, node.only().stalledMicros());
    }

    @Test
    void withoutAnyQuotaNothingStalls() {
        write(OUTER, "cpu.max", "max 100000");
        write(OUTER, "cpu.stat.local", "throttled_usec 0");
        assertEquals(Value.ABSENT, node.only().stalledMicros());
    }

    @Test
    void thePodsQuotaStallsItsContainers() {
        write(OUTER, "cpu.max", "max 100000");
        write(POD, "cpu.max", "50000 100000");
        write(POD, "cpu.stat", "throttled_usec 8");
        write(OUTER, "cpu.stat", "throttled_usec 0");
        ContainerState container = node.only();
        assertEquals(0.5, container.effectiveCpuLimit());
        assertEquals(8, container.stalledMicros());
    }

    @Test
    void ofTwoLevelsStalledIsThatOfTheOneWithTheQuota() {
        twoLevels();
        write(OUTER, "cpu.max", "50000 100000");
        write(INNER, "cpu.max", "50000 100000");
        write(OUTER, "cpu.stat.local", "throttled_usec 3");
        write(INNER, "cpu.stat.local", "throttled_usec 4");
        assertEquals(4, node.only().stalledMicros());
    }
}
