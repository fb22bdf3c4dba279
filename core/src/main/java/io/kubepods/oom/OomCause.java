package io.kubepods.oom;

import java.util.Locale;

/** Whose memory was exhausted when the kernel's OOM killer ran. */
public enum OomCause {
    /** The container's own limit; also where a pod with one container has the same limit, which the kernel charges first. */
    CONTAINER_LIMIT,
    /** The pod's limit. */
    POD_LIMIT,
    /** A limit on the burstable or the besteffort slice. */
    QOS_LIMIT,
    /** The limit on all pods together: what the kubelet calls the node's allocatable memory. */
    NODE_ALLOCATABLE,
    /** The node's own memory, or a limit above the kubelet's root for pods. */
    NODE,
    /** Nothing tells. */
    UNKNOWN;

    /** As it stands in a label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The cause, by whose memory.events.local counted an {@code oom} around the time of a kill. The kernel counts it in the
     * cgroup whose limit was hit, and nowhere when the whole machine ran out (mm/memcontrol.c, mem_cgroup_oom). The deepest
     * level is the surest: an OOM at a level kills only below it.
     *
     * @param container whether the container's own limit was hit
     * @param sameLimits whether the pod has no other container and the same limit
     */
    public static OomCause of(boolean container, boolean pod, boolean qosSlice, boolean kubepods, boolean sameLimits) {
        if (container) {
            return CONTAINER_LIMIT;
        }
        if (pod) {
            return sameLimits ? CONTAINER_LIMIT : POD_LIMIT;
        }
        return qosSlice ? QOS_LIMIT : kubepods ? NODE_ALLOCATABLE : NODE;
    }
}
