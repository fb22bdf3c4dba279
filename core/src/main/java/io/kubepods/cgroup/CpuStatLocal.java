package io.kubepods.cgroup;

/**
 * The key of cpu.stat.local (kernel/sched/core.c, cpu_local_stat_show; since Linux 6.6).
 *
 * <pre>
 * throttled_usec 3980112
 * </pre>
 */
public enum CpuStatLocal {
    /** Microseconds in which this cgroup had something to run while it or any ancestor was throttled; summed over CPUs. */
    THROTTLED_USEC;

    static final FlatKeyed.Keys<CpuStatLocal> KEYS = new FlatKeyed.Keys<>(CpuStatLocal.class);
}
