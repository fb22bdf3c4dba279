package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TickLoopTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void goesOnAfterAFailureAndCountsIt() throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(5);
        try (TickLoop loop = new TickLoop(SHORT, () -> {
            ticks.countDown();
            if (ticks.getCount() == 3) {
                throw new IllegalStateException("on purpose");
            }
        })) {
            loop.start();
            ticks.await();
            assertEquals(1, loop.failures());
            assertTrue(loop.hasTicked());
            assertTrue(loop.isAlive(Duration.ofMinutes(1)));
        }
    }

    @Test
    void goesOnAfterAnErrorThatIsNotTheMachines() throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(4);
        try (TickLoop loop = new TickLoop(SHORT, () -> {
            ticks.countDown();
            if (ticks.getCount() == 3) {
                throw new StackOverflowError("on purpose");
            }
            if (ticks.getCount() == 2) {
                throw new NoClassDefFoundError("on purpose");
            }
        })) {
            loop.start();
            ticks.await();
            assertEquals(2, loop.failures());
        }
    }

    @Test
    void skipsWhatItMissedInsteadOfMakingUpForIt() throws InterruptedException {
        AtomicInteger ticks = new AtomicInteger();
        CountDownLatch slowOne = new CountDownLatch(1);
        CountDownLatch another = new CountDownLatch(2);
        try (TickLoop loop = new TickLoop(SHORT, () -> {
            if (ticks.incrementAndGet() == 1) {
                long until = System.nanoTime() + 50 * SHORT.toNanos();
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                slowOne.countDown();
            }
            another.countDown();
        })) {
            loop.start();
            slowOne.await();
            another.await();
            assertTrue(loop.skipped() >= 49, () -> "skipped " + loop.skipped());
        }
    }

    @Test
    void isDoneAfterClosing() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        TickLoop loop = new TickLoop(Duration.ofHours(1), first::countDown);
        assertFalse(loop.isAlive(Duration.ofMinutes(1)));
        loop.start();
        first.await();
        loop.close();
        assertFalse(loop.isAlive(Duration.ofMinutes(1)));
    }
}
