package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.oom.OomCounts;

/**
 * The root of a kubelet's pods, or one of its QoS slices.
 *
 * @param label {@code kubepods}, {@code burstable} or {@code besteffort}; of a further kubepods tree on the same machine,
 *     its path
 */
public record SliceState(Cgroup cgroup, String label, OomCounts ooms) {}
