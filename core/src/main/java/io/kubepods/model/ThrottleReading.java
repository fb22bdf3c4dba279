package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupReader;

/**
 * Brings the windows of throttling up to date with what a tick has read, and reads what is needed beside: cpu.stat.local while
 * there is something to be held, and the limits of what is new.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class ThrottleReading {
    /** A runtime sets a container's limits a moment after it made the cgroup. */
    private static final int LOOKS_AT_LIMITS = 3;

    private static final CgroupFile[] NEW = {CgroupFile.CPU_MAX, CgroupFile.CPU_STAT_LOCAL};
    private static final CgroupFile[] LOCAL = {CgroupFile.CPU_STAT_LOCAL};

    private final CgroupReader reader;

    ThrottleReading(CgroupReader reader) {
        this.reader = reader;
    }

    /** After its cpu.stat has been read, and before its containers'. */
    void tick(PodState pod, long now) {
        Cgroup cgroup = pod.cgroup();
        if (cgroup == null) {
            return;
        }
        boolean isNew = pod.looks < LOOKS_AT_LIMITS;
        pod.looks += isNew ? 1 : 0;
        if (isNew || pod.mayBeThrottled()) {
            reader.read(cgroup, isNew ? NEW : LOCAL, now);
        }
        pod.tick(now);
    }

    /** After its cpu.stat has been read, and its pod's. */
    void tick(ContainerState container, long now) {
        boolean isNew = container.looks < LOOKS_AT_LIMITS;
        container.looks += isNew ? 1 : 0;
        if (isNew || container.mayBeThrottled()) {
            reader.read(container.cgroup(), isNew ? NEW : LOCAL, now);
            Cgroup inner = container.inner;
            if (inner != null) {
                reader.read(inner, isNew ? NEW : LOCAL, now);
            }
        }
        container.tick(now);
    }
}
