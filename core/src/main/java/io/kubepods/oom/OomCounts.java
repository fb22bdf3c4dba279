package io.kubepods.oom;

import io.kubepods.cgroup.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * What has been counted for one container, pod or slice; it only grows.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomCounts {
    private static final OomCause[] CAUSES = OomCause.values();

    private final long[] incidents = new long[CAUSES.length];
    private long kills;
    private boolean known;

    /**
     * Processes killed, as the kernel counts them: the victim of a group kill twice. {@link Value#ABSENT} before the kernel has
     * said anything, which it does not without the memory controller.
     */
    public long kills() {
        return known ? kills : Value.ABSENT;
    }

    /** OOMs, each one whatever it took along; {@link Value#ABSENT} likewise. */
    public long incidents(OomCause cause) {
        return known ? incidents[cause.ordinal()] : Value.ABSENT;
    }

    /** Says that the kernel counts. */
    public void known() {
        known = true;
    }

    public boolean isZero() {
        for (long count : incidents) {
            if (count != 0) {
                return false;
            }
        }
        return kills == 0;
    }

    public void addKills(long count) {
        known = true;
        kills += count;
    }

    public void addIncidents(OomCause cause, long count) {
        known = true;
        incidents[cause.ordinal()] += count;
    }

    public void add(OomCounts other) {
        known |= other.known;
        kills += other.kills;
        for (int i = 0; i < incidents.length; i++) {
            incidents[i] += other.incidents[i];
        }
    }

    /** As it is kept over a restart. */
    public OomState.Counts save() {
        Map<String, Long> nonZero = new HashMap<>();
        for (OomCause cause : CAUSES) {
            long count = incidents[cause.ordinal()];
            if (count != 0) {
                nonZero.put(cause.label(), count);
            }
        }
        return new OomState.Counts(kills, nonZero);
    }

    /** Adds what was kept; a cause that is not known any more counts as unknown. */
    public void restore(OomState.Counts saved) {
        if (saved.kills() != 0 || !saved.incidents().isEmpty()) {
            addKills(saved.kills());
        }
        saved.incidents().forEach((label, count) -> addIncidents(cause(label), count));
    }

    private static OomCause cause(String label) {
        for (OomCause cause : CAUSES) {
            if (cause.label().equals(label)) {
                return cause;
            }
        }
        return OomCause.UNKNOWN;
    }
}
