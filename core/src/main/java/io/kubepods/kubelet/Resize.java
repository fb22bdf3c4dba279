package io.kubepods.kubelet;

/** How far an in-place resize of the pod is (beta in Kubernetes 1.33). */
public enum Resize {
    /** The pod is as it was made. */
    NONE,
    /** Condition PodResizePending: the node has no room now, or never will. The spec is not what is enforced. */
    PENDING,
    /** Condition PodResizeInProgress: some files are written, others not yet. */
    IN_PROGRESS,
    /**
     * The pod has been resized before, or may have been. The oom_score_adj of its processes is that of their start, and a
     * limit that was taken away still holds at the pod's cgroup (kubernetes#128675).
     */
    DONE;

    /** Whether the files may differ from the spec for the moment. */
    public boolean isUnderWay() {
        return this == PENDING || this == IN_PROGRESS;
    }
}
