package io.kubepods.kubelet;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks for, as much as the kubelet's arithmetic needs.
 *
 * <p>Requests are those that the node has granted; they are the spec's except while a resize is under way.
 *
 * @param initContainers in the order of the spec, sidecars among them
 * @param containers without ephemeral ones, which have no resources
 * @param resources {@code spec.resources}, of the pod as a whole; null when it is not there, which an empty one is not
 * @param overhead {@code spec.overhead}: what the sandbox needs
 * @param terminating whether it is to be deleted, or has ended
 */
public record PodSpec(
        List<ContainerSpec> initContainers,
        List<ContainerSpec> containers,
        @Nullable Resources resources,
        Amounts overhead,
        PodPriority priority,
        Resize resize,
        boolean terminating) {
    public static final PodSpec NONE = new PodSpec(List.of(), List.of());

    public PodSpec {
        initContainers = List.copyOf(initContainers);
        containers = List.copyOf(containers);
    }

    /** A pod of which nothing but its containers is said. */
    public PodSpec(List<ContainerSpec> initContainers, List<ContainerSpec> containers) {
        this(initContainers, containers, null, Amounts.NONE, PodPriority.NONE, Resize.NONE, false);
    }

    /** What is said of the pod as a whole; nothing where there is no such part. */
    Resources podLevel() {
        return resources == null ? Resources.NONE : resources;
    }

    /** Init containers first. */
    Stream<ContainerSpec> allContainers() {
        return Stream.concat(initContainers.stream(), containers.stream());
    }
}
