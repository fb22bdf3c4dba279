package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupEvents;
import io.kubepods.cgroup.CgroupSample;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.CpuStatLocal;
import io.kubepods.cgroup.QosClass;
import io.kubepods.cgroup.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pod that is there: its cgroup, its containers, and its name. Where the container runtime ignores the kubelet's
 * cgroup driver, a pod's containers are elsewhere, and it may have no cgroup of its own.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class PodState {
    final List<Cgroup> cgroups = new ArrayList<>(1);
    final List<ContainerState> containers = new ArrayList<>();
    private final String uid;
    private final ThrottleWindow throttle = new ThrottleWindow();
    private final StalledTime stalled = new StalledTime();
    private @Nullable Cgroup throttled;
    private @Nullable Pod pod;

    /** So often its limits were looked at when it was new. */
    int looks;

    static final int NO_RANK = 0;
    int evictionRank = NO_RANK;

    PodState(String uid) {
        this.uid = uid;
    }

    /** The uid in the cgroup's name, with dashes; of a static pod the hash. */
    public String uid() {
        return uid;
    }

    /** Its namespace, or "" while the API has not named it. */
    public String namespace() {
        return pod == null ? "" : pod.namespace();
    }

    /** Its name, or its uid while the API has not named it. */
    public String name() {
        return pod == null ? uid : pod.name();
    }

    /** By its status, as the API spells it; without one by its directory. */
    public String qosClass() {
        String said = pod == null ? "" : pod.info().qosClass();
        return said.isEmpty() && !cgroups.isEmpty()
                ? spelled(cgroups.get(0).name().qos())
                : said;
    }

    /**
     * Whether its status says another QoS class than its cgroup's place, when both are known. The kubelet computes both from
     * the spec: a difference means that its limits and its rank for eviction are not those that the API shows.
     */
    public boolean isQosMismatched() {
        String said = pod == null ? "" : pod.info().qosClass();
        Cgroup cgroup = cgroup();
        String placed = cgroup == null ? "" : spelled(cgroup.name().qos());
        return !said.isEmpty() && !placed.isEmpty() && !said.equals(placed);
    }

    private static String spelled(@Nullable QosClass qos) {
        if (qos == null) {
            return "";
        }
        return switch (qos) {
            case GUARANTEED -> "Guaranteed";
            case BURSTABLE -> "Burstable";
            case BESTEFFORT -> "BestEffort";
        };
    }

    /** What the API says of it, or said last; null while it has not named it. */
    public @Nullable Pod pod() {
        return pod;
    }

    /** Its cgroup; null when only its containers have been found. */
    public @Nullable Cgroup cgroup() {
        Cgroup best = null;
        for (int i = 0; i < cgroups.size(); i++) {
            Cgroup cgroup = cgroups.get(i);
            if (best == null || isBetter(cgroup, best)) {
                best = cgroup;
            }
        }
        return best;
    }

    /** The one with processes, then the newest: a change of the cgroup driver leaves empty ones behind. */
    private static boolean isBetter(Cgroup a, Cgroup b) {
        boolean aLives = a.sample().cgroupEvents(CgroupEvents.POPULATED) == 1;
        boolean bLives = b.sample().cgroupEvents(CgroupEvents.POPULATED) == 1;
        return aLives == bLives ? a.id() > b.id() : aLives;
    }

    public List<ContainerState> containers() {
        return Collections.unmodifiableList(containers);
    }

    /** Microseconds booked as throttled by the pod's own quota; {@link Value#ABSENT} if it has none. */
    long throttledMicros() {
        Cgroup cgroup = cgroup();
        return cgroup == null || !cgroup.sample().cpuMax().hasQuota()
                ? Value.ABSENT
                : cgroup.sample().cpuStat(CpuStat.THROTTLED_USEC);
    }

    /** When the kubelet would evict it, were memory short now: 1 is first, 0 never. */
    public int evictionRank() {
        return evictionRank;
    }

    /** How its own quota held it lately. */
    public ThrottleWindow throttle() {
        return throttle;
    }

    /** Whether its quota may have held it since the last tick. */
    boolean mayBeThrottled() {
        Cgroup cgroup = cgroup();
        return cgroup != null && throttle.isActive(cgroup.sample().cpuStat(CpuStat.NR_PERIODS));
    }

    /** Takes what a tick has read. */
    void tick(long now) {
        Cgroup cgroup = cgroup();
        if (cgroup == null) {
            return;
        }
        if (cgroup != throttled) {
            throttled = cgroup;
            throttle.beginAnew();
            stalled.beginAnew();
        }
        CgroupSample sample = cgroup.sample();
        stalled.read(
                sample.cpuStatLocal(CpuStatLocal.THROTTLED_USEC),
                sample.cpuStat(CpuStat.THROTTLED_USEC),
                Value.ABSENT,
                false);
        throttle.tick(
                now,
                sample.cpuStat(CpuStat.NR_PERIODS),
                sample.cpuStat(CpuStat.NR_THROTTLED),
                stalled.micros(),
                sample.cpuMax().periodMicros(),
                0);
    }

    /** Whether another container that nothing has named runs a pause process, and was made before this one. */
    boolean hasEarlierPause(ContainerState container) {
        for (ContainerState other : containers) {
            if (!other.isNamed()
                    && other.isPause()
                    && other.cgroup().id() < container.cgroup().id()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it was made before every container that the API has named, and there is one. */
    boolean isBeforeAllNamed(ContainerState container) {
        for (ContainerState other : containers) {
            if (other.isNamed()) {
                return !hasOlderNamed(container);
            }
        }
        return false;
    }

    /** Whether a container that the API has named was made before it. */
    boolean hasOlderNamed(ContainerState container) {
        for (ContainerState other : containers) {
            if (other.isNamed() && other.cgroup().id() < container.cgroup().id()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it was made before every other that is there. */
    boolean isOldest(ContainerState container) {
        for (ContainerState other : containers) {
            if (other.cgroup().id() < container.cgroup().id()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the API says that none of its containers runs. */
    boolean nothingRuns() {
        return pod != null && pod.info().nothingRuns();
    }

    boolean isEmpty() {
        return cgroups.isEmpty() && containers.isEmpty();
    }

    /** Looks its name and its containers' up again; true when something changed. */
    boolean rename(PodSource source) {
        Pod found = source.find(uid);
        Pod named = found == null ? pod : found; // a pod gone from the API keeps its name while its cgroup is there
        boolean changed = !Objects.equals(named, pod);
        pod = named;
        for (ContainerState container : containers) {
            changed |= container.rename();
        }
        for (ContainerState container : containers) { // after all names, which tell the sandbox from the others
            changed |= container.settleSandbox();
        }
        return changed;
    }

    @Override
    public String toString() {
        return namespace() + "/" + name();
    }
}
