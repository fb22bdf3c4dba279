package io.kubepods.model;

import java.util.Map;

/**
 * What the Kubernetes API says of one pod, as much as is used.
 *
 * @param uid the uid that its cgroup carries: {@code metadata.uid}, or for a static pod the hash that its mirror pod has in
 *     the annotation {@code kubernetes.io/config.mirror}
 * @param containers by container id, without the runtime's prefix: containers, init and ephemeral ones, running and ended
 */
public record Pod(String uid, String namespace, String name, Map<String, Container> containers) {
    public Pod {
        containers = Map.copyOf(containers);
    }

    /**
     * A container of the pod.
     *
     * @param current whether this id is the container's present instance, not one that ended before it
     */
    public record Container(String name, boolean current) {}
}
