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
    public record Container(Quantities requests, Quantities limits, boolean sidecar) {}

    /**
     * What the spec says of the pod itself.
     *
     * @param requests spec.resources.requests, which take the place of the containers' sums
     * @param limits spec.resources.limits, likewise
     * @param overhead spec.overhead: what the sandbox needs
     */
    public record PodLevel(Quantities requests, Quantities limits, Quantities overhead) {
        public static final PodLevel NONE = new PodLevel(Quantities.NONE, Quantities.NONE, Quantities.NONE);
    }

    /** @param initContainers in the order of the spec, sidecars among them */
    public static PodResources of(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        return new PodResources(requests(initContainers, containers, pod), limits(initContainers, containers, pod));
    }

    private static Quantities requests(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        Quantities running = Quantities.NONE;
        for (Container container : containers) {
            running = running.plus(container.requests());
        }
        Quantities sidecars = Quantities.NONE;
        Quantities most = Quantities.NONE;
        for (Container init : initContainers) {
            Quantities atThatTime = sidecars.plus(init.requests());
            sidecars = init.sidecar() ? atThatTime : sidecars;
            most = most.max(atThatTime);
        }
        return running.plus(sidecars).max(most).replacedBy(pod.requests()).plus(pod.overhead());
    }

    private static Quantities limits(List<Container> initContainers, List<Container> containers, PodLevel pod) {
        Quantities running = Quantities.NONE;
        boolean cpu = true;
        boolean memory = true;
        for (Container container : containers) {
            running = running.plus(container.limits());
            cpu &= container.limits().cpuMillis() > 0;
            memory &= container.limits().memoryBytes() > 0;
        }
        Quantities sidecars = Quantities.NONE;
        Quantities most = Quantities.NONE;
        for (Container init : initContainers) {
            Quantities atThatTime = sidecars.plus(init.limits());
            sidecars = init.sidecar() ? atThatTime : sidecars;
            most = most.max(atThatTime);
            // The kubelet looks at the sum with the sidecars before it, so theirs can stand in for a missing one.
            cpu &= atThatTime.cpuMillis() > 0;
            memory &= atThatTime.memoryBytes() > 0;
        }
        Quantities sum = running.plus(sidecars).max(most).replacedBy(pod.limits());
        cpu |= pod.limits().cpuMillis() > 0;
        memory |= pod.limits().memoryBytes() > 0;
        Quantities all = sum.plusWhereSet(pod.overhead());
        return new Quantities(
                cpu && all.cpuMillis() > 0 ? all.cpuMillis() : Quantities.ABSENT,
                memory && all.memoryBytes() > 0 ? all.memoryBytes() : Quantities.ABSENT);
    }
}
