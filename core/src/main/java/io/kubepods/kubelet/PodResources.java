package io.kubepods.kubelet;

import java.util.List;

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

    /** @param sidecar whether it is an init container that runs on */
    public record Container(Amounts requests, Amounts limits, boolean sidecar) {}

    /**
     * What the spec says of the pod itself.
     *
     * @param requests spec.resources.requests, which take the place of the containers' sums
     * @param limits spec.resources.limits, likewise
     * @param overhead spec.overhead: what the sandbox needs
     */
    public record PodLevel(Amounts requests, Amounts limits, Amounts overhead) {
        public static final PodLevel NONE = new PodLevel(Amounts.NONE, Amounts.NONE, Amounts.NONE);
    }

    /** @param initContainers in the order of the spec, sidecars among them */
    public static PodResources of(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        return new PodResources(
                requests(initContainers, containers, pod).rounded(),
                limits(initContainers, containers, pod).rounded());
    }

    private static Amounts requests(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        Amounts running = Amounts.NONE;
        for (Container container : containers) {
            running = running.plus(container.requests());
        }
        Amounts sidecars = Amounts.NONE;
        Amounts most = Amounts.NONE;
        for (Container init : initContainers) {
            Amounts atThatTime = sidecars.plus(init.requests());
            sidecars = init.sidecar() ? atThatTime : sidecars;
            most = most.max(atThatTime);
        }
        return running.plus(sidecars).max(most).replacedBy(pod.requests()).plus(pod.overhead());
    }

    private static Amounts limits(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        Amounts running = Amounts.NONE;
        boolean cpu = true;
        boolean memory = true;
        for (Container container : containers) {
            running = running.plus(container.limits());
            cpu &= container.limits().hasCpu();
            memory &= container.limits().hasMemory();
        }
        Amounts sidecars = Amounts.NONE;
        Amounts most = Amounts.NONE;
        for (Container init : initContainers) {
            Amounts atThatTime = sidecars.plus(init.limits());
            sidecars = init.sidecar() ? atThatTime : sidecars;
            most = most.max(atThatTime);
            // The kubelet looks at the sum with the sidecars before it, so theirs can stand in for a missing one.
            cpu &= atThatTime.hasCpu();
            memory &= atThatTime.hasMemory();
        }
        Amounts sum = running.plus(sidecars).max(most).replacedBy(pod.limits());
        cpu |= pod.limits().hasCpu();
        memory |= pod.limits().hasMemory();
        Amounts all = sum.plusWhereSet(pod.overhead());
        return all.only(cpu && all.hasCpu(), memory && all.hasMemory());
    }
}
