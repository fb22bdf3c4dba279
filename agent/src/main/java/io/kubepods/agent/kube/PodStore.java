package io.kubepods.agent.kube;

import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pods of this node as the API told of them last, by the uid that their cgroups carry. A pod that the API no longer has
 * is kept for {@link #GRACE}: its cgroup is there a little longer, and what is counted of it longer still.
 *
 * <p>Written by the watcher's thread, read by any.
 */
final class PodStore implements PodSource {
    static final Duration GRACE = Duration.ofMinutes(5);

    private final LongSupplier nanos;
    private final Map<String, Pod> byUid = new HashMap<>();
    private final Map<String, Long> departedAt = new HashMap<>();
    private final AtomicLong generation = new AtomicLong();
    private @Nullable Quantities capacity;

    /** @param nanos {@link System#nanoTime()} */
    PodStore(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public synchronized @Nullable Pod find(String uid) {
        return byUid.get(uid);
    }

    @Override
    public long generation() {
        return generation.get();
    }

    @Override
    public synchronized @Nullable Quantities capacity() {
        return capacity;
    }

    /** How many pods are remembered, departed ones too. */
    synchronized int size() {
        return byUid.size();
    }

    synchronized void setCapacity(Quantities amounts) {
        if (!amounts.equals(capacity)) {
            capacity = amounts;
            generation.incrementAndGet();
        }
    }

    /**
     * A pod that is there, new or changed. Anybody who may make a pod may annotate it as the mirror of another: the uid that
     * the API server gave wins.
     */
    synchronized void put(Pod pod) {
        Pod known = byUid.get(pod.uid());
        if (known != null && pod.info().isStatic() && !known.info().isStatic()) {
            return;
        }
        departedAt.remove(pod.uid());
        if (!pod.equals(byUid.put(pod.uid(), pod))) {
            generation.incrementAndGet();
        }
    }

    /** A pod that the API has just removed, as it was at last. */
    synchronized void remove(Pod pod) {
        put(pod);
        Pod known = byUid.get(pod.uid());
        if (known != null && known.info().isStatic() != pod.info().isStatic()) {
            return;
        }
        departedAt.put(pod.uid(), nanos.getAsLong());
    }

    /** All pods that are there: any other has departed, now or before. */
    synchronized void replaceAll(Collection<Pod> pods) {
        Map<String, Pod> others = new HashMap<>(byUid);
        for (Pod pod : pods) {
            put(pod);
            others.remove(pod.uid());
        }
        others.keySet().forEach(uid -> departedAt.putIfAbsent(uid, nanos.getAsLong()));
    }

    /** Forgets the pods that departed long enough ago. */
    synchronized void expire() {
        if (departedAt.isEmpty()) {
            return;
        }
        long now = nanos.getAsLong();
        for (Iterator<Map.Entry<String, Long>> all = departedAt.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Long> departed = all.next();
            if (now - departed.getValue() >= GRACE.toNanos()) {
                byUid.remove(departed.getKey());
                all.remove();
            }
        }
    }
}
