package io.kubepods.agent.metrics;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupSample;
import io.kubepods.model.Pod;
import io.kubepods.model.PodState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What is told of a pod, by its own cgroup: its containers, its sandbox, and what its removed containers left behind; and
 * by the API.
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
        families.addAll(
                OWN.throttle(pod -> sample(pod).cpuMax(), pod -> cgroup(pod).leastCpuLimit(), PodState::throttle));
        families.add(OWN.cpuWeight(pod -> Amount.of(sample(pod).single(CgroupFile.CPU_WEIGHT))));
        families.add(OWN.pressureWaiting());
        families.add(OWN.pressureStalled());
        families.add(OWN.memoryUsage());
        families.add(OWN.memoryWorkingSet());
        families.add(OWN.memoryLimit(pod -> Amount.limit(sample(pod).single(CgroupFile.MEMORY_MAX))));
        families.add(OWN.memoryEvents());
        families.add(OWN.localEvents((pod, key) -> sample(pod).memoryEventsLocal(key)));
        families.addAll(spec());
        return List.copyOf(families);
    }

    /** What the API says. */
    private static List<Family<PodState>> spec() {
        return List.of(
                Family.<PodState>info(
                                "kubepods_pod_info",
                                "1, with the pod's uid as its cgroup has it, its QoS class and priority class, and whether it"
                                        + " is static.",
                                pod -> pod.pod() != null)
                        .text("uid", PodState::uid)
                        .text("qos_class", PodState::qosClass)
                        .text("priority_class", pod -> info(pod).priority().className())
                        .text("static", pod -> Boolean.toString(info(pod).isStatic())),
                OWN.of(
                        "eviction_rank",
                        "When the kubelet would evict SUBJECT, were memory short now, 1 first: those whose working set is above"
                                + " their request, by priority, by how much it is above; absent for static and critical pods.",
                        pod -> pod.evictionRank() == 0 ? Double.NaN : pod.evictionRank()),
                OWN.of(
                        "cpu_request_cores",
                        "CPU that SUBJECT requests and the node has granted, as the kubelet adds it up: the containers, or"
                                + " the most that init containers need, or what is said of the pod itself; and the"
                                + " overhead.",
                        pod -> Amount.cores(info(pod).resources().requests())),
                OWN.of(
                        "memory_request_bytes",
                        "Memory that SUBJECT requests and the node has granted, added up likewise.",
                        pod -> Amount.of(info(pod).resources().requests().memoryBytes())),
                OWN.of(
                        "cpu_spec_limit_cores",
                        "CPU limit of SUBJECT by its spec, granted or not, added up likewise; absent when one of its containers"
                                + " has none.",
                        pod -> Amount.cores(info(pod).resources().limits())),
                OWN.of(
                        "memory_spec_limit_bytes",
                        "Memory limit of SUBJECT by its spec, granted or not, added up likewise; absent when one of its"
                                + " containers has none.",
                        pod -> Amount.of(info(pod).resources().limits().memoryBytes())));
    }

    private static Pod.Info info(PodState pod) {
        Pod named = pod.pod();
        return named == null ? Pod.Info.UNKNOWN : named.info();
    }

    /** Pods without a cgroup of their own are not shown. */
    private static Cgroup cgroup(PodState pod) {
        return Objects.requireNonNull(pod.cgroup());
    }

    private static CgroupSample sample(PodState pod) {
        return cgroup(pod).sample();
    }
}
