package io.kubepods.model;

import io.kubepods.oom.OomState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The ledger's pods: those that are there, and for a while those that were.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomPods {
    /** A pod that is gone keeps its counts for so long, for the last scrapes and for a successor of the same name. */
    static final long KEPT_NANOS = 300_000_000_000L;

    private final Map<String, PodOoms> byUid = new HashMap<>();
    /** The same pods once more: a list can be walked without an iterator. */
    private final List<PodOoms> all = new ArrayList<>();

    private final List<PodOoms> gone = new ArrayList<>();

    /** Known ones and new ones. */
    PodOoms of(String uid) {
        PodOoms pod = byUid.get(uid);
        if (pod == null) {
            pod = new PodOoms(uid);
            byUid.put(uid, pod);
            all.add(pod);
        }
        return pod;
    }

    void forEach(Consumer<PodOoms> each) {
        all.forEach(each);
    }

    /** One more cgroup of a pod is there. */
    PodOoms appeared(String uid) {
        PodOoms pod = of(uid);
        pod.present++;
        gone.remove(pod);
        return pod;
    }

    /** One less. */
    void closed(PodOoms pod, long now) {
        if (--pod.present == 0) {
            isGone(pod, now);
        }
    }

    /** After a restart: pods of which nothing is there any more. */
    void endOfRestore(long now) {
        for (PodOoms pod : all) {
            if (pod.present == 0) {
                isGone(pod, now);
            }
        }
    }

    private void isGone(PodOoms pod, long now) {
        pod.goneAt = now;
        gone.add(pod);
    }

    /** Looks the names up again. */
    void rename(PodSource source) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).rename(source);
        }
    }

    /** Puts what has got a name, or will get none any more, where it belongs; true when there was any. */
    boolean settleNameless(PodSource source, long now) {
        boolean changed = false;
        for (int i = 0; i < all.size(); i++) {
            PodOoms pod = all.get(i);
            changed |= pod.hasNameless() && pod.settleNameless(source, now);
        }
        return changed;
    }

    /** Forgets pods that are long gone, or have nothing to tell; true when there were any. */
    boolean forget(long now) {
        boolean forgot = false;
        for (int i = gone.size() - 1; i >= 0; i--) {
            PodOoms pod = gone.get(i);
            if (now - pod.goneAt >= KEPT_NANOS || pod.isZero()) {
                gone.remove(i);
                byUid.remove(pod.uid());
                all.remove(pod);
                bequeath(pod);
                forgot = true;
            }
        }
        return forgot;
    }

    /** A pod of the same name goes on counting, or the series would seem to begin anew. */
    private void bequeath(PodOoms pod) {
        for (PodOoms other : all) {
            if (other.name().equals(pod.name()) && other.namespace().equals(pod.namespace())) {
                other.inherit(pod);
                return;
            }
        }
    }

    List<OomState.Pod> save() {
        return all.stream().map(PodOoms::save).toList();
    }

    void restore(List<OomState.Pod> saved, long nameableUntil) {
        for (OomState.Pod pod : saved) {
            of(pod.uid()).restore(pod, nameableUntil);
        }
    }
}
