package io.kubepods.kernel;

/**
 * Whether something that happens again and again is to be logged: the first time, and then once an hour.
 *
 * <p>Not thread-safe.
 */
public final class OncePerHour {
    private static final long AGAIN_NANOS = 3_600_000_000_000L;

    private boolean said;
    private long saidAt;

    /** @param now {@link System#nanoTime()} */
    public boolean isDue(long now) {
        if (said && now - saidAt < AGAIN_NANOS) {
            return false;
        }
        said = true;
        saidAt = now;
        return true;
    }
}
