package io.kubepods.kubelet;

/**
 * How important the pod is to the kubelet.
 *
 * @param value {@code spec.priority}; 0 when it has none
 * @param className {@code spec.priorityClassName}; "" when it has none
 * @param isStatic whether it comes from a file on the node
 */
public record PodPriority(int value, String className, boolean isStatic) {
    public static final PodPriority NONE = new PodPriority(0, "", false);

    /** The least value of the two classes that Kubernetes keeps for itself. */
    private static final int SYSTEM_CRITICAL = 2_000_000_000;

    /** Never evicted, and without swap: IsCriticalPod of pkg/kubelet/types/pod_update.go (1.36.3). */
    public boolean isCritical() {
        return isStatic || value >= SYSTEM_CRITICAL;
    }

    /** Kept from the OOM killer like a Guaranteed pod: IsNodeCriticalPod, in the same file. The name alone is not enough. */
    public boolean isNodeCritical() {
        return isCritical() && className.equals("system-node-critical");
    }
}
