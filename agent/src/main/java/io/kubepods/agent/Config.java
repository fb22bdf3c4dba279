package io.kubepods.agent;

import io.kubepods.agent.http.ListenAddress;
import io.kubepods.agent.kube.ApiServer;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every setting, checked.
 *
 * @param cgroupfs the root of the node's cgroup v2 hierarchy
 * @param procfs the node's /proc
 * @param kmsg the kernel log
 * @param podsFile where pods' names come from; null for none
 * @param kube the API server that pods' names come from; null for none
 * @param listenAddress where HTTP is served
 * @param telemetryPath the path of the exposition
 * @param sampleInterval the time from one tick to the next
 * @param stateFile where OOM counts are kept over restarts; null for nowhere
 * @param demo serve a simulated node instead of this one
 */
record Config(
        Path cgroupfs,
        Path procfs,
        Path kmsg,
        @Nullable PodsList podsFile,
        @Nullable Kube kube,
        ListenAddress listenAddress,
        String telemetryPath,
        Duration sampleInterval,
        @Nullable Path stateFile,
        boolean demo) {

    /**
     * Names from a file.
     *
     * @param nodeName this node, as the API calls it; "" when nobody said
     */
    record PodsList(Path path, String nodeName) {}

    /**
     * Names from the API server.
     *
     * @param server where it is
     * @param nodeName this node, as the API calls it
     * @param syncTimeout how long readiness waits for the first list
     * @param events whether OOMs are written as events on their pods
     */
    record Kube(ApiServer server, String nodeName, Duration syncTimeout, boolean events) {}
}
