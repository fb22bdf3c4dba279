package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.kubepods.kubelet.PodResources;
import io.kubepods.model.Pod;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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
        String hash = annotations == null ? null : annotations.get(CONFIG_MIRROR);
        PodSpec spec = pod.getSpec();
        PodStatus status = pod.getStatus();
        return Optional.of(new Pod(
                hash == null ? metadata.getUid() : hash,
                metadata.getNamespace(),
                metadata.getName(),
                containers(status),
                new Pod.Info(
                        status == null ? "" : orEmpty(status.getQosClass()),
                        PodSpecReader.priority(spec, hash != null),
                        spec == null ? "" : onlyContainer(spec),
                        status != null && nothingRuns(status),
                        hash == null ? null : mirror(metadata),
                        PodResources.of(PodSpecReader.read(pod, hash != null)))));
    }

    private static Pod.Mirror mirror(ObjectMeta metadata) {
        List<OwnerReference> owners = metadata.getOwnerReferences();
        boolean ofNode = owners != null
                && owners.stream()
                        .anyMatch(owner -> owner != null
                                && "Node".equals(owner.getKind())
                                && Boolean.TRUE.equals(owner.getController()));
        return new Pod.Mirror(metadata.getUid(), ofNode, instant(metadata.getCreationTimestamp()));
    }

    private static String onlyContainer(PodSpec spec) {
        boolean onlyOne = isEmpty(spec.getInitContainers())
                && isEmpty(spec.getEphemeralContainers())
                && spec.getContainers() != null
                && spec.getContainers().size() == 1
                && spec.getContainers().get(0) != null;
        return onlyOne ? orEmpty(spec.getContainers().get(0).getName()) : "";
    }

    private static boolean isEmpty(@Nullable List<?> containers) {
        return containers == null || containers.isEmpty();
    }

    /** A status that says nothing of a container's state does not say that it waits. */
    private static boolean nothingRuns(PodStatus status) {
        List<ContainerState> states = Stream.of(
                        status.getInitContainerStatuses(),
                        status.getContainerStatuses(),
                        status.getEphemeralContainerStatuses())
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(Objects::nonNull)
                .map(each -> each.getState() == null ? new ContainerState() : each.getState())
                .toList();
        return states.isEmpty()
                ? "Pending".equals(status.getPhase())
                : states.stream().allMatch(state -> state.getWaiting() != null || state.getTerminated() != null);
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
            // The instances that ended first, so that an id in two places is the present one.
            ContainerStateTerminated last = terminated(status.getLastState());
            if (last != null) {
                put(last.getContainerID(), status, false, last.getStartedAt(), byId);
            }
            ContainerStateTerminated ended = terminated(status.getState());
            if (ended != null) {
                put(ended.getContainerID(), status, false, ended.getStartedAt(), byId);
            }
            put(status.getContainerID(), status, true, startedAt(status.getState()), byId);
        }
    }

    private static @Nullable ContainerStateTerminated terminated(@Nullable ContainerState state) {
        return state == null ? null : state.getTerminated();
    }

    private static @Nullable String startedAt(@Nullable ContainerState state) {
        if (state != null && state.getRunning() != null) {
            return state.getRunning().getStartedAt();
        }
        ContainerStateTerminated ended = terminated(state);
        return ended == null ? null : ended.getStartedAt();
    }

    /**
     * @param id as the API has it: {@code containerd://} and 64 hex digits; null before the container was made
     * @param current otherwise the status' image may be another than this instance had
     */
    private static void put(
            @Nullable String id,
            ContainerStatus status,
            boolean current,
            @Nullable String startedAt,
            Map<String, Pod.Container> byId) {
        if (id == null || id.isEmpty()) {
            return;
        }
        int end = id.indexOf("://");
        String bare = end < 0 ? id : id.substring(end + 3);
        Pod.Container known = byId.get(bare);
        Instant started = instant(startedAt);
        if (started == null && known != null) {
            started = known.startedAt(); // one that waits for its restart is still told under its old id
        }
        byId.put(
                bare,
                new Pod.Container(
                        status.getName(),
                        current,
                        current ? orEmpty(status.getImage()) : "",
                        current ? orEmpty(status.getImageID()) : "",
                        end < 0 ? "" : id.substring(0, end),
                        started));
    }

    private static @Nullable Instant instant(@Nullable String text) {
        try {
            Instant instant = text == null ? null : OffsetDateTime.parse(text).toInstant();
            // The kubelet writes the beginning of time, or nothing, for a container that never started.
            return instant == null || instant.getEpochSecond() <= 0 ? null : instant;
        } catch (DateTimeParseException e) {
            return null; // no API server writes such a time; a start time that is not known is absent
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
