package io.kubepods.agent.demo;

/**
 * What a pod's spec says of one container, and what the demo lets it do.
 *
 * @param sidecar an init container with restartPolicy Always
 * @param processes how many; the first is the container's pid 1
 * @param threads of its first process
 * @param anonMi what its processes need at least
 */
record ContainerSpec(
        String name,
        String command,
        boolean sidecar,
        Resources resources,
        Workload workload,
        int processes,
        int threads,
        long anonMi) {}
