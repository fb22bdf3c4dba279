package io.kubepods.oom;

import io.kubepods.cgroup.Value;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One OOM that killed something in a pod.
 *
 * @param time when it was counted, up to two ticks after it happened
 * @param namespace "" when the API had not named the pod
 * @param pod its name, or its uid
 * @param container its name, or the first 12 digits of its id; "" when no container can be named for it
 * @param containerId "" when it is not known
 * @param kills processes killed, as the kernel counts; {@link Value#ABSENT} when several OOMs came together
 * @param limitBytes the limit that was hit; {@link Value#ABSENT} when it is not known, or was the node's own memory
 * @param victim the process that the kernel chose, by its log; null without
 */
public record OomIncident(
        Instant time,
        String namespace,
        String pod,
        String podUid,
        String container,
        String containerId,
        OomCause cause,
        long kills,
        long limitBytes,
        @Nullable OomKill victim) {}
