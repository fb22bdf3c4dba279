package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.Value;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The twelve ways in which the kernel's counters of throttling mislead, each with the numbers of a real kernel. */
class ThrottlingTrapsTest {
    private static final String POD = podPath(1);
    private static final String API = containerPath(1, 1);
    private static final String LOG = containerPath(1, 2);
    private static final double EXACT = 1e-9;

    @TempDir
    Path directory;

    private SampledNode node;
    private final long[] pod = new long[3];
    private final long[] api = new long[3];
    private long apiStalled;
    private boolean hasLocal = true;

    /** A pod with one container, both held to 20 ms of every 100. */
    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
        node.files.cgroup(API);
        node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
        quota(POD, "20000 100000");
        quota(API, "20000 100000");
        write();
        node.sample(model -> model); // a scrape
    }

    private void quota(String cgroup, String cpuMax) {
        node.files.write(cgroup, "cpu.max", cpuMax + "\n");
    }

    private void write() {
        stat(POD, pod);
        stat(API, api);
        if (hasLocal) {
            node.files.write(API, "cpu.stat.local", "throttled_usec " + apiStalled + "\n");
        }
    }

    private void stat(String cgroup, long[] counts) {
        node.files.write(
                cgroup,
                "cpu.stat",
                "usage_usec 1\nuser_usec 1\nsystem_usec 0\nnr_periods " + counts[0] + "\nnr_throttled " + counts[1]
                        + "\nthrottled_usec " + counts[2] + "\nnr_bursts 0\nburst_usec 0\n");
    }

    /** A second in which the container's counters rise by so much. */
    private void second(long periods, long throttled, long micros, long stalledMicros) {
        add(api, periods, throttled, micros);
        apiStalled += stalledMicros;
        write();
        node.tick();
    }

    private static void add(long[] counts, long periods, long throttled, long micros) {
        counts[0] += periods;
        counts[1] += throttled;
        counts[2] += micros;
    }

    private ContainerState api() {
        return Objects.requireNonNull(node.shown().get("shop/shop-0/api"));
    }

    private ThrottleWindow apisWindow() {
        return api().throttle();
    }

    private PodState pod() {
        return node.sample(model -> model.shownPods().get(0));
    }

    /** Six bursts at two a second count twelve periods, half of them idle; when it idles nothing is counted. */
    @Test
    void trap1PeriodsAreCountedWhileItWantsCpuOnly() {
        second(2, 1, 30_000, 30_000);
        assertEquals(Double.NaN, apisWindow().ratio(), "two periods tell nothing of a minute");
        assertEquals(Double.NaN, apisWindow().worst(), "nor of a second");
        for (int i = 0; i < 5; i++) {
            second(2, 1, 30_000, 30_000);
        }
        assertEquals(0.5, apisWindow().ratio(), EXACT, "of the periods that were counted");
        for (int i = 0; i < 60; i++) {
            second(0, 0, 0, 0);
        }
        assertEquals(Double.NaN, apisWindow().ratio(), "an idle minute has no ratio, and above all not 0");
    }

    /** A throttle that ends within its period is in the time and not in the count. */
    @Test
    void trap2TimeWithoutThrottledPeriods() {
        second(10, 0, 40_000, 40_000);
        assertEquals(0, apisWindow().ratio(), EXACT);
        assertEquals(Double.NaN, apisWindow().waitMicros(), "there was no stop to divide by");
        assertEquals(40_000, api().stalledMicros());
    }

    /** Two threads at 10 ms: 3.10 s of wall time, 5.83 s throttled. */
    @Test
    void trap3TimeIsASumOverCpusAndNoShareOfWallTime() {
        second(10, 10, 1_880_000, 1_880_000);
        second(10, 10, 1_880_000, 1_880_000);
        second(11, 11, 2_070_000, 2_070_000);
        assertEquals(1, apisWindow().ratio(), EXACT);
        assertEquals(5_830_000 / 31.0, apisWindow().waitMicros(), EXACT);
    }

    /** A quota of 1 ms in a second: nothing for 2.5 s, then 2.96 s at once. */
    @Test
    void trap4TimeIsBookedWhenItRunsAgain() {
        quota(API, "1000 1000000");
        node.sample(model -> model);
        for (int i = 0; i < 10; i++) {
            second(1, 1, 0, 0);
            second(1, 1, 0, 0);
            second(1, 1, 2_960_000, 2_960_000);
            assertEquals(1, apisWindow().worst(), EXACT);
        }
        assertEquals(1, apisWindow().ratio(), EXACT);
        assertEquals(2_960_000 / 3.0, apisWindow().waitMicros(), EXACT);
    }

    @Test
    void trap5ThePodDoesNotAddUpItsContainers() {
        quota(POD, "max 100000");
        for (int i = 0; i < 3; i++) {
            second(10, 9, 700_000, 700_000);
        }
        assertEquals(0.9, apisWindow().ratio(), EXACT);
        assertEquals(Double.NaN, pod().throttle().ratio());
        assertEquals(0, pod().throttle().histogram().count());
    }

    /** The container's own count stood at 20 while 3.58 s went by in which its pod's quota held it. */
    @Test
    void trap6AQuotaOfThePodIsNotInTheContainersCounters() {
        quota(API, "max 100000");
        for (int i = 0; i < 3; i++) {
            add(pod, 10, 7, 1_190_000);
            second(0, 0, 0, 1_193_000);
        }
        assertEquals(Double.NaN, apisWindow().ratio(), "it has no periods of its own");
        assertEquals(3_579_000, api().stalledMicros());
        assertEquals(0.7, pod().throttle().ratio(), EXACT);
        assertEquals(3_579_000 / 21.0, apisWindow().waitMicros(), EXACT, "as often as the pod was stopped");
        assertEquals(0.2, api().effectiveCpuLimit(), EXACT);
    }

    @Test
    void trap7BeforeLinux66TheKernelDoesNotTellWhoWasHeld() {
        withoutLocal();
        for (int i = 0; i < 3; i++) {
            add(pod, 10, 10, 790_000);
            second(10, 10, 800_000, 0);
        }
        assertEquals(2_400_000, api().stalledMicros());
    }

    private void withoutLocal() {
        hasLocal = false;
        node.files.remove(API + "/cpu.stat.local");
        anotherAgent();
    }

    private void anotherAgent() {
        node = new SampledNode(directory);
        node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
        node.sample(model -> model);
    }

    /** 6.12, five seconds, one busy thread: 50 stops, of which the container books 0.74 s and the pod 3.97 s. */
    @Test
    void trap8WithEqualQuotasEitherLevelMayBookTheTime() {
        for (int i = 0; i < 5; i++) {
            add(pod, 10, 10, 794_000);
            second(10, 10, 148_000, 796_000);
        }
        assertEquals(1, apisWindow().ratio(), EXACT);
        assertEquals(3_980_000, api().stalledMicros());
        assertEquals(79_600, apisWindow().waitMicros(), EXACT, "and not 14,800 by the container's own counter");
    }

    /** 6.1, four threads: the container books 6.9 s, the pod 9.0 s. */
    @Test
    void trap8BeforeLinux66TheLargerIsTakenAndNeverTheSum() {
        withoutLocal();
        for (int i = 0; i < 5; i++) {
            add(pod, 10, 10, 1_800_000);
            second(10, 10, 1_380_000, 0);
        }
        assertEquals(9_000_000, api().stalledMicros());
        assertEquals(180_000, apisWindow().waitMicros(), EXACT);
    }

    /** What the pod was held for before the container was there is not the container's. */
    @Test
    void trap8BeforeLinux66AContainerThatIsNewHasNotWaitedForItsPredecessor() {
        withoutLocal();
        add(pod, 1_000, 1_000, 90_000_000);
        add(api, 1_000, 1_000, 80_000_000);
        write();
        for (int i = 0; i < 4; i++) {
            node.tick();
        }
        node.files.cgroup(LOG);
        quota(LOG, "20000 100000");
        stat(LOG, new long[] {0, 0, 0});
        for (int i = 0; i < 4; i++) {
            node.tick();
        }
        assertEquals(
                0, Objects.requireNonNull(node.shown().get("shop/shop-0/log")).stalledMicros());
        stat(LOG, new long[] {10, 10, 300_000});
        add(pod, 10, 10, 700_000);
        second(10, 10, 0, 0);
        assertEquals(
                700_000,
                Objects.requireNonNull(node.shown().get("shop/shop-0/log")).stalledMicros());
    }

    /** Of 53 periods the container ended 7 throttled, with 0.46 s, and its pod 50; it waited 4.2 s. */
    @Test
    void trap9APodsQuotaBelowTheSumOfItsContainers() {
        for (int i = 0; i < 5; i++) {
            add(pod, 10, 10, 780_000);
            second(i < 3 ? 11 : 10, i < 2 ? 2 : 1, 92_000, 840_000);
        }
        assertEquals(7 / 53.0, apisWindow().ratio(), EXACT);
        assertEquals(4_200_000, api().stalledMicros());
        assertEquals(84_000, apisWindow().waitMicros(), EXACT, "50 stops, and not 7");
    }

    /** Its pod was stopped ten times while it had nothing to run, and once while it had. */
    @Test
    void trap9AStopOfThePodThatHeldAnotherIsNone() {
        add(pod, 10, 10, 800_000);
        second(10, 0, 0, 0);
        add(pod, 10, 1, 80_000);
        second(10, 0, 0, 80_000);
        assertEquals(80_000, apisWindow().waitMicros(), EXACT);
    }

    /** Inner and outer counted 50 and 50: one limit, 50 stops. */
    @Test
    void trap10CrunsTwoLevelsAreOneLimit() {
        String inner = API + "/container";
        node.files.cgroup(inner);
        quota(inner, "20000 100000");
        stat(inner, new long[] {0, 0, 0});
        node.files.write(inner, "cpu.stat.local", "throttled_usec 0\n");
        node.sample(model -> model);
        node.tick();
        for (int i = 1; i <= 5; i++) {
            stat(inner, new long[] {10L * i, 10L * i, 790_000L * i});
            node.files.write(inner, "cpu.stat.local", "throttled_usec " + 800_000L * i + "\n");
            second(10, 10, 10_000, 20_000);
        }
        assertEquals(50, api().throttling(CpuStat.NR_THROTTLED));
        assertEquals(50, apisWindow().histogram().sum() * 10, EXACT);
        assertEquals(80_000, apisWindow().waitMicros(), EXACT);
    }

    /** A task stops when it returns to user mode: it may have used more than the quota, and is shown as it is. */
    @Test
    void trap11UsageAboveTheLimitIsNotCutOff() {
        node.files.write(
                API,
                "cpu.stat",
                "usage_usec 990000\nuser_usec 1\nsystem_usec 989999\nnr_periods 10\nnr_throttled 1\nthrottled_usec 5\n");
        node.tick();
        assertEquals(990_000, api().cgroup().sample().cpuStat(CpuStat.USAGE_USEC));
        assertEquals(0.1, apisWindow().ratio(), EXACT);
    }

    /** systemd may switch the controller off and on at a reload. */
    @Test
    void trap12CountersThatBeginAnewAreNoSpike() {
        for (int i = 0; i < 5; i++) {
            second(10, 2, 100_000, 100_000);
        }
        double[] before = {
            apisWindow().ratio(), apisWindow().worst(), apisWindow().waitMicros()
        };
        api[0] = 3;
        api[1] = 1;
        api[2] = 7;
        apiStalled = 7;
        second(0, 0, 0, 0);
        assertArrayEquals(
                before,
                new double[] {
                    apisWindow().ratio(), apisWindow().worst(), apisWindow().waitMicros()
                },
                EXACT);
        assertEquals(500_007, api().stalledMicros(), "which never falls");
        second(10, 2, 100_000, 100_000);
        assertEquals(0.2, apisWindow().ratio(), EXACT);
    }

    /** nr_periods is an int: after seven years of 100 ms periods it is negative. */
    @Test
    void countersThatWrapAreNoSpike() {
        long[] wraps = {Integer.MAX_VALUE - 15L, 100, 0};
        System.arraycopy(wraps, 0, api, 0, 3);
        write();
        anotherAgent();
        second(10, 2, 0, 0);
        api[0] = Integer.MIN_VALUE + 4L;
        second(0, 2, 0, 0);
        second(10, 2, 0, 0);
        assertEquals(0.2, apisWindow().ratio(), EXACT);
        assertEquals(0.2, apisWindow().worst(), EXACT);
    }

    /** Another instance of the container is another cgroup, whose counters begin at 0. */
    @Test
    void aNewInstanceBeginsAnew() {
        for (int i = 0; i < 3; i++) {
            second(10, 9, 700_000, 700_000);
        }
        node.files.remove(API);
        node.files.cgroup(LOG);
        quota(LOG, "20000 100000");
        stat(LOG, new long[] {1_000, 1_000, 1_000});
        node.name(uid(1), "shop-0", Map.of(id(2), "api"));
        node.tick();
        assertEquals(Double.NaN, api().throttle().ratio());
        assertEquals(0, api().throttle().histogram().count());
    }

    @Test
    void aQuotaThatIsTakenAwayAndGivenBack() {
        for (int i = 0; i < 3; i++) {
            second(10, 5, 250_000, 250_000);
        }
        quota(API, "max 100000");
        quota(POD, "max 100000");
        second(0, 0, 0, 0);
        assertEquals(Value.ABSENT, api().stalledMicros());
        quota(API, "20000 100000");
        second(10, 5, 250_000, 250_000);
        assertEquals(0.5, apisWindow().ratio(), EXACT);
        assertTrue(api().stalledMicros() >= 1_000_000);
    }
}
