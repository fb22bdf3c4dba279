package io.kubepods.model;

import io.kubepods.cgroup.CgroupName;
import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomReport;
import org.jspecify.annotations.Nullable;

/**
 * Whose an OOM is, and by whose limit.
 *
 * @param pod null when not even the pod is known
 * @param parent the account of the pod's cgroup, or of the slice; null for a container outside the kubelet's tree
 * @param container null when no container is known to be meant, or it was never seen
 * @param name the container's; "" when none is known to be meant
 * @param id the container's; "" likewise
 * @param counts where it is counted; null when not even the pod is known
 */
record OomCase(
        @Nullable PodOoms pod,
        @Nullable OomAccount parent,
        @Nullable OomAccount container,
        String name,
        String id,
        @Nullable OomCounts counts) {

    void addKills(long kills) {
        if (counts != null) {
            counts.addKills(kills);
        }
    }

    /** Here, and in the slices above. */
    void addIncident(OomCause cause) {
        if (counts != null) {
            counts.addIncidents(cause, 1);
        }
        for (OomAccount at = parent; at != null; at = at.parent) {
            if (at.pod == null) {
                at.counts.addIncidents(cause, 1);
            }
        }
    }

    /** The limit that was hit, in bytes; {@link Value#ABSENT} when it is not known. */
    long limit(OomCause cause) {
        if (cause == OomCause.CONTAINER_LIMIT && container != null) {
            return container.limit;
        }
        for (OomAccount at = parent; at != null; at = at.parent) {
            boolean isIts = switch (at.cgroup.role()) {
                case POD -> cause == OomCause.POD_LIMIT;
                case QOS -> cause == OomCause.QOS_LIMIT;
                case KUBEPODS -> cause == OomCause.NODE_ALLOCATABLE;
                default -> false;
            };
            if (isIts) {
                return at.limit;
            }
        }
        return Value.ABSENT;
    }

    /**
     * By the log, or else by where {@code oom} rose around the kill.
     *
     * @param ownLimit whether the container's own limit is known to have been hit
     * @param afterRestart whether the counts are of all the time while no agent ran
     */
    OomCause cause(boolean ownLimit, @Nullable OomReport report, boolean afterRestart) {
        boolean sameLimits = hasSameLimits();
        OomCause logged = report == null ? null : report.cause(sameLimits);
        if (logged != null) {
            return logged;
        }
        boolean own = ownLimit || (container != null && container.ooms.rose());
        boolean ofPod = roseAt(CgroupName.Role.POD);
        boolean ofQos = roseAt(CgroupName.Role.QOS);
        boolean ofKubepods = roseAt(CgroupName.Role.KUBEPODS);
        int levels = (own ? 1 : 0) + (ofPod ? 1 : 0) + (ofQos ? 1 : 0) + (ofKubepods ? 1 : 0);
        boolean isUnseen = (parent == null && !own) || (pod == null && !ofQos && !ofKubepods);
        return isUnseen || (afterRestart && levels > 1)
                ? OomCause.UNKNOWN
                : OomCause.of(own, ofPod, ofQos, ofKubepods, sameLimits);
    }

    private boolean roseAt(CgroupName.Role role) {
        for (OomAccount at = parent; at != null; at = at.parent) {
            if (at.cgroup.role() == role && at.localOoms.rose()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the pod has no other container, and the limit of this one. */
    private boolean hasSameLimits() {
        if (parent == null || !Value.isNumber(parent.limit) || name.isEmpty()) {
            return false;
        }
        for (OomAccount child : parent.children) {
            if (child.container != null
                    && !child.isGone()
                    && !isLikeSandbox(child)
                    && !child.name().equals(name)) {
                return false;
            }
        }
        return container == null || container.limit == parent.limit;
    }

    /** What a sandbox runs is looked at with a scrape only; it has no limit, and comes before the containers. */
    private static boolean isLikeSandbox(OomAccount account) {
        if (account.isSandbox()) {
            return true;
        }
        OomAccount parent = account.parent;
        if (account.named != null || account.limit != Value.MAX || parent == null) {
            return false;
        }
        for (OomAccount sibling : parent.children) {
            if (sibling.cgroup.id() < account.cgroup.id()) {
                return false;
            }
        }
        return true;
    }
}
