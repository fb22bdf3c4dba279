package io.kubepods.cgroup;

/**
 * The keys of cpu.stat, in the order of Linux 6.12 (Documentation/admin-guide/cgroup-v2.rst, "CPU Interface Files").
 * Times are in microseconds.
 *
 * <pre>
 * usage_usec 412451
 * user_usec 397315
 * </pre>
 *
 * <p>The first four are there in every cgroup and include its descendants, also those removed. The others are there only
 * with the cpu controller, and are this cgroup's own: a container's throttling does not appear in its pod's file.
 */
public enum CpuStat {
    USAGE_USEC,
    USER_USEC,
    SYSTEM_USEC,
    /** Since 6.12; distributions have it earlier. */
    NICE_USEC,
    /** Periods in which the cgroup wanted CPU. A C int printed with %d: it wraps to negative after 2^31. */
    NR_PERIODS,
    /** Periods at whose end some CPU's run queue of this cgroup was throttled. A C int, as above. */
    NR_THROTTLED,
    /** Summed over CPUs, added when a throttled queue runs again. */
    THROTTLED_USEC,
    /** Since 5.16. A C int, as above. */
    NR_BURSTS,
    /** Since 5.16. */
    BURST_USEC;

    static final FlatKeyed.Keys<CpuStat> KEYS = new FlatKeyed.Keys<>(CpuStat.class);
}
