package io.kubepods.model;

import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The OOM kills of one pod, by the names of its containers: they outlive the containers' cgroups, and for a while the pod's.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class PodOoms {
    private final String uid;
    final Map<String, OomCounts> byName = new LinkedHashMap<>();

    /** Of containers that are gone, and may still be named. */
    private final List<Nameless> nameless = new ArrayList<>();

    private final OomCounts unattributed = new OomCounts();
    private String namespace = "";
    private String name;
    /** Containers that went while no agent ran. */
    final List<OomState.Account> missing = new ArrayList<>();

    /** How many cgroups and containers of it are there. */
    int present;
    /** When the last of them went, in nanoseconds. */
    long goneAt;

    /** @param until in nanoseconds */
    record Nameless(String id, OomCounts counts, long until) {}

    PodOoms(String uid) {
        this.uid = uid;
        name = uid;
    }

    public String uid() {
        return uid;
    }

    /** "" while the API has not named the pod. */
    public String namespace() {
        return namespace;
    }

    /** The uid while the API has not named the pod. */
    public String name() {
        return name;
    }

    /** Kills, and OOMs, that no container can be named for. */
    public OomCounts unattributed() {
        return unattributed;
    }

    /** Looks its name up again; one that the API has forgotten stays. */
    void rename(PodSource source) {
        Pod found = source.find(uid);
        if (found != null) {
            namespace = found.namespace();
            name = found.name();
        }
    }

    /** What the API calls a container; null when it does not know it. */
    @Nullable
    String nameOf(String containerId, PodSource source) {
        Pod found = source.find(uid);
        Pod.Container container = found == null ? null : found.containers().get(containerId);
        return container == null ? null : container.name();
    }

    OomCounts of(String container) {
        return byName.computeIfAbsent(container, name -> new OomCounts());
    }

    boolean hasNameless() {
        return !nameless.isEmpty();
    }

    /** Counts of a container that is gone and has no name yet. */
    OomCounts nameless(String id, long until) {
        for (Nameless one : nameless) {
            if (one.id.equals(id)) {
                return one.counts;
            }
        }
        Nameless more = new Nameless(id, new OomCounts(), until);
        nameless.add(more);
        return more.counts;
    }

    /** Puts what has got a name under it, and what will get none any more to the pod; true when there was any. */
    boolean settleNameless(PodSource source, long now) {
        int before = nameless.size();
        for (int i = nameless.size() - 1; i >= 0; i--) {
            Nameless one = nameless.get(i);
            String name = nameOf(one.id, source);
            if (name != null) {
                of(name).add(one.counts);
                nameless.remove(i);
            } else if (now - one.until >= 0) {
                unattributed.add(one.counts);
                nameless.remove(i);
            }
        }
        return nameless.size() != before;
    }

    boolean isZero() {
        if (!unattributed.isZero() || !nameless.isEmpty()) {
            return false;
        }
        for (OomCounts counts : byName.values()) {
            if (!counts.isZero()) {
                return false;
            }
        }
        return true;
    }

    OomState.Pod save() {
        Map<String, OomState.Counts> containers = new LinkedHashMap<>();
        byName.forEach((container, counts) -> containers.put(container, counts.save()));
        Map<String, OomState.Counts> left = new LinkedHashMap<>();
        nameless.forEach(one -> left.put(one.id, one.counts.save()));
        return new OomState.Pod(uid, namespace, name, unattributed.save(), containers, left);
    }

    void restore(OomState.Pod saved, long nameableUntil) {
        namespace = saved.namespace();
        name = saved.name();
        unattributed.restore(saved.unattributed());
        saved.containers().forEach((container, counts) -> of(container).restore(counts));
        saved.nameless().forEach((id, counts) -> nameless(id, nameableUntil).restore(counts));
    }

    /** Takes over what another pod of the same name, now forgotten, had counted. */
    void inherit(PodOoms other) {
        other.byName.forEach((container, counts) -> of(container).add(counts));
        unattributed.add(other.unattributed);
        for (Nameless left : other.nameless) {
            unattributed.add(left.counts);
        }
    }
}
