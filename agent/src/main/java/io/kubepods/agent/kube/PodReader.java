package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.kubepods.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From an object of the Kubernetes API (core/v1 Pod) to what the model needs of it. Any field may be missing. */
final class PodReader {
    /** On the mirror pod of a static pod: the hash that the kubelet uses as the pod's uid, in cgroup names too. */
    private static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

    private PodReader() {}

    /** @return empty for a pod without uid, namespace or name, which no API server gives */
    static Optional<Pod> read(io.fabric8.kubernetes.api.model.Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        if (metadata == null
                || metadata.getUid() == null
                || metadata.getName() == null
                || metadata.getNamespace() == null) {
            return Optional.empty();
        }
        Map<String, String> annotations = metadata.getAnnotations();
        String mirror = annotations == null ? null : annotations.get(CONFIG_MIRROR);
        return Optional.of(new Pod(
                mirror == null ? metadata.getUid() : mirror,
                metadata.getNamespace(),
                metadata.getName(),
                containers(pod.getStatus())));
    }

    private static Map<String, Pod.Container> containers(@Nullable PodStatus status) {
        Map<String, Pod.Container> byId = new HashMap<>();
        if (status != null) {
            add(status.getInitContainerStatuses(), byId);
            add(status.getContainerStatuses(), byId);
            add(status.getEphemeralContainerStatuses(), byId);
        }
        return byId;
    }

    private static void add(@Nullable List<ContainerStatus> statuses, Map<String, Pod.Container> byId) {
        if (statuses == null) {
            return;
        }
        for (ContainerStatus status : statuses) {
            if (status == null || status.getName() == null) {
                continue;
            }
            // The last state first, so that an id in both places is the present one.
            ContainerState last = status.getLastState();
            if (last != null && last.getTerminated() != null) {
                put(last.getTerminated().getContainerID(), new Pod.Container(status.getName(), false), byId);
            }
            put(status.getContainerID(), new Pod.Container(status.getName(), true), byId);
        }
    }

    /** @param id as the API has it: {@code containerd://} and 64 hex digits; null before the container was made */
    private static void put(@Nullable String id, Pod.Container container, Map<String, Pod.Container> byId) {
        if (id != null && !id.isEmpty()) {
            byId.put(id.substring(id.indexOf("://") < 0 ? 0 : id.indexOf("://") + 3), container);
        }
    }
}
