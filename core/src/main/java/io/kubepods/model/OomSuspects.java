package io.kubepods.model;

import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomState;

/** Which container was killed, of those that nobody has seen dying. */
final class OomSuspects {
    private OomSuspects() {}

    /** The container that the log names. */
    static OomCase named(OomAccount account, PodOoms pod, String id, PodSource source, long nameableUntil) {
        for (OomAccount child : account.children) {
            ContainerState container = child.container;
            if (container != null && container.id().equals(id) && !child.isSandbox()) {
                return new OomCase(pod, account, child, child.name(), id, child.counts);
            }
        }
        if (id.isEmpty()) {
            return new OomCase(pod, account, null, "", "", pod.unattributed());
        }
        String name = pod.nameOf(id, source);
        OomCounts counts = name == null ? pod.nameless(id, nameableUntil) : pod.of(name);
        return new OomCase(pod, account, null, name == null ? id.substring(0, 12) : name, id, counts);
    }

    /** The container that must be meant: the pod's only one, or the only one that is missing since. */
    static OomCase missing(OomAccount account, PodOoms pod, long incidents, PodSource source, long tick) {
        OomAccount gone = account.onlyGone(tick, incidents);
        ContainerState container = gone == null ? null : gone.container;
        Pod known = source.find(pod.uid());
        String only = known == null ? "" : known.info().onlyContainer();
        if (gone != null && container != null) {
            return new OomCase(pod, account, gone, gone.name(), container.id(), gone.counts);
        }
        if (only.isEmpty() && gone == null && pod.missing.size() == 1) {
            OomState.Account missing = pod.missing.get(0);
            if (!missing.name().isEmpty() && incidents <= 1) {
                return new OomCase(pod, account, null, missing.name(), missing.containerId(), pod.of(missing.name()));
            }
        }
        if (!only.isEmpty()) {
            return new OomCase(pod, account, null, only, "", pod.of(only));
        }
        return new OomCase(pod, account, null, "", "", pod.unattributed());
    }
}
