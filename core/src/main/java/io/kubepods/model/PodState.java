package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pod that is there: its cgroup, its containers, and its name. Where the container runtime ignores the kubelet's
 * cgroup driver, a pod's containers are elsewhere, and it may have no cgroup of its own.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class PodState {
    final List<Cgroup> cgroups = new ArrayList<>(1);
    final List<ContainerState> containers = new ArrayList<>();
    private final String uid;
    private @Nullable Pod pod;

    PodState(String uid) {
        this.uid = uid;
    }

    /** The uid in the cgroup's name, with dashes; of a static pod the hash. */
    public String uid() {
        return uid;
    }

    /** Its namespace, or "" while the API has not named it. */
    public String namespace() {
        return pod == null ? "" : pod.namespace();
    }

    /** Its name, or its uid while the API has not named it. */
    public String name() {
        return pod == null ? uid : pod.name();
    }

    /** What the API says of it; null while it has not named it. */
    public @Nullable Pod pod() {
        return pod;
    }

    /** Its cgroup; null when only its containers have been found. */
    public @Nullable Cgroup cgroup() {
        return cgroups.isEmpty() ? null : cgroups.get(0);
    }

    public List<ContainerState> containers() {
        return Collections.unmodifiableList(containers);
    }

    /** cpu.stat of its own cgroup; {@link Value#ABSENT} if it has none. */
    long sample(CpuStat key) {
        return cgroups.isEmpty() ? Value.ABSENT : cgroups.get(0).sample().cpuStat(key);
    }

    boolean isEmpty() {
        return cgroups.isEmpty() && containers.isEmpty();
    }

    /** Looks its name and its containers' up again; true when something changed. */
    boolean rename(PodSource source) {
        Pod named = source.find(uid);
        boolean changed = !Objects.equals(named, pod);
        pod = named;
        for (ContainerState container : containers) {
            changed |= container.rename();
        }
        return changed;
    }

    @Override
    public String toString() {
        return namespace() + "/" + name();
    }
}
