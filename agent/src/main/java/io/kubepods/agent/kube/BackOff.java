package io.kubepods.agent.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the API server is asked again: longer after every failure, with chance in it, since all agents
 * of a cluster meet the same failure at once. That something was answered ends no row of failures; only what has lasted does.
 *
 * <p>One thread's.
 */
final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(200);

    private int failures;

    /** Whether nothing has failed since the last success. */
    boolean isFresh() {
        return failures == 0;
    }

    /** Something has lasted. */
    void succeeded() {
        failures = 0;
    }

    /** Something has failed once more. */
    Duration failed(Duration atMost) {
        long delay = Math.min(FIRST.toNanos() << Math.min(failures, 10), atMost.toNanos());
        failures++;
        return Duration.ofNanos(
                (long) (delay * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
    }
}
