package io.kubepods.kubelet;

import java.util.Comparator;
import java.util.List;

/**
 * In which order the kubelet evicts pods when memory is short: rankMemoryPressure of pkg/kubelet/eviction/helpers.go (1.30 to
 * 1.36). The QoS class is no key.
 */
public final class EvictionOrder {
    private static final Comparator<Candidate> ORDER = Comparator.comparing(Candidate::hasNumbers)
            .thenComparing(candidate -> !candidate.exceedsRequest())
            .thenComparingInt(candidate -> candidate.priority().value())
            .thenComparing(Comparator.comparingLong(Candidate::aboveRequest).reversed());

    private EvictionOrder() {}

    /**
     * A pod.
     *
     * @param workingSet of the pod's cgroup, in bytes; negative when it is not known
     * @param request of the pod, in bytes; 0 without one
     */
    public record Candidate(String uid, long workingSet, long request, PodPriority priority) {
        boolean hasNumbers() {
            return workingSet >= 0;
        }

        boolean exceedsRequest() {
            return workingSet > request;
        }

        long aboveRequest() {
            return workingSet - request;
        }
    }

    /** Those that may be evicted, the first victim first: static pods and critical ones never are. */
    public static List<Candidate> of(List<Candidate> pods) {
        return pods.stream()
                .filter(pod -> !pod.priority().isCritical())
                .sorted(ORDER)
                .toList();
    }
}
