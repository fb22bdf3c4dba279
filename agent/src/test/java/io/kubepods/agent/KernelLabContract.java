package io.kubepods.agent;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The series that an agent owes for the guest's files, and their values: the contract written a second time, from the kernel's
 * files alone, by nothing that the agent is made of. Every family of containers, pods and slices that is not here is one
 * too many.
 */
final class KernelLabContract {
    private static final List<String> EVENTS = List.of("low", "high", "max", "oom", "oom_kill", "oom_group_kill");
    private static final List<String> CAUSES =
            List.of("container_limit", "pod_limit", "qos_limit", "node_allocatable", "node", "unknown");
    private static final List<String> STAT_BYTES = List.of(
            "anon",
            "file",
            "kernel",
            "kernel_stack",
            "pagetables",
            "sec_pagetables",
            "percpu",
            "sock",
            "vmalloc",
            "shmem",
            "zswap",
            "zswapped",
            "file_mapped",
            "file_dirty",
            "file_writeback",
            "swapcached",
            "anon_thp",
            "file_thp",
            "shmem_thp",
            "inactive_anon",
            "active_anon",
            "inactive_file",
            "active_file",
            "unevictable",
            "slab_reclaimable",
            "slab_unreclaimable",
            "hugetlb");

    private final KernelLabDump dump;
    private final Map<String, Double> series = new TreeMap<>();

    private KernelLabContract(KernelLabDump dump) {
        this.dump = dump;
    }

    /** Values by series, as {@link KernelLabExposition#values()} has them. */
    static Map<String, Double> of(KernelLabDump dump, List<KernelLabCgroup> cgroups) {
        KernelLabContract contract = new KernelLabContract(dump);
        for (KernelLabCgroup cgroup : cgroups) {
            switch (cgroup.role()) {
                case "container" -> contract.container(cgroup);
                case "pod" -> contract.pod(cgroup, cgroups);
                default -> contract.slice(cgroup);
            }
        }
        return contract.series;
    }

    private void container(KernelLabCgroup c) {
        ooms(c, "oom_", kills(c));
        cpu(c);
        cpuOfPath(c);
        memory(c);
        pressure(c);
        if (dump.cores(c.file("cpu.max")).isPresent()) {
            put(c, "cpu_burst_limit_seconds", seconds(dump.value(c.file("cpu.max.burst"))));
        }
        put(c, "memory_peak_bytes", dump.value(c.file("memory.peak")));
        put(c, "memory_high_bytes", dump.value(c.file("memory.high")));
        put(c, "memory_low_bytes", dump.value(c.file("memory.low")));
        put(c, "memory_min_bytes", dump.value(c.file("memory.min")));
        put(c, "memory_oom_group", dump.value(c.file("memory.oom.group")));
        put(c, "swap_usage_bytes", dump.value(c.file("memory.swap.current")));
        put(c, "swap_limit_bytes", dump.value(c.file("memory.swap.max")));
        for (String event : List.of("high", "max", "fail")) {
            put(c, "swap_events_total", "event", event, dump.value(c.file("memory.swap.events"), event));
        }
        memoryStat(c);
        put(c, "oom_score_adj", dump.value(c.process("oom_score_adj")));
        put(c, "oom_score", dump.value(c.process("oom_score")));
        put(c, "threads", dump.value(c.file("pids.current")));
        put(c, "threads_limit", dump.value(c.file("pids.max")));
    }

    private void pod(KernelLabCgroup c, List<KernelLabCgroup> all) {
        double ofContainers = all.stream()
                .filter(container ->
                        container.role().equals("container") && container.path().startsWith(c.path() + "/"))
                .mapToDouble(this::kills)
                .sum();
        ooms(c, "unattributed_oom_", kills(c) - ofContainers);
        cpu(c);
        memory(c);
        pressure(c);
    }

    private void slice(KernelLabCgroup c) {
        ooms(c, "oom_", kills(c));
        put(c, "cpu_weight", dump.value(c.file("cpu.weight")));
        put(c, "memory_usage_bytes", dump.value(c.file("memory.current")));
        put(c, "memory_limit_bytes", dump.value(c.file("memory.max")));
        events(c);
        pressure(c);
    }

    private double kills(KernelLabCgroup c) {
        return dump.value(c.file("memory.events"), "oom_kill").orElse(0);
    }

    /** The guest's kills are older than the agent, which has seen none of their OOMs. */
    private void ooms(KernelLabCgroup c, String prefix, double kills) {
        if (!dump.has(c.file("memory.events"))) {
            return;
        }
        put(c, prefix + "kills_total", OptionalDouble.of(kills));
        for (String cause : CAUSES) {
            put(c, prefix + "incidents_total", "cause", cause, OptionalDouble.of(0));
        }
    }

    private void cpu(KernelLabCgroup c) {
        String stat = c.file("cpu.stat");
        put(c, "cpu_usage_seconds_total", seconds(dump.value(stat, "usage_usec")));
        put(c, "cpu_user_seconds_total", seconds(dump.value(stat, "user_usec")));
        put(c, "cpu_system_seconds_total", seconds(dump.value(stat, "system_usec")));
        put(c, "cpu_weight", dump.value(c.file("cpu.weight")));
        if (dump.cores(c.file("cpu.max")).isPresent()) {
            put(c, "cpu_periods_total", dump.value(stat, "nr_periods"));
            put(c, "cpu_throttled_periods_total", dump.value(stat, "nr_throttled"));
            put(c, "cpu_throttled_seconds_total", seconds(dump.value(stat, "throttled_usec")));
            put(c, "cpu_bursts_total", dump.value(stat, "nr_bursts"));
            put(c, "cpu_burst_seconds_total", seconds(dump.value(stat, "burst_usec")));
            put(c, "cpu_limit_cores", dump.cores(c.file("cpu.max")));
            put(c, "cpu_limit_period_seconds", seconds(dump.period(c.file("cpu.max"))));
        }
    }

    /** What depends on the quotas of the container and of everything above it. */
    private void cpuOfPath(KernelLabCgroup c) {
        OptionalDouble least = OptionalDouble.empty();
        for (int end = c.path().length(); end > 0; end = c.path().lastIndexOf('/', end - 1)) {
            OptionalDouble cores = dump.cores(KernelLabCgroup.fileOf(c.path().substring(0, end), "cpu.max"));
            if (cores.isPresent() && cores.getAsDouble() < least.orElse(Double.MAX_VALUE)) {
                least = cores;
            }
        }
        put(c, "cpu_effective_limit_cores", least);
        if (least.isPresent()) {
            put(c, "cpu_stalled_seconds_total", seconds(stalled(c)));
        }
    }

    private OptionalDouble stalled(KernelLabCgroup c) {
        if (dump.has(c.file("cpu.stat.local"))) {
            return dump.value(c.file("cpu.stat.local"), "throttled_usec");
        }
        return OptionalDouble.of(Math.max(
                dump.value(c.file("cpu.stat"), "throttled_usec").orElseThrow(),
                dump.value(c.parentFile("cpu.stat"), "throttled_usec").orElseThrow()));
    }

    private void memory(KernelLabCgroup c) {
        double current = dump.value(c.file("memory.current")).orElseThrow();
        double inactive = dump.value(c.file("memory.stat"), "inactive_file").orElseThrow();
        put(c, "memory_usage_bytes", OptionalDouble.of(current));
        put(c, "memory_working_set_bytes", OptionalDouble.of(Math.max(0, current - inactive)));
        put(c, "memory_limit_bytes", dump.value(c.file("memory.max")));
        events(c);
    }

    private void memoryStat(KernelLabCgroup c) {
        String stat = c.file("memory.stat");
        for (String type : STAT_BYTES) {
            put(c, "memory_stat_bytes", "type", type, dump.value(stat, type));
        }
        double faults = dump.value(stat, "pgfault").orElseThrow();
        double major = dump.value(stat, "pgmajfault").orElseThrow();
        put(c, "memory_page_faults_total", "type", "minor", OptionalDouble.of(faults - major));
        put(c, "memory_page_faults_total", "type", "major", OptionalDouble.of(major));
        put(c, "memory_refaults_total", "type", "anon", dump.value(stat, "workingset_refault_anon"));
        put(c, "memory_refaults_total", "type", "file", dump.value(stat, "workingset_refault_file"));
        put(c, "memory_scanned_pages_total", dump.value(stat, "pgscan"));
    }

    private void events(KernelLabCgroup c) {
        for (String event : EVENTS) {
            put(c, "memory_events_total", "event", event, dump.value(c.file("memory.events"), event));
            put(c, "memory_local_events_total", "event", event, dump.value(c.file("memory.events.local"), event));
        }
    }

    private void pressure(KernelLabCgroup c) {
        for (String resource : List.of("cpu", "memory", "io")) {
            String file = c.file(resource + ".pressure");
            put(c, "pressure_waiting_seconds_total", "resource", resource, seconds(dump.total(file, "some")));
            put(c, "pressure_stalled_seconds_total", "resource", resource, seconds(dump.total(file, "full")));
        }
    }

    private static OptionalDouble seconds(OptionalDouble micros) {
        return micros.isEmpty() ? micros : OptionalDouble.of(micros.getAsDouble() / 1e6);
    }

    private void put(KernelLabCgroup c, String name, OptionalDouble value) {
        put(c, name, c.labels(), value);
    }

    private void put(KernelLabCgroup c, String name, String label, String labelValue, OptionalDouble value) {
        Map<String, String> labels = new TreeMap<>(c.labels());
        labels.put(label, labelValue);
        put(c, name, labels, value);
    }

    private void put(KernelLabCgroup c, String name, Map<String, String> labels, OptionalDouble value) {
        String family = "kubepods_" + c.role() + "_" + name;
        value.ifPresent(present -> series.put(KernelLabExposition.series(family, labels), present));
    }
}
