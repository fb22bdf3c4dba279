package io.kubepods.oom;

import io.kubepods.cgroup.Value;

/**
 * One count of memory.events over the last readings. It goes on where the kernel's begins anew: after the memory controller
 * was switched off and on, the kernel counts from 0.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomCounter {
    private long raw;
    private long now;
    private long before;
    private long earlier;
    private long earliest;
    private long settled;
    private boolean known;

    /** Begins with what was there already. */
    public void begin(long value) {
        raw = value;
        now = value;
        before = value;
        earlier = value;
        earliest = value;
        settled = value;
    }

    /** Whether a reading is less than the last one: the kernel has begun anew. */
    public boolean isFall(long value) {
        return value != Value.ABSENT && value < raw;
    }

    /**
     * Takes a reading; {@link Value#ABSENT} is no news.
     *
     * @param anew whether the kernel has begun to count from 0 since the last one
     */
    public void observe(long value, boolean anew) {
        settled = earliest;
        earliest = earlier;
        earlier = before;
        before = now;
        if (value != Value.ABSENT) {
            known = true;
            now += anew ? value : value - raw;
            raw = value;
        }
    }

    /** Takes instead of a reading that it must have been so much at least. */
    public void atLeast(long value) {
        long more = Math.max(0, value - now);
        now += more;
        raw += more;
    }

    /** Whether it has ever been read. */
    public boolean isKnown() {
        return known;
    }

    /** By the last reading. */
    public long now() {
        return now;
    }

    /** By the reading before the last. */
    public long before() {
        return before;
    }

    /** Whether the last reading brought more. */
    public boolean isRising() {
        return now > before;
    }

    /** Whether one of the last four readings brought more. */
    public boolean rose() {
        return now > settled;
    }

    /** Whether one of the two readings before the last brought more. */
    public boolean roseBefore() {
        return before > earliest;
    }

    /** How much more this counter says than the kernel, which has begun anew meanwhile. */
    public long ahead() {
        return now - raw;
    }

    /** The kernel's number as of when this counter stood at {@code value}, for a later {@link #begin}. */
    public long rawAt(long value) {
        return Math.max(0, raw - (now - value));
    }

    /** The kernel's number before anything that may still have to be judged. */
    public long rawSettled() {
        return rawAt(settled);
    }
}
