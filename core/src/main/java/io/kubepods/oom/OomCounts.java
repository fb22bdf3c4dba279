package io.kubepods.oom;

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

    /** Processes killed, as the kernel counts them: the victim of a group kill twice. */
    public long kills() {
        return kills;
    }

    /** OOMs, each one whatever it took along. */
    public long incidents(OomCause cause) {
        return incidents[cause.ordinal()];
    }

    /** Whether the kernel has said anything: it does not without the memory controller. */
    public boolean isKnown() {
        return known;
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
}
