package io.kubepods.oom;

import io.kubepods.cgroup.CgroupName;
import io.kubepods.oom.OomKill.Role;
import io.kubepods.oom.OomKill.Scope;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel log says of one OOM in a pod. A group kill's lines may come in two readings of the log, and add up.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomReport {
    private final String podUid;
    private final @Nullable String containerId;
    private final OomKill victim;
    private int kills = 1;

    /** @param containerId null when the victim was in no container of the pod */
    public OomReport(String podUid, @Nullable String containerId, OomKill victim) {
        this.podUid = podUid;
        this.containerId = containerId;
        this.victim = victim;
    }

    /** As in the cgroup's name. */
    public String podUid() {
        return podUid;
    }

    public @Nullable String containerId() {
        return containerId;
    }

    /** The process that the kernel chose. */
    public OomKill victim() {
        return victim;
    }

    /** Lines that name a killed process: as many as memory.events counts. */
    public int kills() {
        return kills;
    }

    /** Takes another line of the same OOM. */
    public void addKill() {
        kills++;
    }

    /**
     * The cause; null when the log does not tell, because the line about it was held back.
     *
     * @param sameLimits whether the pod has no other container and the same limit
     */
    public @Nullable OomCause cause(boolean sameLimits) {
        if (victim.scope() == Scope.NODE) {
            return OomCause.NODE;
        }
        String domain = victim.oomMemcg();
        if (domain == null) {
            return null;
        }
        return switch (CgroupName.ofPath(domain).role()) {
            case CONTAINER, INNER, NESTED -> OomCause.CONTAINER_LIMIT;
            case POD -> sameLimits ? OomCause.CONTAINER_LIMIT : OomCause.POD_LIMIT;
            case QOS -> OomCause.QOS_LIMIT;
            case KUBEPODS -> OomCause.NODE_ALLOCATABLE;
            case OUTSIDE -> OomCause.NODE; // kind's node is a container
            case RUNTIME, UNKNOWN -> OomCause.UNKNOWN;
        };
    }

    /** Whether it is of a line that belongs to this report, and is not its first. */
    public boolean isOf(OomKill kill) {
        return kill.report() == victim.report() && kill.role() != Role.VICTIM;
    }
}
