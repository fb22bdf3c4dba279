package io.kubepods.agent;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does one thing at a fixed rate, on a thread of its own. Ticks that are late are skipped, never made up for; a tick that
 * fails is counted, and the next one is tried, unless the JVM itself has failed.
 */
final class TickLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TickLoop.class);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long CLOSE_MILLIS = 5_000;

    private final Runnable work;
    private final long intervalNanos;
    private final Thread thread = new Thread(this::run, "tick");
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong ticks = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private volatile long lagNanos;
    private volatile long beganAt;
    private volatile boolean closed;

    TickLoop(Duration interval, Runnable work) {
        this.work = work;
        intervalNanos = interval.toNanos();
        thread.setDaemon(true);
    }

    void start() {
        beganAt = System.nanoTime();
        thread.start();
    }

    private void run() {
        long due = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            if (now < due) {
                LockSupport.parkNanos(due - now);
                continue;
            }
            lagNanos = now - due;
            beganAt = now;
            tick();
            due += intervalNanos;
            long late = System.nanoTime() - due;
            if (late > 0) {
                long missed = (late + intervalNanos - 1) / intervalNanos;
                skipped.addAndGet(missed);
                due += missed * intervalNanos;
            }
        }
    }

    private void tick() {
        try {
            work.run();
            ticks.incrementAndGet();
        } catch (VirtualMachineError e) {
            fail(e);
            if (!(e instanceof StackOverflowError)) {
                throw e; // without memory, better to be found dead by /healthz and started anew
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable e) {
        if (failures.getAndIncrement() == 0) {
            log.error("A tick failed; further failures are counted in kubepods_agent_tick_failures_total only.", e);
        }
    }

    /** How late the last tick began. */
    double lagSeconds() {
        return lagNanos / NANOS_PER_SECOND;
    }

    long failures() {
        return failures.get();
    }

    long skipped() {
        return skipped.get();
    }

    /** Whether a tick has been done. */
    boolean hasTicked() {
        return ticks.get() > 0;
    }

    /** Whether ticks still begin: the thread lives, and the last one began not long ago. */
    boolean isAlive(Duration patience) {
        return thread.isAlive() && System.nanoTime() - beganAt < Math.max(patience.toNanos(), 10 * intervalNanos);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS); // it may hang in the kernel, and must not keep the process from ending
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
