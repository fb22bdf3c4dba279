package io.kubepods.agent.metrics;

import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.InitProcess;
import io.kubepods.cgroup.MemoryStat;
import io.kubepods.cgroup.SwapEvents;
import io.kubepods.cgroup.Value;
import io.kubepods.model.ContainerState;
import io.kubepods.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What is told of a container.
 *
 * <pre>
 * kubepods_container_cpu_throttled_periods_total{container="api",namespace="shop",pod="order-api-0"} 541
 * kubepods_container_memory_stat_bytes{container="api",namespace="shop",pod="order-api-0",type="anon"} 33325056
 * </pre>
 */
final class ContainerFamilies {
    /** What fills memory: every key of memory.stat that is an amount of bytes, without the sum of the two slabs. */
    private static final List<MemoryStat> AMOUNTS = List.of(
            MemoryStat.ANON,
            MemoryStat.FILE,
            MemoryStat.KERNEL,
            MemoryStat.KERNEL_STACK,
            MemoryStat.PAGETABLES,
            MemoryStat.SEC_PAGETABLES,
            MemoryStat.PERCPU,
            MemoryStat.SOCK,
            MemoryStat.VMALLOC,
            MemoryStat.SHMEM,
            MemoryStat.ZSWAP,
            MemoryStat.ZSWAPPED,
            MemoryStat.FILE_MAPPED,
            MemoryStat.FILE_DIRTY,
            MemoryStat.FILE_WRITEBACK,
            MemoryStat.SWAPCACHED,
            MemoryStat.ANON_THP,
            MemoryStat.FILE_THP,
            MemoryStat.SHMEM_THP,
            MemoryStat.INACTIVE_ANON,
            MemoryStat.ACTIVE_ANON,
            MemoryStat.INACTIVE_FILE,
            MemoryStat.ACTIVE_FILE,
            MemoryStat.UNEVICTABLE,
            MemoryStat.SLAB_RECLAIMABLE,
            MemoryStat.SLAB_UNRECLAIMABLE,
            MemoryStat.HUGETLB);

    private static final CgroupFamilies<ContainerState> OWN =
            new CgroupFamilies<>("kubepods_container_", "the container", ContainerState::cgroup);

    static final List<Family<ContainerState>> ALL = all();

    private ContainerFamilies() {}

    private static List<Family<ContainerState>> all() {
        List<Family<ContainerState>> families = new ArrayList<>();
        cpu(families);
        memory(families);
        processes(families);
        status(families);
        return List.copyOf(families);
    }

    private static void cpu(List<Family<ContainerState>> families) {
        families.add(OWN.cpuUsage());
        families.add(OWN.cpuUser());
        families.add(OWN.cpuSystem());
        families.addAll(OWN.quota(ContainerState::cpuMax, ContainerState::throttling));
        families.addAll(
                OWN.throttle(ContainerState::cpuMax, ContainerState::effectiveCpuLimit, ContainerState::throttle));
        families.add(OWN.of(
                "cpu_burst_limit_seconds",
                "CPU time the container may save up from period to period (cpu.max.burst).",
                container -> container.cpuMax().hasQuota() ? Amount.seconds(container.cpuBurst()) : Double.NaN));
        families.add(OWN.of(
                "cpu_stalled_seconds_total",
                "Time the container had something to run while its own or any ancestor's quota held it, summed over CPUs"
                        + " (cpu.stat.local; before Linux 6.6 the larger throttled time of the container and of a pod that has a"
                        + " quota; of the pod's, a container that was made while this agent ran has what came after it).",
                container -> Amount.seconds(container.stalledMicros())));
        families.add(OWN.of(
                "cpu_effective_limit_cores",
                "The least CPU limit of the container and all cgroups above it (cpu.max).",
                ContainerState::effectiveCpuLimit));
        families.add(
                OWN.cpuWeight(container -> Amount.of(container.cgroup().sample().single(CgroupFile.CPU_WEIGHT))));
        families.add(OWN.pressureWaiting());
        families.add(OWN.pressureStalled());
    }

    private static void memory(List<Family<ContainerState>> families) {
        families.add(OWN.memoryUsage());
        families.add(OWN.memoryWorkingSet());
        families.add(OWN.of(
                "memory_peak_bytes",
                "The most memory that was charged to the container at once (memory.peak).",
                container -> Amount.of(container.cgroup().sample().single(CgroupFile.MEMORY_PEAK))));
        families.add(OWN.memoryLimit(container -> Amount.limit(container.limit(CgroupFile.MEMORY_MAX))));
        families.add(OWN.of(
                "memory_high_bytes",
                "Memory above which the container is slowed and reclaimed from (memory.high).",
                container -> Amount.limit(container.limit(CgroupFile.MEMORY_HIGH))));
        families.add(single(
                "memory_low_bytes",
                "Memory protected from reclaim while there is other to take" + " (memory.low).",
                CgroupFile.MEMORY_LOW));
        families.add(single(
                "memory_min_bytes", "Memory never reclaimed from the container (memory.min).", CgroupFile.MEMORY_MIN));
        families.add(OWN.of(
                "memory_oom_group",
                "1 when the kernel's OOM killer takes all processes of the container together (memory.oom.group).",
                container -> Amount.of(container.oomGroup())));
        families.add(single(
                "swap_usage_bytes",
                "Swap used by the container (memory.swap.current).",
                CgroupFile.MEMORY_SWAP_CURRENT));
        families.add(OWN.of(
                "swap_limit_bytes",
                "Swap limit of the container (memory.swap.max).",
                container -> Amount.limit(container.limit(CgroupFile.MEMORY_SWAP_MAX))));
        families.add(swapEvents());
        families.add(memoryStat());
        families.add(OWN.by(
                        "type",
                        "memory_page_faults_total",
                        "Page faults of the container; a major one had to read"
                                + " from disk (memory.stat pgfault, pgmajfault).")
                .with("minor", container -> minorFaults(container))
                .with("major", container -> stat(container, MemoryStat.PGMAJFAULT)));
        families.add(OWN.by(
                        "type",
                        "memory_refaults_total",
                        "Pages that were read again soon after they had been"
                                + " reclaimed from the container (memory.stat workingset_refault_*).")
                .with("anon", container -> stat(container, MemoryStat.WORKINGSET_REFAULT_ANON))
                .with("file", container -> fileRefaults(container)));
        families.add(OWN.of(
                "memory_scanned_pages_total",
                "Pages looked at in search of some to reclaim from the" + " container (memory.stat pgscan).",
                container -> stat(container, MemoryStat.PGSCAN)));
        families.add(OWN.memoryEvents());
        families.add(OWN.localEvents(ContainerState::localEvents));
    }

    private static void processes(List<Family<ContainerState>> families) {
        families.add(OWN.of(
                "oom_score_adj",
                "What the OOM score of the container's first process is raised by, -1000 to"
                        + " 1000 (/proc/PID/oom_score_adj).",
                container -> ofInit(container, InitProcess::oomScoreAdj)));
        families.add(OWN.of(
                "oom_score",
                "OOM score of the container's first process; the kernel kills the highest first"
                        + " (/proc/PID/oom_score).",
                container -> ofInit(container, InitProcess::oomScore)));
        families.add(single(
                "threads", "Threads of all processes in the container (pids.current).", CgroupFile.PIDS_CURRENT));
        families.add(OWN.of(
                "threads_limit",
                "The most threads the container may have (pids.max).",
                container -> Amount.limit(container.limit(CgroupFile.PIDS_MAX))));
    }

    /** What the API says. */
    private static void status(List<Family<ContainerState>> families) {
        families.add(Family.<ContainerState>info(
                        "kubepods_container_info",
                        "1, with the container's id, and its image and runtime as the pod's status names them.",
                        ContainerState::isNamed)
                .text("container_id", ContainerState::id)
                .text("image", container -> text(container, Pod.Container::image))
                .text("image_id", container -> text(container, Pod.Container::imageId))
                .text("runtime", container -> text(container, Pod.Container::runtime)));
        families.add(OWN.of(
                "start_time_seconds",
                "When the container was started, in seconds since 1970 (status.state of the pod's status).",
                ContainerFamilies::startTime));
    }

    private static String text(ContainerState container, Function<Pod.Container, String> of) {
        Pod.Container named = container.container();
        return named == null ? "" : of.apply(named);
    }

    private static double startTime(ContainerState container) {
        Pod.Container named = container.container();
        Instant startedAt = named == null ? null : named.startedAt();
        return startedAt == null ? Double.NaN : startedAt.getEpochSecond();
    }

    private static Family<ContainerState> single(String name, String help, CgroupFile file) {
        return OWN.of(
                name,
                help,
                container -> Amount.limit(container.cgroup().sample().single(file)));
    }

    private static Family<ContainerState> swapEvents() {
        Family<ContainerState> family = OWN.by(
                "event",
                "swap_events_total",
                "Swap events of the container: max counts"
                        + " allocations that met its limit, fail those that failed (memory.swap.events).");
        for (SwapEvents key : SwapEvents.values()) {
            family = family.with(
                    key.name().toLowerCase(Locale.ROOT),
                    container -> Amount.of(container.cgroup().sample().swapEvents(key)));
        }
        return family;
    }

    private static Family<ContainerState> memoryStat() {
        Family<ContainerState> family =
                OWN.by("type", "memory_stat_bytes", "What the container's memory is used for (memory.stat).");
        for (MemoryStat key : AMOUNTS) {
            family = family.with(key.name().toLowerCase(Locale.ROOT), container -> stat(container, key));
        }
        return family;
    }

    private static double stat(ContainerState container, MemoryStat key) {
        return Amount.of(container.cgroup().sample().memoryStat(key));
    }

    private static double minorFaults(ContainerState container) {
        return Math.max(0, stat(container, MemoryStat.PGFAULT) - stat(container, MemoryStat.PGMAJFAULT));
    }

    /** Linux 5.8 counted file pages only, under the name without a suffix. */
    private static double fileRefaults(ContainerState container) {
        double file = stat(container, MemoryStat.WORKINGSET_REFAULT_FILE);
        return Double.isNaN(file) ? stat(container, MemoryStat.WORKINGSET_REFAULT) : file;
    }

    private static double ofInit(ContainerState container, ToLongFunction<InitProcess> value) {
        InitProcess init = container.init();
        return Amount.signed(init == null ? Value.ABSENT : value.applyAsLong(init));
    }
}
