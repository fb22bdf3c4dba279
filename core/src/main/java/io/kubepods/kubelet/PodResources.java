package io.kubepods.kubelet;

import java.util.function.Function;

/**
 * What a pod as a whole asks for and may use, as the kubelet computes it for the pod's cgroup: PodRequests and PodLimits of
 * k8s.io/component-helpers/resource/helpers.go, and which limits count by ResourceConfigForPod of
 * pkg/kubelet/cm/helpers_linux.go.
 *
 * <p>Init containers run one after the other before the others start, sidecars (init containers with {@code restartPolicy:
 * Always}) from their turn to the end: what is needed is the most at any moment.
 *
 * @param requests absent where no container asks for any
 * @param limits absent where a container has none: the kubelet then sets none for the pod
 */
public record PodResources(Quantities requests, Quantities limits) {
    public static final PodResources NONE = new PodResources(Quantities.NONE, Quantities.NONE);

    public static PodResources of(PodSpec pod) {
        return new PodResources(podRequests(pod).rounded(), declaredLimits(pod).rounded());
    }

    /** What the pod requests, to the last digit: PodRequests of component-helpers (1.36.3). */
    static Amounts podRequests(PodSpec pod) {
        return aggregateContainerRequests(pod)
                .replacedBy(pod.podLevel().requests())
                .plus(pod.overhead());
    }

    /** The most that the containers request at any moment, whatever is said of the pod: AggregateContainerRequests. */
    static Amounts aggregateContainerRequests(PodSpec pod) {
        return mostAtOnce(pod, Resources::requests);
    }

    /** The pod's limits, one by one whether or not all containers have one: PodLimits of component-helpers (1.36.3). */
    static Amounts podLimits(PodSpec pod) {
        return mostAtOnce(pod, Resources::limits)
                .replacedBy(pod.podLevel().limits())
                .plusWhereSet(pod.overhead());
    }

    private static Amounts mostAtOnce(PodSpec pod, Function<Resources, Amounts> which) {
        Amounts running = Amounts.NONE;
        for (ContainerSpec container : pod.containers()) {
            running = running.plus(which.apply(container.resources()));
        }
        Amounts sidecars = Amounts.NONE;
        Amounts most = Amounts.NONE;
        for (ContainerSpec init : pod.initContainers()) {
            Amounts atThatTime = sidecars.plus(which.apply(init.resources()));
            sidecars = init.sidecar() ? atThatTime : sidecars;
            most = most.max(atThatTime);
        }
        return running.plus(sidecars).max(most);
    }

    /** The limits that the pod's cgroup gets: those that every container has, or that are said of the pod. */
    private static Amounts declaredLimits(PodSpec pod) {
        boolean cpu = true;
        boolean memory = true;
        for (ContainerSpec container : pod.containers()) {
            cpu &= container.resources().limits().hasCpu();
            memory &= container.resources().limits().hasMemory();
        }
        Amounts sidecars = Amounts.NONE;
        for (ContainerSpec init : pod.initContainers()) {
            // The kubelet looks at the sum with the sidecars before it, so theirs can stand in for a missing one.
            Amounts atThatTime = sidecars.plus(init.resources().limits());
            sidecars = init.sidecar() ? atThatTime : sidecars;
            cpu &= atThatTime.hasCpu();
            memory &= atThatTime.hasMemory();
        }
        cpu |= pod.podLevel().limits().hasCpu();
        memory |= pod.podLevel().limits().hasMemory();
        Amounts all = podLimits(pod);
        return all.only(cpu && all.hasCpu(), memory && all.hasMemory());
    }
}
