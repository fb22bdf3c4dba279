package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kubepods.kubelet.Amounts;
import io.kubepods.kubelet.ContainerSpec;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodSpec;
import io.kubepods.kubelet.Quantities;
import io.kubepods.kubelet.Resize;
import io.kubepods.kubelet.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From an object of the Kubernetes API (core/v1 Pod) to what its pod asks for. Any field may be missing. */
final class PodSpecReader {
    private static final BigDecimal LEAST = BigDecimal.valueOf(1, 9);

    /** More than any machine has. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1L << 56);

    private PodSpecReader() {}

    /**
     * Requests are those that the node has granted, where the status tells them, as the kubelet does since 1.33: a resize that
     * is pending, or that can never be, is in the spec only. Limits are the spec's, and so called.
     *
     * @param isStatic whether it is the mirror of a pod from a file
     */
    static PodSpec read(Pod pod, boolean isStatic) {
        io.fabric8.kubernetes.api.model.PodSpec spec = pod.getSpec();
        if (spec == null) {
            return PodSpec.NONE;
        }
        PodStatus status = pod.getStatus();
        return new PodSpec(
                containers(spec.getInitContainers(), status == null ? null : status.getInitContainerStatuses()),
                containers(spec.getContainers(), status == null ? null : status.getContainerStatuses()),
                podLevel(spec.getResources(), status),
                amounts(spec.getOverhead()),
                priority(spec, isStatic),
                resize(pod),
                isTerminating(pod));
    }

    static PodPriority priority(io.fabric8.kubernetes.api.model.@Nullable PodSpec spec, boolean isStatic) {
        Integer value = spec == null ? null : spec.getPriority();
        String className = spec == null ? null : spec.getPriorityClassName();
        return new PodPriority(value == null ? 0 : value, className == null ? "" : className, isStatic);
    }

    private static @Nullable Resources podLevel(@Nullable ResourceRequirements ofPod, @Nullable PodStatus status) {
        if (ofPod == null) {
            return null;
        }
        Map<String, Quantity> requests = new HashMap<>();
        if (ofPod.getRequests() != null) {
            requests.putAll(ofPod.getRequests());
        }
        if (status != null && status.getAllocatedResources() != null) {
            // Of what the spec does not request for the pod itself, the status has the containers' sum.
            status.getAllocatedResources().forEach((name, granted) -> requests.replace(name, granted));
        }
        return new Resources(amounts(requests), amounts(ofPod.getLimits()));
    }

    private static Resize resize(Pod pod) {
        PodStatus status = pod.getStatus();
        List<PodCondition> conditions = status == null ? null : status.getConditions();
        if (conditions != null) {
            for (PodCondition condition : conditions) {
                if (condition != null && "True".equals(condition.getStatus())) {
                    if ("PodResizePending".equals(condition.getType())) {
                        return Resize.PENDING;
                    }
                    if ("PodResizeInProgress".equals(condition.getType())) {
                        return Resize.IN_PROGRESS;
                    }
                }
            }
        }
        // A pod's spec can be changed in few ways, of which a resize is one; its generation says that it was.
        Long generation = pod.getMetadata() == null ? null : pod.getMetadata().getGeneration();
        return generation != null && generation > 1 ? Resize.DONE : Resize.NONE;
    }

    private static boolean isTerminating(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return (pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null)
                || "Succeeded".equals(phase)
                || "Failed".equals(phase);
    }

    private static List<ContainerSpec> containers(
            @Nullable List<Container> containers, @Nullable List<ContainerStatus> statuses) {
        return containers == null
                ? List.of()
                : containers.stream()
                        .filter(Objects::nonNull)
                        .map(container -> container(container, granted(container, statuses)))
                        .toList();
    }

    private static ContainerSpec container(Container container, @Nullable Map<String, Quantity> granted) {
        ResourceRequirements resources = container.getResources();
        Map<String, Quantity> requests = resources == null ? null : resources.getRequests();
        return new ContainerSpec(
                container.getName() == null ? "" : container.getName(),
                new Resources(
                        amounts(granted == null ? requests : granted),
                        amounts(resources == null ? null : resources.getLimits())),
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
}
