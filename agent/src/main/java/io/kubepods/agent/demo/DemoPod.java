package io.kubepods.agent.demo;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pod: its slice, its containers and its sandbox (pause) container. */
final class DemoPod {
    private static final ContainerSpec SANDBOX =
            new ContainerSpec("POD", "pause", false, Resources.NONE, Workload.PAUSE, 1, 1, 0);
    private static final int SANDBOX_OOM_SCORE_ADJ = -998;

    final String namespace;
    final String name;
    final String uid;
    /** Of a static pod: the uid that the kubelet uses; the API shows a mirror pod with another one. */
    final @Nullable String configHash;

    final Qos qos;
    final List<DemoContainer> containers = new ArrayList<>();
    private final Cgroup slice;
    private final DemoContainer sandbox;
    /** Time of the last tick that was not a whole period. */
    private long carryUsec;

    private boolean ranInLastPeriod;

    enum Qos {
        GUARANTEED("Guaranteed"),
        BURSTABLE("Burstable"),
        BEST_EFFORT("BestEffort");

        final String label;

        Qos(String label) {
            this.label = label;
        }
    }

    /** The slices of the QoS classes, and the cgroup of the shims. */
    record Place(Cgroup guaranteed, Cgroup burstable, Cgroup bestEffort, Cgroup containerd) {
        Cgroup sliceOf(Qos qos) {
            return switch (qos) {
                case GUARANTEED -> guaranteed;
                case BURSTABLE -> burstable;
                case BEST_EFFORT -> bestEffort;
            };
        }
    }

    DemoPod(PodSpec spec, Host host, Place place) {
        namespace = spec.namespace();
        name = spec.name();
        uid = host.uuid();
        configHash = spec.isStatic() ? host.hex(32) : null;
        qos = spec.qos();
        Resources resources = spec.resources();
        Cgroup parent = place.sliceOf(qos);
        String prefix = parent.path.substring(parent.path.lastIndexOf('/') + 1).replace(".slice", "-pod");
        slice = parent.child(prefix + (configHash == null ? uid.replace('-', '_') : configHash) + ".slice");
        slice.limit(resources, resources.sliceWeight());
        DemoProcess shim =
                new DemoProcess("containerd-shim", host.nextPid(), 0, 1, 12, SANDBOX_OOM_SCORE_ADJ, host.uptimeUsec());
        place.containerd().processes.add(shim);
        sandbox = new DemoContainer(SANDBOX, host, slice, shim.pid(), SANDBOX_OOM_SCORE_ADJ);
        for (ContainerSpec container : spec.containers()) {
            containers.add(new DemoContainer(container, host, slice, shim.pid(), spec.oomScoreAdj(container)));
        }
    }

    /** Says whether the pod's status changed. */
    boolean advance(long usec) {
        boolean changed = sandbox.advance(usec);
        for (DemoContainer container : containers) {
            changed |= container.advance(usec);
        }
        for (carryUsec += usec; carryUsec >= Resources.PERIOD_USEC; carryUsec -= Resources.PERIOD_USEC) {
            runPeriod();
        }
        return changed;
    }

    /** A pod's quota is the sum of its containers', so it holds them back only where there is just one. */
    private void runPeriod() {
        boolean same = containers.size() == 1 && slice.quotaUsec > 0;
        boolean ran = false;
        long stalled = 0;
        for (DemoContainer container : containers) {
            stalled += container.runPeriod(same);
            ran |= container.ranInLastPeriod();
        }
        if (slice.quotaUsec > 0) {
            slice.own.cpu.add("nr_periods", ran || ranInLastPeriod ? 1 : 0);
        }
        if (same && stalled > 0) {
            slice.own.cpu.add("nr_throttled", 1);
            slice.own.cpu.add("throttled_usec", stalled);
            slice.stalledUsec += stalled;
        }
        ranInLastPeriod = ran;
    }
}
