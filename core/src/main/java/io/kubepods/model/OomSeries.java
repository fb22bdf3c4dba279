package io.kubepods.model;

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

    public long kills() {
        long sum = 0;
        for (int i = 0; i < counts.size(); i++) {
            sum += counts.get(i).kills();
        }
        return sum;
    }

    public long incidents(OomCause cause) {
        long sum = 0;
        for (int i = 0; i < counts.size(); i++) {
            sum += counts.get(i).incidents(cause);
        }
        return sum;
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
