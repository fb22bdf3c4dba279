package io.kubepods.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.cgroup.Value;
import org.junit.jupiter.api.Test;

class ThrottleWindowTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int FEWEST = 3;
    private static final long PERIOD = 100_000;

    private final ThrottleWindow window = new ThrottleWindow();
    private long now;
    private long periods;
    private long throttled;
    private long micros;

    /** One second goes by in which the counters rise by so much. */
    private void second(long morePeriods, long moreThrottled, long moreMicros) {
        now += SECOND;
        periods += morePeriods;
        throttled += moreThrottled;
        micros += moreMicros;
        window.tick(now, periods, throttled, micros, PERIOD, 0);
    }

    private void seconds(int count, long morePeriods, long moreThrottled, long moreMicros) {
        for (int i = 0; i < count; i++) {
            second(morePeriods, moreThrottled, moreMicros);
        }
    }

    @Test
    void knowsNothingBeforeTheSecondTick() {
        periods = 1_000_000;
        throttled = 900_000;
        second(0, 0, 0);
        assertEquals(Double.NaN, window.ratio());
        assertEquals(Double.NaN, window.worst());
        assertEquals(Double.NaN, window.waitMicros());
    }

    @Test
    void aBurstOfOneSecondShowsAsTheWorstTickAndHardlyAsTheRatio() {
        second(0, 0, 0);
        seconds(58, 10, 0, 0);
        second(10, 9, 810_000);
        assertEquals(9 / 590.0, window.ratio(), 1e-9);
        assertEquals(0.9, window.worst(), 1e-9);
        assertEquals(90_000, window.waitMicros(), 1e-9);
        seconds(59, 10, 0, 0);
        assertEquals(0.9, window.worst(), 1e-9, "59 s later it is still in the window");
        second(10, 0, 0);
        assertEquals(0, window.worst(), 1e-9, "60 s later it is not");
        assertEquals(0, window.ratio(), 1e-9);
        assertEquals(Double.NaN, window.waitMicros());
    }

    @Test
    void lookingAtItChangesNothing() {
        second(0, 0, 0);
        seconds(10, 10, 5, 250_000);
        for (int i = 0; i < 3; i++) {
            assertEquals(0.5, window.ratio(), 1e-9);
            assertEquals(0.5, window.worst(), 1e-9);
            assertEquals(50_000, window.waitMicros(), 1e-9);
        }
    }

    @Test
    void tooFewPeriodsGiveNoRatio() {
        second(0, 0, 0);
        second(ThrottleWindow.FEWEST_PERIODS - 1, 4, 0);
        assertEquals(Double.NaN, window.ratio());
        second(1, 0, 0);
        assertEquals(0.4, window.ratio(), 1e-9);
        second(FEWEST - 1, FEWEST - 1, 0);
        assertEquals(4 / 9.0, window.worst(), 1e-9, "a tick of two periods is not the worst");
    }

    @Test
    void aQuotaThatIsTakenAwayLeavesNothingAfterAMinute() {
        second(0, 0, 0);
        seconds(60, 10, 10, 900_000);
        seconds(60, 0, 0, 0);
        assertEquals(Double.NaN, window.ratio());
        assertEquals(Double.NaN, window.worst());
    }

    @Test
    void aCounterThatFallsOrVanishesIsANewBeginningAndNoSpike() {
        second(0, 0, 0);
        seconds(5, 10, 2, 0);
        periods = 3;
        throttled = 1;
        micros = 0;
        second(0, 0, 0);
        assertEquals(0.2, window.ratio(), 1e-9);
        now += SECOND;
        window.tick(now, Value.ABSENT, Value.ABSENT, Value.ABSENT, PERIOD, 0);
        periods += 1_000;
        throttled += 1_000;
        second(0, 0, 0);
        assertEquals(0.2, window.ratio(), 1e-9, "what went on while nothing was read is not known");
        second(10, 2, 0);
        assertEquals(0.2, window.ratio(), 1e-9);
    }

    @Test
    void throttlingThatIsCountedATickLateNeverGivesMoreThanOne() {
        second(0, 0, 0);
        second(5, 6, 0);
        assertEquals(1, window.worst(), 1e-9);
        second(5, 6, 0);
        assertEquals(1, window.ratio(), 1e-9);
    }

    @Test
    void ticksThatWereSkippedCostNothingAndAreNotMadeUpFor() {
        second(0, 0, 0);
        now += 9 * SECOND;
        second(100, 30, 0);
        assertEquals(0.3, window.ratio(), 1e-9);
        now += 60 * SECOND;
        second(0, 0, 0);
        assertEquals(Double.NaN, window.ratio());
    }

    @Test
    void theHistogramKeepsEveryTick() {
        second(0, 0, 0);
        seconds(100, 10, 0, 0);
        seconds(3, 10, 9, 0);
        second(10, 10, 0);
        second(10, 3, 0);
        second(2, 2, 0);
        assertArrayEquals(
                new long[] {100, 0, 0, 0, 1, 0, 3, 1, 0}, window.histogram().counts());
        assertEquals(3 * 0.9 + 1 + 0.3, window.histogram().sum(), 1e-9);
    }

    /** 120000 / 18000 / 900 s to 126000 / 21000 / 1080 s in ten minutes. */
    @Test
    void tenMinutesOfTheField() {
        periods = 120_000;
        throttled = 18_000;
        micros = 900_000_000;
        second(0, 0, 0);
        seconds(600, 10, 5, 300_000);
        assertEquals(126_000, periods);
        assertEquals(21_000, throttled);
        assertEquals(1_080_000_000, micros);
        assertEquals(0.5, window.ratio(), 1e-9);
        assertEquals(60_000, window.waitMicros(), 1e-9);
        assertEquals(600, window.histogram().count());
        assertEquals(300, window.histogram().sum(), 1e-9);
    }

    /** 144 of 151 periods, 68.7 ms a stop. */
    @Test
    void theFieldsOwnNumbers() {
        now = SECOND;
        window.tick(now, 569, 541, 32_648_605, PERIOD, 0);
        now += 30 * SECOND;
        window.tick(now, 720, 685, 42_534_916, PERIOD, 0);
        assertEquals(144 / 151.0, window.ratio(), 1e-9);
        assertEquals(68_655, window.waitMicros(), 1);
    }
}
