package io.kubepods.model;

import io.kubepods.kubelet.Quantities;
import java.util.List;

/**
 * What the pods that are on this node request together, and may use by their specs: of those that the API has told of.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class NodeTotals {
    private long requestedMillis = Quantities.ABSENT;
    private long requestedBytes = Quantities.ABSENT;
    private long limitMillis = Quantities.ABSENT;
    private long limitBytes = Quantities.ABSENT;

    /** Adds them up; nothing is known before any pod is. */
    void addUp(List<PodState> pods) {
        requestedMillis = Quantities.ABSENT;
        requestedBytes = Quantities.ABSENT;
        limitMillis = Quantities.ABSENT;
        limitBytes = Quantities.ABSENT;
        for (int i = 0; i < pods.size(); i++) {
            Pod named = pods.get(i).pod();
            if (named != null) {
                Quantities requests = named.info().resources().requests();
                Quantities limits = named.info().resources().limits();
                requestedMillis = plus(requestedMillis, requests.cpuMillis());
                requestedBytes = plus(requestedBytes, requests.memoryBytes());
                limitMillis = plus(limitMillis, limits.cpuMillis());
                limitBytes = plus(limitBytes, limits.memoryBytes());
            }
        }
    }

    /** A pod that says nothing adds nothing; a sum that is too large becomes the largest number. */
    private static long plus(long sum, long more) {
        long known = Math.max(0, sum);
        return more == Quantities.ABSENT ? known : known > Long.MAX_VALUE - more ? Long.MAX_VALUE : known + more;
    }

    public Quantities requests() {
        return new Quantities(requestedMillis, requestedBytes);
    }

    /** Without the pods that have no limit, which may use all there is. */
    public Quantities limits() {
        return new Quantities(limitMillis, limitBytes);
    }
}
