package io.kubepods.kubelet;

import java.util.OptionalLong;

/** oom_score_adj of a container's processes at their start: GetContainerOOMScoreAdjust of pkg/kubelet/qos/policy.go (1.36.3). */
public final class OomScoreAdj {
    public static final int GUARANTEED = -997;
    public static final int BEST_EFFORT = 1_000;
    /** Of the sandbox's pause process, by containerd and CRI-O. */
    public static final int SANDBOX = -998;

    private static final long LEAST_BURSTABLE = 3;
    private static final long MOST_BURSTABLE = 999;
    private static final long RANGE = 1_000;

    private OomScoreAdj() {}

    /** @param memoryCapacity of the machine, in bytes: MemTotal of /proc/meminfo, or the Node's status.capacity */
    public static int of(PodSpec pod, ContainerSpec container, long memoryCapacity) {
        if (pod.priority().isNodeCritical()) {
            return GUARANTEED;
        }
        return switch (PodQos.of(pod)) {
            case GUARANTEED -> GUARANTEED;
            case BEST_EFFORT -> BEST_EFFORT;
            case BURSTABLE -> burstable(pod, container, memoryCapacity);
        };
    }

    private static int burstable(PodSpec pod, ContainerSpec container, long memoryCapacity) {
        long extra = shareOfPodLevel(pod);
        long adjustment = adjustment(memory(container) + extra, memoryCapacity);
        if (container.sidecar()) {
            OptionalLong least =
                    pod.containers().stream().mapToLong(OomScoreAdj::memory).min();
            if (least.isPresent()) {
                adjustment = Math.min(adjustment, adjustment(least.getAsLong() + extra, memoryCapacity));
            }
        }
        return (int) Math.max(LEAST_BURSTABLE, Math.min(MOST_BURSTABLE, adjustment));
    }

    /** What the pod requests as a whole beyond its containers' sum is divided evenly. */
    private static long shareOfPodLevel(PodSpec pod) {
        Amounts requests = pod.podLevel().requests();
        long ofPod = bytes(requests);
        if (ofPod == 0) {
            return 0;
        }
        long ofContainers = bytes(PodResources.aggregateContainerRequests(pod));
        long containers = pod.containers().size() + (long) pod.initContainers().size();
        return containers == 0 ? 0 : (ofPod - ofContainers) / containers;
    }

    private static long adjustment(long request, long capacity) {
        return RANGE - RANGE * Math.min(request, Long.MAX_VALUE / RANGE) / capacity;
    }

    private static long memory(ContainerSpec container) {
        return bytes(container.resources().requests());
    }

    private static long bytes(Amounts amounts) {
        return Math.max(0, amounts.rounded().memoryBytes());
    }
}
