package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kubepods.kubelet.Amounts;
import io.kubepods.kubelet.PodResources;
import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
                        spec == null ? "" : orEmpty(spec.getPriorityClassName()),
                        spec == null ? "" : onlyContainer(spec),
                        status != null && nothingRuns(status),
                        hash == null ? null : mirror(metadata),
                        spec == null ? PodResources.NONE : resources(spec, status))));
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

    /**
     * Requests are those that the node has granted, where the status tells them, as the kubelet does since 1.33: a resize that
     * is pending, or that can never be, is in the spec only. Limits are the spec's, and so called.
     */
    private static PodResources resources(PodSpec spec, @Nullable PodStatus status) {
        ResourceRequirements ofPod = spec.getResources();
        Map<String, Quantity> requests = new HashMap<>();
        if (ofPod != null && ofPod.getRequests() != null) {
            requests.putAll(ofPod.getRequests());
        }
        if (status != null && status.getAllocatedResources() != null) {
            // Of what the spec does not request for the pod itself, the status has the containers' sum.
            status.getAllocatedResources().forEach((name, granted) -> requests.replace(name, granted));
        }
        return PodResources.of(
                containers(spec.getInitContainers(), status == null ? null : status.getInitContainerStatuses()),
                containers(spec.getContainers(), status == null ? null : status.getContainerStatuses()),
                new PodResources.PodLevel(
                        amounts(requests),
                        amounts(ofPod == null ? null : ofPod.getLimits()),
                        amounts(spec.getOverhead())));
    }

    private static List<PodResources.Container> containers(
            @Nullable List<Container> containers, @Nullable List<ContainerStatus> statuses) {
        return containers == null
                ? List.of()
                : containers.stream()
                        .filter(Objects::nonNull)
                        .map(container -> container(container, granted(container, statuses)))
                        .toList();
    }

    private static PodResources.Container container(Container container, @Nullable Map<String, Quantity> granted) {
        ResourceRequirements resources = container.getResources();
        Map<String, Quantity> requests = resources == null ? null : resources.getRequests();
        return new PodResources.Container(
                amounts(granted == null ? requests : granted),
                amounts(resources == null ? null : resources.getLimits()),
                "Always".equals(container.getRestartPolicy()));
    }

    /** All that the container may request, so that what is not in it is not granted; null where the status has none. */
    private static @Nullable Map<String, Quantity> granted(
            Container container, @Nullable List<ContainerStatus> statuses) {
        if (statuses != null) {
            for (ContainerStatus status : statuses) {
                if (status != null
                        && status.getName() != null
                        && status.getName().equals(container.getName())) {
                    Map<String, Quantity> granted = status.getAllocatedResources();
                    return granted == null || granted.isEmpty() ? null : granted;
                }
            }
        }
        return null;
    }

    /** The entries {@code cpu} and {@code memory} of a map of resources, rounded up. */
    static Quantities quantities(@Nullable Map<String, Quantity> resources) {
        return amounts(resources).rounded();
    }

    private static Amounts amounts(@Nullable Map<String, Quantity> resources) {
        return resources == null
                ? Amounts.NONE
                : new Amounts(amount(resources.get("cpu")), amount(resources.get("memory")));
    }

    /** To the last digit that Kubernetes knows, the ninth; null for what is no quantity. */
    private static @Nullable BigDecimal amount(@Nullable Quantity quantity) {
        if (quantity == null || quantity.getAmount() == null) {
            return null;
        }
        try {
            BigDecimal amount = quantity.getNumericalAmount();
            if (amount.signum() <= 0) {
                return amount.signum() == 0 ? BigDecimal.ZERO : null;
            }
            // Compared before it is rounded: an exponent of nine digits would be written out.
            return amount.compareTo(MOST) >= 0
                    ? MOST
                    : amount.compareTo(LEAST) <= 0 ? LEAST : amount.setScale(LEAST.scale(), RoundingMode.CEILING);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static final BigDecimal LEAST = BigDecimal.valueOf(1, 9);

    /** More than any machine has. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1L << 56);

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
