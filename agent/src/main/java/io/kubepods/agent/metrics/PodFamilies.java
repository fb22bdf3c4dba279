package io.kubepods.agent.metrics;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupSample;
import io.kubepods.model.PodState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What is told of a pod, by its own cgroup: its containers, its sandbox, and what its removed containers left behind.
 *
 * <pre>
 * kubepods_pod_memory_events_total{event="oom_kill",namespace="shop",pod="order-api-0"} 7
 * </pre>
 */
final class PodFamilies {
    private static final CgroupFamilies<PodState> OWN =
            new CgroupFamilies<>("kubepods_pod_", "the pod", PodFamilies::cgroup);

    static final List<Family<PodState>> ALL = all();

    private PodFamilies() {}

    private static List<Family<PodState>> all() {
        List<Family<PodState>> families = new ArrayList<>();
        families.add(OWN.cpuUsage());
        families.add(OWN.cpuUser());
        families.add(OWN.cpuSystem());
        families.addAll(
                OWN.quota(pod -> sample(pod).cpuMax(), (pod, key) -> sample(pod).cpuStat(key)));
        families.add(OWN.cpuWeight(pod -> Amount.of(sample(pod).single(CgroupFile.CPU_WEIGHT))));
        families.add(OWN.pressureWaiting());
        families.add(OWN.pressureStalled());
        families.add(OWN.memoryUsage());
        families.add(OWN.memoryWorkingSet());
        families.add(OWN.memoryLimit(pod -> Amount.limit(sample(pod).single(CgroupFile.MEMORY_MAX))));
        families.add(OWN.memoryEvents());
        families.add(OWN.localEvents((pod, key) -> sample(pod).memoryEventsLocal(key)));
        return List.copyOf(families);
    }

    /** Pods without a cgroup of their own are not shown. */
    private static Cgroup cgroup(PodState pod) {
        return Objects.requireNonNull(pod.cgroup());
    }

    private static CgroupSample sample(PodState pod) {
        return cgroup(pod).sample();
    }
}
