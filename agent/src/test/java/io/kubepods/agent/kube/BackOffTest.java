package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private static final Duration MOST = Duration.ofSeconds(30);

    private static void between(long least, long most, Duration delay) {
        assertTrue(delay.toMillis() >= least && delay.toMillis() <= most, delay::toString);
    }

    @Test
    void waitsTwiceAsLongAfterEachFailureUpToTheMost() {
        BackOff backOff = new BackOff();
        for (long most = 200; most < MOST.toMillis(); most *= 2) {
            between(most / 2, most, backOff.failed(MOST));
        }
        for (int i = 0; i < 100; i++) {
            between(15_000, 30_000, backOff.failed(MOST));
            between(2_000, 4_000, backOff.failed(Duration.ofSeconds(4)));
        }
    }

    @Test
    void beginsAnewAfterASuccess() {
        BackOff backOff = new BackOff();
        assertTrue(backOff.isFresh());
        backOff.failed(MOST);
        backOff.failed(MOST);
        assertFalse(backOff.isFresh());
        backOff.succeeded();
        assertTrue(backOff.isFresh());
        between(100, 200, backOff.failed(MOST));
    }
}
