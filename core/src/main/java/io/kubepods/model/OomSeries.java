package io.kubepods.model;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomCounts;
import java.util.ArrayList;
import java.util.List;

/**
 * The OOM kills that stand under one name: of a container, or of a pod those that no container can be named for. Where several
 * claim the name they add up.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomSeries {
    private final String namespace;
    private final String pod;
    private final String container;
    private final List<OomCounts> counts = new ArrayList<>(1);

    OomSeries(String namespace, String pod, String container) {
        this.namespace = namespace;
        this.pod = pod;
        this.container = container;
    }

    public String namespace() {
        return namespace;
    }

    public String pod() {
        return pod;
    }

    /** "" of a pod. */
    public String container() {
        return container;
    }

    /** {@link Value#ABSENT} where the kernel does not count. */
    public long kills() {
        long sum = Value.ABSENT;
        for (int i = 0; i < counts.size(); i++) {
            sum = plus(sum, counts.get(i).kills());
        }
        return sum;
    }

    /** {@link Value#ABSENT} where the kernel does not count. */
    public long incidents(OomCause cause) {
        long sum = Value.ABSENT;
        for (int i = 0; i < counts.size(); i++) {
            sum = plus(sum, counts.get(i).incidents(cause));
        }
        return sum;
    }

    private static long plus(long sum, long more) {
        return more == Value.ABSENT ? sum : Math.max(sum, 0) + more;
    }

    void clear() {
        counts.clear();
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    void add(OomCounts more) {
        counts.add(more);
    }
}
