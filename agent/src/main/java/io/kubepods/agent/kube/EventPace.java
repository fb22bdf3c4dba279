package io.kubepods.agent.kube;

import java.util.HashMap;
import java.util.Map;

/**
 * How many events may be written: a container that is killed every second gives one a minute, and a node in a storm no more
 * than the API server bears.
 *
 * <p>Not thread-safe.
 */
final class EventPace {
    /** Of one kind, one in so long. */
    private static final long OF_ONE_KIND_NANOS = 60_000_000_000L;

    /** Of all kinds, so many at once, and then one in so long. */
    private static final int AT_ONCE = 20;

    private static final long ONE_MORE_NANOS = 5_000_000_000L;
    static final int HELD_BACK = -1;

    private final Map<String, Kind> kinds = new HashMap<>();
    private long credit = AT_ONCE * ONE_MORE_NANOS;
    private long creditAt;
    private boolean begun;

    private static final class Kind {
        private long writtenAt;
        private int heldBack;
    }

    /**
     * Asks for one more.
     *
     * @param kind of whom it tells, and what
     * @param now {@link System#nanoTime()}
     * @return {@link #HELD_BACK}, or how many of the kind have been held back since the last one that was not
     */
    int take(String kind, long now) {
        credit = begun ? Math.min(AT_ONCE * ONE_MORE_NANOS, credit + now - creditAt) : credit;
        creditAt = now;
        begun = true;
        kinds.values().removeIf(old -> old.heldBack == 0 && now - old.writtenAt >= OF_ONE_KIND_NANOS);
        Kind known = kinds.get(kind);
        if (credit < ONE_MORE_NANOS || (known != null && now - known.writtenAt < OF_ONE_KIND_NANOS)) {
            if (known == null) {
                known = new Kind();
                known.writtenAt = now - OF_ONE_KIND_NANOS;
                kinds.put(kind, known);
            }
            known.heldBack++;
            return HELD_BACK;
        }
        credit -= ONE_MORE_NANOS;
        int heldBack = known == null ? 0 : known.heldBack;
        Kind written = new Kind();
        written.writtenAt = now;
        kinds.put(kind, written);
        return heldBack;
    }

    /** How many kinds are remembered. */
    int size() {
        return kinds.size();
    }
}
