package io.kubepods.agent.metrics;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupSample;
import io.kubepods.cgroup.CpuMax;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.MemoryEvents;
import io.kubepods.model.ThrottleWindow;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongBiFunction;

/**
 * The families that containers, pods and slices have in common, under their own names.
 *
 * @param prefix of the names: {@code kubepods_pod_}
 * @param subject in the help: {@code the pod}
 * @param cgroup where the numbers that the kernel adds up over levels are
 */
record CgroupFamilies<T>(String prefix, String subject, Function<T, Cgroup> cgroup) {

    private static final List<MemoryEvents> MEMORY_EVENTS = List.of(
            MemoryEvents.LOW,
            MemoryEvents.HIGH,
            MemoryEvents.MAX,
            MemoryEvents.OOM,
            MemoryEvents.OOM_KILL,
            MemoryEvents.OOM_GROUP_KILL);

    private static final double MICROS_PER_SECOND = 1e6;

    private CgroupSample sample(T state) {
        return cgroup.apply(state).sample();
    }

    Family<T> of(String name, String help, ToDoubleFunction<T> value) {
        return Family.of(prefix + name, help.replace("SUBJECT", subject), value);
    }

    Family<T> by(String label, String name, String help) {
        return Family.by(label, prefix + name, help.replace("SUBJECT", subject));
    }

    Family<T> cpuUsage() {
        return of(
                "cpu_usage_seconds_total",
                "CPU time used by SUBJECT (cpu.stat usage_usec).",
                state -> Amount.seconds(sample(state).cpuStat(CpuStat.USAGE_USEC)));
    }

    Family<T> cpuUser() {
        return of(
                "cpu_user_seconds_total",
                "CPU time used by SUBJECT in user mode (cpu.stat user_usec).",
                state -> Amount.seconds(sample(state).cpuStat(CpuStat.USER_USEC)));
    }

    Family<T> cpuSystem() {
        return of(
                "cpu_system_seconds_total",
                "CPU time used by SUBJECT in the kernel (cpu.stat system_usec).",
                state -> Amount.seconds(sample(state).cpuStat(CpuStat.SYSTEM_USEC)));
    }

    /** What cpu.stat says of a quota: no quota, no series. */
    private ToDoubleFunction<T> throttling(
            Function<T, CpuMax> limit, ToLongBiFunction<T, CpuStat> cpuStat, CpuStat key, boolean isTime) {
        return state -> {
            if (!limit.apply(state).hasQuota()) {
                return Double.NaN;
            }
            long value = cpuStat.applyAsLong(state, key);
            return isTime ? Amount.seconds(value) : Amount.of(value);
        };
    }

    List<Family<T>> quota(Function<T, CpuMax> limit, ToLongBiFunction<T, CpuStat> cpuStat) {
        return List.of(
                of(
                        "cpu_periods_total",
                        "Periods in which SUBJECT wanted CPU while it had a quota (cpu.stat nr_periods).",
                        throttling(limit, cpuStat, CpuStat.NR_PERIODS, false)),
                of(
                        "cpu_throttled_periods_total",
                        "Periods that ended with SUBJECT throttled by its own quota (cpu.stat nr_throttled).",
                        throttling(limit, cpuStat, CpuStat.NR_THROTTLED, false)),
                of(
                        "cpu_throttled_seconds_total",
                        "Time SUBJECT was throttled by its own quota, summed over CPUs, added when it runs again"
                                + " (cpu.stat throttled_usec).",
                        throttling(limit, cpuStat, CpuStat.THROTTLED_USEC, true)),
                of(
                        "cpu_bursts_total",
                        "Periods in which SUBJECT used CPU time saved up from earlier ones (cpu.stat nr_bursts).",
                        throttling(limit, cpuStat, CpuStat.NR_BURSTS, false)),
                of(
                        "cpu_burst_seconds_total",
                        "CPU time SUBJECT used beyond its quota from what it had saved up (cpu.stat burst_usec).",
                        throttling(limit, cpuStat, CpuStat.BURST_USEC, true)),
                of(
                        "cpu_limit_cores",
                        "CPU limit of SUBJECT, quota by period (cpu.max).",
                        state -> limit.apply(state).cores()),
                of(
                        "cpu_limit_period_seconds",
                        "Period of the CPU limit of SUBJECT (cpu.max).",
                        state -> limit.apply(state).hasQuota()
                                ? Amount.seconds(limit.apply(state).periodMicros())
                                : Double.NaN));
    }

    /**
     * What the last minute was like.
     *
     * @param limit without which there is nothing to tell of periods
     * @param anyLimit of the subject or of anything above it, without which nothing could hold it
     */
    List<Family<T>> throttle(
            Function<T, CpuMax> limit, ToDoubleFunction<T> anyLimit, Function<T, ThrottleWindow> window) {
        return List.of(
                of(
                        "cpu_throttle_ratio",
                        "Of the last minute's periods in which SUBJECT wanted CPU, the share that ended with it throttled by"
                                + " its own quota; absent when there were fewer than 10.",
                        state -> limit.apply(state).hasQuota()
                                ? window.apply(state).ratio()
                                : Double.NaN),
                of(
                        "cpu_throttle_ratio_max",
                        "The same of the worst tick (one second by default) of the last minute; ticks in which less than three"
                                + " tenths of the periods ran are left out.",
                        state -> limit.apply(state).hasQuota()
                                ? window.apply(state).worst()
                                : Double.NaN),
                of(
                        "cpu_throttle_wait_seconds",
                        "How long a stop lasted on average in the last minute, by SUBJECT's own or any ancestor's quota, summed"
                                + " over CPUs; absent when there was none.",
                        state -> Double.isNaN(anyLimit.applyAsDouble(state))
                                ? Double.NaN
                                : window.apply(state).waitMicros() / MICROS_PER_SECOND),
                Family.histogram(
                        prefix + "cpu_throttle_tick_ratio",
                        ("Ticks by the share of their periods that ended with SUBJECT throttled by its own quota; every tick in"
                                        + " which three tenths of the periods ran.")
                                .replace("SUBJECT", subject),
                        state -> limit.apply(state).hasQuota()
                                ? window.apply(state).histogram()
                                : null));
    }

    Family<T> cpuWeight(ToDoubleFunction<T> weight) {
        return of(
                "cpu_weight",
                "Share of CPU time of SUBJECT against its siblings when CPUs are busy, 1 to 10000 (cpu.weight).",
                weight);
    }

    Family<T> pressureWaiting() {
        return pressure(
                "pressure_waiting_seconds_total",
                "Time in which at least one task of SUBJECT waited for the resource (*.pressure some).",
                false);
    }

    Family<T> pressureStalled() {
        return pressure(
                "pressure_stalled_seconds_total",
                "Time in which all tasks of SUBJECT waited for the resource at once (*.pressure full).",
                true);
    }

    private Family<T> pressure(String name, String help, boolean full) {
        Family<T> family = by("resource", name, help);
        for (CgroupFile file : List.of(CgroupFile.CPU_PRESSURE, CgroupFile.MEMORY_PRESSURE, CgroupFile.IO_PRESSURE)) {
            String resource = file.fileName().substring(0, file.fileName().indexOf('.'));
            family = family.with(
                    resource,
                    full
                            ? state ->
                                    Amount.seconds(sample(state).pressure(file).fullMicros())
                            : state ->
                                    Amount.seconds(sample(state).pressure(file).someMicros()));
        }
        return family;
    }

    Family<T> memoryUsage() {
        return of(
                "memory_usage_bytes",
                "Memory charged to SUBJECT: page cache, tmpfs and kernel memory too (memory.current).",
                state -> Amount.of(sample(state).single(CgroupFile.MEMORY_CURRENT)));
    }

    Family<T> memoryWorkingSet() {
        return of(
                "memory_working_set_bytes",
                "memory.current of SUBJECT less inactive_file of memory.stat, as the kubelet computes it for eviction.",
                state -> Amount.of(sample(state).workingSet()));
    }

    Family<T> memoryLimit(ToDoubleFunction<T> limit) {
        return of("memory_limit_bytes", "Memory limit of SUBJECT (memory.max).", limit);
    }

    Family<T> memoryEvents() {
        return events(
                "memory_events_total",
                "Memory events of SUBJECT and all below, the removed too: max counts attempts to reclaim at a limit, oom"
                        + " a limit hit without success, oom_kill processes killed (memory.events).",
                (state, key) -> sample(state).memoryEvents(key));
    }

    Family<T> localEvents(ToLongBiFunction<T, MemoryEvents> events) {
        return events(
                "memory_local_events_total",
                "Memory events at the own limits of SUBJECT; oom_kill counts where the victim was"
                        + " (memory.events.local).",
                events);
    }

    private Family<T> events(String name, String help, ToLongBiFunction<T, MemoryEvents> events) {
        Family<T> family = by("event", name, help);
        for (MemoryEvents key : MEMORY_EVENTS) {
            family = family.with(
                    key.name().toLowerCase(Locale.ROOT), state -> Amount.of(events.applyAsLong(state, key)));
        }
        return family;
    }
}
