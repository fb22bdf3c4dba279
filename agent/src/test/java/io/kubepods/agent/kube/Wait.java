package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread does, looking again and again. */
public final class Wait {
    private static final long AGAIN_NANOS = 2_000_000;

    private Wait() {}

    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, Duration.ofSeconds(30), condition);
    }

    /** @param patience a bound for broken code, not a measurement */
    public static void until(String what, Duration patience, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                fail(patience.toSeconds() + " s have passed, and not: " + what);
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }
}
