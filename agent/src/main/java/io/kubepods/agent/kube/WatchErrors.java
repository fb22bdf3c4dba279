package io.kubepods.agent.kube;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What went wrong between this agent and the API server: counted by reason, and said once, then once an hour.
 *
 * <p>Written by the watcher's thread, read by any.
 */
final class WatchErrors {
    private static final Logger log = LoggerFactory.getLogger(WatchErrors.class);
    private static final long AGAIN_NANOS = 3_600_000_000_000L;

    private final LongSupplier nanos;
    private final AtomicLongArray counts = new AtomicLongArray(Reason.values().length);
    private final long[] saidAt = new long[counts.length()];

    /** @param nanos {@link System#nanoTime()} */
    WatchErrors(LongSupplier nanos) {
        this.nanos = nanos;
    }

    long count(Reason reason) {
        return counts.get(reason.ordinal());
    }

    /**
     * @param sentence what is wrong and, where that is known, what to do
     * @return whether it was said, and not only counted
     */
    boolean add(Reason reason, String sentence) {
        int index = reason.ordinal();
        long now = nanos.getAsLong();
        boolean first = counts.getAndIncrement(index) == 0;
        if (!first && now - saidAt[index] < AGAIN_NANOS) {
            return false;
        }
        saidAt[index] = now;
        log.warn(
                "{} Counted in kubepods_agent_pod_watch_errors_total{reason=\"{}\"}; said again after an hour at the"
                        + " soonest.",
                sentence,
                reason.label());
        return true;
    }
}
