package io.kubepods.agent.kube;

import static io.kubepods.agent.kube.EventPace.HELD_BACK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Events are few, and say how many were not written. */
class EventPaceTest {
    private static final long SECOND = 1_000_000_000L;

    private final EventPace pace = new EventPace();
    private static final long START = Long.MAX_VALUE - 30 * SECOND; // nanoTime overflows at some time

    private int take(String kind, long seconds) {
        return pace.take(kind, START + seconds * SECOND);
    }

    @Test
    void ofOneKindOneAMinute() {
        assertEquals(0, take("a", 0));
        assertEquals(0, take("b", 0));
        for (int i = 1; i < 60; i++) {
            assertEquals(HELD_BACK, take("a", i));
        }
        assertEquals(59, take("a", 60));
        assertEquals(HELD_BACK, take("a", 61));
        assertEquals(1, take("a", 120));
        assertEquals(0, take("b", 120));
    }

    @Test
    void ofAllTwentyAtOnceAndOneInFiveSeconds() {
        for (int i = 0; i < 20; i++) {
            assertEquals(0, take("pod " + i, 0));
        }
        assertEquals(HELD_BACK, take("another", 4));
        assertEquals(1, take("another", 5));
        assertEquals(HELD_BACK, take("more", 6));
        for (int i = 0; i < 20; i++) {
            assertEquals(0, take("later " + i, 3_600));
        }
        assertEquals(HELD_BACK, take("too many", 3_600));
    }

    @Test
    void whatIsLongPastIsForgotten() {
        for (int i = 0; i < 1_000; i++) {
            take("pod " + i, i * 5L);
        }
        assertEquals(12, pace.size());
    }
}
