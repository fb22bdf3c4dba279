package io.kubepods.oom;

import io.kubepods.cgroup.CgroupName;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel log says of one OOM in a pod of a kubepods tree.
 *
 * @param podUid as in the cgroup's name
 * @param containerId null when the victim was in no container of the pod
 * @param limitOf whose limit was hit; null when the log's line about it was suppressed
 * @param kills lines that name a killed process: as many as memory.events counts
 * @param victim the process that was chosen
 */
public record OomReport(
        String podUid, @Nullable String containerId, CgroupName.@Nullable Role limitOf, int kills, OomVictim victim) {

    /** The cause; null when the log does not tell. */
    public @Nullable OomCause cause(boolean sameLimits) {
        if (limitOf == null) {
            return null;
        }
        return switch (limitOf) {
            case CONTAINER, INNER, NESTED -> OomCause.CONTAINER_LIMIT;
            case POD -> sameLimits ? OomCause.CONTAINER_LIMIT : OomCause.POD_LIMIT;
            case QOS -> OomCause.QOS_LIMIT;
            case KUBEPODS -> OomCause.NODE_ALLOCATABLE;
            case OUTSIDE -> OomCause.NODE;
            case RUNTIME, UNKNOWN -> OomCause.UNKNOWN;
        };
    }
}
