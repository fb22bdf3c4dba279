package io.kubepods.model;

import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the Kubernetes API says of one pod, as much as is used.
 *
 * @param uid the uid that its cgroup carries: {@code metadata.uid}, or for a static pod the hash that its mirror pod has in
 *     the annotation {@code kubernetes.io/config.mirror}
 * @param containers by container id, without the runtime's prefix: containers, init and ephemeral ones, running and ended
 */
public record Pod(String uid, String namespace, String name, Map<String, Container> containers, Info info) {
    public Pod {
        containers = Map.copyOf(containers);
    }

    /** A pod of which nothing but names is known. */
    public Pod(String uid, String namespace, String name, Map<String, Container> containers) {
        this(uid, namespace, name, containers, Info.UNKNOWN);
    }

    /** The uid that the API server gave it: {@code metadata.uid}. */
    public String apiUid() {
        Mirror mirror = info.mirror();
        return mirror == null ? uid : mirror.apiUid();
    }

    /**
     * What is told of a pod beside its name.
     *
     * @param qosClass {@code status.qosClass}: Guaranteed, Burstable, BestEffort; "" when it is not said
     * @param priority and its class
     * @param onlyContainer the name of its container when it has but one, init and ephemeral ones counted; "" otherwise
     * @param nothingRuns whether the API says of each of its containers that it waits or has ended, so that what does run is
     *     the sandbox, or too new to be told
     * @param mirror of a static pod, which comes from a file on the node: what the API has instead; null otherwise
     */
    public record Info(
            String qosClass,
            PodPriority priority,
            String onlyContainer,
            boolean nothingRuns,
            @Nullable Mirror mirror,
            PodResources resources) {
        public static final Info UNKNOWN = new Info("", PodPriority.NONE, "", false, null, PodResources.NONE);

        public boolean isStatic() {
            return mirror != null;
        }
    }

    /**
     * The object that the kubelet makes in the API for a static pod, or somebody else in its stead.
     *
     * @param apiUid {@code metadata.uid}
     * @param ofNode whether a Node owns it, as the kubelet says of those that it makes
     * @param createdAt null when it is not said
     */
    public record Mirror(
            String apiUid, boolean ofNode, @Nullable Instant createdAt) {}

    /**
     * A container of the pod.
     *
     * @param current whether this id is the container's present instance, not one that ended before it
     * @param image as the runtime resolved it; "" when it is not said, as of instances that ended
     * @param imageId with its digest; "" likewise
     * @param runtime the prefix of its id: containerd, cri-o, docker; "" when it has none
     * @param startedAt null when it is not said
     */
    public record Container(
            String name,
            boolean current,
            String image,
            String imageId,
            String runtime,
            @Nullable Instant startedAt) {

        /** A container of which nothing but its name is known. */
        public Container(String name, boolean current) {
            this(name, current, "", "", "", null);
        }

        /** The same container, no longer the present instance. */
        Container past() {
            return current ? new Container(name, false, image, imageId, runtime, startedAt) : this;
        }
    }
}
