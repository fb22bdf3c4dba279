package io.kubepods.agent.kube;

import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pods of this node as the API told of them last. They come and go by the uid that the API server gave them, and are
 * found by the uid that their cgroups carry, which several may claim: anybody who may make a pod may annotate it as the
 * mirror of another. A pod that the API no longer has is kept for {@link #GRACE}: its cgroup is there a little longer, and
 * what is counted of it longer still.
 *
 * <p>Written by the watcher's thread, read by any.
 */
final class PodStore implements PodSource {
    static final Duration GRACE = Duration.ofMinutes(5);

    private final LongSupplier nanos;
    private final Map<String, Claim> byApiUid = new HashMap<>();
    /** By the cgroup's uid, whoever claims it, the one that is believed first. */
    private final Map<String, List<Claim>> byUid = new HashMap<>();

    private final AtomicLong generation = new AtomicLong();
    private @Nullable Quantities capacity;

    /** @param departedAt null while the API has it */
    private record Claim(Pod pod, @Nullable Long departedAt) {
        String uid() {
            return pod.uid();
        }

        boolean isDeparted() {
            return departedAt != null;
        }
    }

    /** Of equal ones the one that is there: a mirror that somebody deleted is made anew, under the same hash. */
    private static final Comparator<Claim> MOST_CREDIBLE_FIRST = Comparator.comparing(Claim::pod, ClaimOrder.BY_MAKER)
            .thenComparing(Claim::isDeparted)
            .thenComparing(Claim::pod, ClaimOrder.BY_AGE);

    /** @param nanos {@link System#nanoTime()} */
    PodStore(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public synchronized @Nullable Pod find(String uid) {
        List<Claim> claims = byUid.get(uid);
        return claims == null ? null : claims.get(0).pod();
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
        return byApiUid.size();
    }

    synchronized void setCapacity(Quantities amounts) {
        if (!amounts.equals(capacity)) {
            capacity = amounts;
            generation.incrementAndGet();
        }
    }

    /** A pod that is there, new or changed. */
    synchronized void put(Pod pod) {
        replace(pod.apiUid(), new Claim(pod, null));
    }

    /** A pod that the API has just removed, as it was at last. */
    synchronized void remove(Pod pod) {
        replace(pod.apiUid(), new Claim(pod, nanos.getAsLong()));
    }

    /** All pods that are there: any other has departed, now or before. */
    synchronized void replaceAll(Collection<Pod> pods) {
        Set<String> others = new HashSet<>(byApiUid.keySet());
        for (Pod pod : pods) {
            put(pod);
            others.remove(pod.apiUid());
        }
        for (String apiUid : others) {
            Claim claim = byApiUid.get(apiUid);
            if (claim != null && !claim.isDeparted()) {
                remove(claim.pod());
            }
        }
    }

    /** Forgets the pods that departed long enough ago. */
    synchronized void expire() {
        long now = nanos.getAsLong();
        List<Claim> expired = new ArrayList<>();
        for (Claim claim : byApiUid.values()) {
            Long departedAt = claim.departedAt();
            if (departedAt != null && now - departedAt >= GRACE.toNanos()) {
                expired.add(claim);
            }
        }
        expired.forEach(claim -> replace(claim.pod().apiUid(), null));
    }

    private void replace(String apiUid, @Nullable Claim claim) {
        Claim before = claim == null ? byApiUid.remove(apiUid) : byApiUid.put(apiUid, claim);
        if (before != null && (claim == null || !before.uid().equals(claim.uid()))) {
            replace(before.uid(), before, null);
            before = null;
        }
        if (claim != null) {
            replace(claim.uid(), before, claim);
        }
    }

    private void replace(String uid, @Nullable Claim before, @Nullable Claim claim) {
        Pod found = find(uid);
        List<Claim> claims = byUid.computeIfAbsent(uid, key -> new ArrayList<>(1));
        if (before != null) {
            claims.remove(before);
        }
        if (claim != null) {
            claims.add(claim);
        }
        claims.sort(MOST_CREDIBLE_FIRST);
        if (claims.isEmpty()) {
            byUid.remove(uid);
        }
        if (!Objects.equals(found, find(uid))) {
            generation.incrementAndGet();
        }
    }
}
