package io.kubepods.kubelet;

/** From memory in a spec to the memory controller's files, as the kubelet and the kernel compute them. Bytes. */
public final class Memory {
    /** The kubelet's memoryThrottlingFactor, where it is set at all. */
    public static final double DEFAULT_THROTTLING_FACTOR = 0.9;

    private Memory() {}

    /** What reads back from memory.max and its like: whole pages (page_counter_memparse of mm/page_counter.c, Linux 6.18). */
    public static long wholePages(long bytes, long pageSize) {
        return bytes / pageSize * pageSize;
    }

    /**
     * memory.high of a container with MemoryQoS (generateLinuxContainerResources of
     * pkg/kubelet/kuberuntime/kuberuntime_container_linux.go, 1.27 to 1.36).
     *
     * @param request 0 for none
     * @param limit 0 for none
     * @param allocatable what takes the place of a limit: the machine's memory less what is reserved for the system and the
     *     kubelet; 0 when it is not known
     * @return 0 where none is written
     */
    public static long high(long request, long limit, long allocatable, double factor, long pageSize) {
        if (request == limit) {
            return 0;
        }
        long base = limit != 0 ? limit : allocatable;
        if (base <= 0) {
            return 0;
        }
        long high = wholePages((long) Math.floor(request + (base - request) * factor), pageSize);
        return high > request ? high : 0;
    }

    /**
     * memory.swap.max of a container with LimitedSwap, before the kernel cuts it to pages (calcSwapForBurstablePods of the
     * same package).
     *
     * @param request of the container
     * @param memory of the machine
     * @param swap of the machine
     */
    public static long limitedSwap(long request, long memory, long swap) {
        return memory <= 0 || request > memory ? 0 : (long) ((double) request / memory * swap);
    }

    /**
     * Whether a container may swap at all with LimitedSwap (GetContainerSwapBehavior, Kubernetes 1.31 to 1.36): one of a
     * Burstable pod that is not critical, which says something of memory, and not the same twice.
     */
    public static boolean maySwap(PodSpec pod, ContainerSpec container) {
        Amounts requests = container.resources().requests();
        Amounts limits = container.resources().limits();
        return PodQos.of(pod) == PodQos.BURSTABLE
                && !pod.priority().isCritical()
                && (requests.hasMemory() || limits.hasMemory())
                && !requests.only(false, true).sameAs(limits.only(false, true));
    }

    /**
     * memory.available, on which the kubelet evicts (pkg/kubelet/server/stats/helper.go; cAdvisor 0.56 for the root cgroup of
     * v2). It knows nothing of the kernel's own memory, so that it may look healthy while MemAvailable is low.
     *
     * @param total of the machine
     * @param anon of the root cgroup's memory.stat; so the other two
     */
    public static long available(long total, long anon, long file, long inactiveFile) {
        return total - Math.max(0, anon + file - inactiveFile);
    }

    /**
     * memory.max of kubepods where node allocatable is enforced, which it is by default
     * (pkg/kubelet/cm/node_container_manager_linux.go, 1.30 to 1.36): neither the eviction threshold nor huge pages are taken
     * off.
     */
    public static long kubepodsLimit(long total, long systemReserved, long kubeReserved) {
        return Math.max(0, total - systemReserved - kubeReserved);
    }
}
