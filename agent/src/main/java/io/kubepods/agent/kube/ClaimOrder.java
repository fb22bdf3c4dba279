package io.kubepods.agent.kube;

import io.kubepods.model.Pod;
import java.time.Instant;
import java.util.Comparator;

/**
 * Whom to believe of several pods that claim the uid of one cgroup. A copy of a mirror pod under another name is enough to
 * make two of them; it exists until the kubelet deletes it.
 */
final class ClaimOrder {
    /** Whose own uid it is, then a mirror that the kubelet made for its node, then any other. */
    static final Comparator<Pod> BY_MAKER = Comparator.comparingInt(ClaimOrder::rank);

    /** The oldest, then any, but always the same: a copy has the original's owner too. */
    static final Comparator<Pod> BY_AGE =
            Comparator.comparing(ClaimOrder::createdAt).thenComparing(Pod::apiUid);

    private ClaimOrder() {}

    private static int rank(Pod pod) {
        Pod.Mirror mirror = pod.info().mirror();
        return pod.uid().equals(pod.apiUid()) ? 0 : mirror != null && mirror.ofNode() ? 1 : 2;
    }

    private static Instant createdAt(Pod pod) {
        Pod.Mirror mirror = pod.info().mirror();
        Instant createdAt = mirror == null ? null : mirror.createdAt();
        return createdAt == null ? Instant.MAX : createdAt;
    }
}
