package io.kubepods.kubelet;

/**
 * What the spec says of one container, as much as the kubelet's arithmetic needs.
 *
 * @param sidecar whether it is an init container that runs on ({@code restartPolicy: Always})
 */
public record ContainerSpec(String name, Resources resources, boolean sidecar) {

    /** What it requests, in whole units: each container's own values are rounded up by themselves. */
    public Quantities requests() {
        return resources.requests().rounded();
    }

    /** Its limits, likewise. */
    public Quantities limits() {
        return resources.limits().rounded();
    }
}
