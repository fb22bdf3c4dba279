package io.kubepods.cgroup;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuStatTest extends FlatKeyedLies<CpuStat> {
    CpuStatTest() {
        super(CpuStat.class, CpuStat.KEYS);
    }

    @Test
    void linux510() {
        gives(
                """
                usage_usec 73899
                user_usec 27213
                system_usec 46685
                nr_periods 7
                nr_throttled 3
                throttled_usec 139381
                """,
                Map.of(
                        CpuStat.USAGE_USEC, 73_899L,
                        CpuStat.USER_USEC, 27_213L,
                        CpuStat.SYSTEM_USEC, 46_685L,
                        CpuStat.NR_PERIODS, 7L,
                        CpuStat.NR_THROTTLED, 3L,
                        CpuStat.THROTTLED_USEC, 139_381L));
    }

    @Test
    void linux612HasNiceInTheMiddle() {
        gives(
                """
                usage_usec 412451
                user_usec 397315
                system_usec 15135
                nice_usec 0
                nr_periods 21
                nr_throttled 20
                throttled_usec 1589570
                nr_bursts 0
                burst_usec 0
                """,
                Map.of(
                        CpuStat.USAGE_USEC, 412_451L,
                        CpuStat.USER_USEC, 397_315L,
                        CpuStat.SYSTEM_USEC, 15_135L,
                        CpuStat.NICE_USEC, 0L,
                        CpuStat.NR_PERIODS, 21L,
                        CpuStat.NR_THROTTLED, 20L,
                        CpuStat.THROTTLED_USEC, 1_589_570L,
                        CpuStat.NR_BURSTS, 0L,
                        CpuStat.BURST_USEC, 0L));
    }

    @Test
    void withoutTheControllerThrottlingIsUnknown() {
        gives(
                "usage_usec 1163144\nuser_usec 1107348\nsystem_usec 55796\nnice_usec 0\n",
                Map.of(
                        CpuStat.USAGE_USEC, 1_163_144L,
                        CpuStat.USER_USEC, 1_107_348L,
                        CpuStat.SYSTEM_USEC, 55_796L,
                        CpuStat.NICE_USEC, 0L));
    }

    @Test
    void withCoreScheduling() {
        gives(
                "usage_usec 5\ncore_sched.force_idle_usec 9\nnr_periods 1\n",
                Map.of(CpuStat.USAGE_USEC, 5L, CpuStat.NR_PERIODS, 1L));
    }

    @Test
    void countsOfPeriodsWrapToNegative() {
        gives(
                "nr_periods -2147483640\nnr_throttled 2147483646\n",
                Map.of(CpuStat.NR_PERIODS, -2_147_483_640L, CpuStat.NR_THROTTLED, 2_147_483_646L));
    }
}
