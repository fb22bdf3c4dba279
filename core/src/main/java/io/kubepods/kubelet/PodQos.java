package io.kubepods.kubelet;

import java.util.List;
import java.util.stream.Stream;

/** A pod's QoS class by its spec: ComputePodQOS of pkg/apis/core/v1/helper/qos/qos.go (1.36.3). */
public enum PodQos {
    GUARANTEED,
    BURSTABLE,
    BEST_EFFORT;

    /**
     * CPU and memory count, and nothing else; zero is as good as nothing. What is said of the pod itself is said instead of
     * all its containers (since Kubernetes 1.34). Sums are compared, but every container must have both limits, init
     * containers too.
     */
    public static PodQos of(PodSpec pod) {
        Resources podLevel = pod.resources();
        List<Resources> all = podLevel == null
                ? pod.allContainers().map(ContainerSpec::resources).toList()
                : List.of(podLevel);
        Amounts requests = sum(all.stream().map(Resources::requests));
        Amounts limits = sum(all.stream().map(Resources::limits));
        if (isEmpty(requests) && isEmpty(limits)) {
            return BEST_EFFORT;
        }
        boolean allLimited = all.stream()
                .allMatch(each -> each.limits().hasCpu() && each.limits().hasMemory());
        return allLimited && requests.sameAs(limits) ? GUARANTEED : BURSTABLE;
    }

    private static Amounts sum(Stream<Amounts> all) {
        return all.map(Amounts::positive).reduce(Amounts.NONE, Amounts::plus);
    }

    private static boolean isEmpty(Amounts amounts) {
        return !amounts.hasCpu() && !amounts.hasMemory();
    }
}
