package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupEvents;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CpuMax;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.CpuStatLocal;
import io.kubepods.cgroup.InitProcess;
import io.kubepods.cgroup.MemoryEvents;
import io.kubepods.cgroup.Value;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One container that is there: its cgroup, its first process, and its name. A restarted container is another object.
 *
 * <p>crun puts a second cgroup into the scope, with the same limits and all the processes. The two are one container and one
 * limit: what the kernel books to a level of its own (quota, throttling) is taken from the one with the smaller quota, of two
 * equal ones the deeper; what it adds up, and what counts against other containers, from the scope.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class ContainerState {
    private final PodState pod;
    private final Cgroup cgroup;
    private final String id;

    @Nullable
    Cgroup inner;

    @Nullable
    InitProcess init;

    private final ThrottleWindow throttle = new ThrottleWindow();
    private final StalledTime stalled = new StalledTime();
    private @Nullable Cgroup throttledLevel;
    private @Nullable Cgroup stalledLevel;
    private boolean podIsOlder;

    /** So often its limits were looked at when it was new. */
    int looks;

    private Pod.@Nullable Container container;
    private boolean sandbox;
    private boolean preceded;

    ContainerState(PodState pod, Cgroup cgroup) {
        this.pod = pod;
        this.cgroup = cgroup;
        id = Objects.requireNonNull(cgroup.name().containerId());
    }

    public PodState pod() {
        return pod;
    }

    public Cgroup cgroup() {
        return cgroup;
    }

    /** 64 hex digits. */
    public String id() {
        return id;
    }

    /** Its name in the pod's spec, or the first 12 digits of its id while the API has not named it. */
    public String name() {
        return container == null ? id.substring(0, 12) : container.name();
    }

    /** What the API says of it, or said last; null while it has not named it. */
    public Pod.@Nullable Container container() {
        return container;
    }

    /** Whether the API has named it. */
    public boolean isNamed() {
        return container != null;
    }

    /** Whether it is the present instance of its container, as far as is known. */
    boolean isCurrent() {
        return container == null || container.current();
    }

    /** Whether it is the pod's sandbox (pause) container, which is in the pod's numbers and has none of its own. */
    public boolean isSandbox() {
        return sandbox;
    }

    /** Its first process; null if there is none, or it cannot be seen from here. */
    public @Nullable InitProcess init() {
        return init;
    }

    /** Where its processes are. */
    Cgroup processes() {
        return inner == null ? cgroup : inner;
    }

    /** Looks its name up again; true when it is another. */
    boolean rename() {
        Pod named = pod.pod();
        Pod.@Nullable Container before = container;
        container = named == null ? null : named.containers().get(id);
        if (container == null && before != null) {
            // The API tells of the present instance and the one before; an older one's cgroup may still be there.
            container = before.past();
        }
        return !Objects.equals(container, before);
    }

    /** Tells sandboxes from containers again; true when something changed. */
    boolean settleSandbox() {
        boolean before = sandbox;
        preceded |= container == null && init == null && pod.isBeforeAllNamed(this);
        sandbox = container == null && looksLikeSandbox();
        return sandbox != before;
    }

    /** Whether what was read since the name was looked up says the same of it being a sandbox. */
    boolean isSettled() {
        return container != null || sandbox == looksLikeSandbox();
    }

    /**
     * Kubernetes does not list sandboxes. They run one process called pause (OpenShift's is called pod), or are a virtual
     * machine; CRI-O, which mostly needs no process, leaves an empty cgroup.
     */
    private boolean looksLikeSandbox() {
        if ("kata".equals(cgroup.name().runtime())) {
            return true;
        }
        if (init != null) {
            return isPause() && !pod.hasEarlierPause(this);
        }
        if (pod.pod() == null) {
            return false;
        }
        boolean isEmpty = cgroup.sample().cgroupEvents(CgroupEvents.POPULATED) == 0;
        return (isCrio() && isEmpty) || isByAge();
    }

    /**
     * Without processes it is told by its age: it was made before every container. It stays a sandbox when those are gone
     * and have yet to be made anew. While none is there at all, the oldest is it, but not of CRI-O, which may have made no
     * cgroup for the sandbox.
     */
    private boolean isByAge() {
        return pod.isBeforeAllNamed(this)
                || (preceded && !pod.hasOlderNamed(this))
                || (pod.nothingRuns() && !isCrio() && pod.isOldest(this));
    }

    private boolean isCrio() {
        return "crio".equals(cgroup.name().runtime());
    }

    /** Whether its first process is one that sandboxes run; a container may run one too. */
    boolean isPause() {
        return init != null
                && (init.command().equals("pause")
                        || (isCrio() && init.command().equals("pod")));
    }

    /** The level with the smaller quota, of two equal ones the deeper; without any, the one where the processes are. */
    private Cgroup cpuLevel() {
        if (inner == null) {
            return cgroup;
        }
        boolean outerHolds = cgroup.sample().cpuMax().hasQuota()
                && !(inner.sample().cpuMax().cores() <= cgroup.sample().cpuMax().cores());
        return outerHolds ? cgroup : inner;
    }

    /** cpu.stat of the level that has the quota: nr_periods, nr_throttled and the like. */
    public long throttling(CpuStat key) {
        return cpuLevel().sample().cpuStat(key);
    }

    /** The limit that holds the container. */
    public CpuMax cpuMax() {
        return cpuLevel().sample().cpuMax();
    }

    /** A limit of this container, one number or {@code max}: the smaller of the two levels'. */
    public long limit(CgroupFile file) {
        long outer = cgroup.sample().single(file);
        if (inner == null) {
            return outer;
        }
        long own = inner.sample().single(file);
        return own == Value.ABSENT ? outer : outer == Value.ABSENT ? own : Math.min(own, outer);
    }

    /** memory.oom.group: 1 if it is on either level, for the kernel goes by the highest. */
    public long oomGroup() {
        long outer = cgroup.sample().single(CgroupFile.MEMORY_OOM_GROUP);
        return inner == null ? outer : Math.max(outer, inner.sample().single(CgroupFile.MEMORY_OOM_GROUP));
    }

    /** cpu.max.burst of the level that has the quota, in microseconds. */
    public long cpuBurst() {
        return cpuLevel().sample().single(CgroupFile.CPU_MAX_BURST);
    }

    /** What happened at this container's own limit: at both levels together. */
    public long localEvents(MemoryEvents key) {
        long outer = cgroup.sample().memoryEventsLocal(key);
        long own = inner == null ? Value.ABSENT : inner.sample().memoryEventsLocal(key);
        return own == Value.ABSENT ? outer : outer == Value.ABSENT ? own : own + outer;
    }

    /** The least CPU limit from this container up to the root, in cores; NaN where there is none. */
    public double effectiveCpuLimit() {
        return processes().leastCpuLimit();
    }

    /**
     * Microseconds, summed over CPUs, in which the container wanted to run and its own or an ancestor's quota held it:
     * cpu.stat.local. Kernels before 6.6 do not tell; there it is the larger of what the container's and the pod's
     * cpu.stat booked, because either level can hold the larger part of one and the same wait.
     *
     * @return {@link Value#ABSENT} without a quota anywhere above it
     */
    public long stalledMicros() {
        return Double.isNaN(effectiveCpuLimit()) ? Value.ABSENT : stalled.micros();
    }

    /** How its own quota held it lately, and for how long any above. */
    public ThrottleWindow throttle() {
        return throttle;
    }

    /** Whether a quota may have held it since the last tick. */
    boolean mayBeThrottled() {
        return throttle.isActive(throttling(CpuStat.NR_PERIODS))
                || !pod.throttle().isEmpty();
    }

    /** Takes what a tick has read. */
    void tick(long now) {
        podIsOlder |= throttledLevel == null && pod.looks > looks;
        Cgroup level = cpuLevel();
        if (level != throttledLevel) {
            throttledLevel = level;
            throttle.beginAnew();
            stalled.beginAnew();
        }
        readStalled();
        throttle.tick(
                now,
                throttling(CpuStat.NR_PERIODS),
                throttling(CpuStat.NR_THROTTLED),
                stalled.micros(),
                cpuMax().periodMicros(),
                pod.throttle().newThrottled());
    }

    /** Takes what was read of the time for which it was held. */
    void readStalled() {
        if (processes() != stalledLevel) {
            stalledLevel = processes();
            stalled.beginAnew();
        }
        long local = processes().sample().cpuStatLocal(CpuStatLocal.THROTTLED_USEC);
        if (local == Value.ABSENT) {
            local = cgroup.sample().cpuStatLocal(CpuStatLocal.THROTTLED_USEC);
        }
        stalled.read(local, throttling(CpuStat.THROTTLED_USEC), pod.throttledMicros(), podIsOlder);
    }

    @Override
    public String toString() {
        return pod + "/" + name();
    }
}
