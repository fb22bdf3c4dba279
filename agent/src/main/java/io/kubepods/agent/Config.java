package io.kubepods.agent;

import io.kubepods.agent.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every setting, checked.
 *
 * @param cgroupfs the root of the node's cgroup v2 hierarchy
 * @param procfs the node's /proc
 * @param podsFile where pods' names come from; null for none
 * @param listenAddress where HTTP is served
 * @param telemetryPath the path of the exposition
 * @param sampleInterval the time from one tick to the next
 * @param demo serve a simulated node instead of this one
 */
record Config(
        Path cgroupfs,
        Path procfs,
        @Nullable Path podsFile,
        ListenAddress listenAddress,
        String telemetryPath,
        Duration sampleInterval,
        boolean demo) {}
