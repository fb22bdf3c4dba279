package io.kubepods.model;

import io.kubepods.cgroup.Value;
import java.time.Duration;

/**
 * How a quota held a cgroup, tick by tick, over the trailing minute; and over its whole life as a histogram of ticks. A
 * quota is given out by the period and does not carry over: an average over minutes hides the second that hurt.
 *
 * <p>The window goes by time, and nobody who looks at it changes it. What it knows is the difference of two ticks: a counter
 * that falls (the controller was switched off and on, or 2^31 periods went by) gives no difference, only a new beginning.
 *
 * <p>Costs nothing until the first period is counted. Written every tick, by the thread that holds the sampler's lock.
 */
public final class ThrottleWindow {
    /** What is looked back upon. */
    public static final Duration LENGTH = Duration.ofSeconds(60);

    /** With fewer periods in it, a window tells nothing. */
    public static final int FEWEST_PERIODS = 10;

    private static final long LENGTH_NANOS = LENGTH.toNanos();

    /** A tick in which less than this share of the time's periods ran tells nothing by itself. */
    private static final double FEWEST_OF_A_TICK = 0.3;

    private static final double NANOS_PER_MICRO = 1_000;
    private static final long DEFAULT_PERIOD_MICROS = 100_000;

    private long[] times = {};
    private int[] periods = {};
    private int[] throttled = {};
    private int[] stops = {};
    private long[] micros = {};
    /** Of a tick, and of itself; NaN when too few periods ran. */
    private double[] ratios = {};

    private int first;
    private int size;

    private long lastTime;
    private long lastPeriods = Value.ABSENT;
    private long lastThrottled = Value.ABSENT;
    private long lastMicros = Value.ABSENT;

    private long sumPeriods;
    private long sumThrottled;
    private long sumStops;
    private long sumMicros;
    private int newThrottled;
    private final TickHistogram histogram = new TickHistogram();

    /** What comes next is counted elsewhere, and no difference to what came before. */
    void beginAnew() {
        lastPeriods = Value.ABSENT;
    }

    /**
     * Takes what a tick has read; {@link Value#ABSENT} where there was nothing.
     *
     * @param now {@link System#nanoTime()}
     * @param stalledMicros for how long it was held, by whomever; booked when it runs again, maybe in a later tick
     * @param periodMicros of its quota; where it is not known, the kubelet's and the kernel's default is taken
     * @param stopsAbove how often a quota above stopped whatever wanted to run since the last tick
     */
    void tick(long now, long nrPeriods, long nrThrottled, long stalledMicros, long periodMicros, int stopsAbove) {
        forgetBefore(now - LENGTH_NANOS);
        long morePeriods = difference(lastPeriods, nrPeriods);
        long moreThrottled = difference(lastThrottled, nrThrottled);
        long moreMicros = difference(lastMicros, stalledMicros);
        boolean isDifference = lastPeriods != Value.ABSENT && morePeriods >= 0 && moreThrottled >= 0 && moreMicros >= 0;
        double elapsedPeriods =
                (now - lastTime) / NANOS_PER_MICRO / (periodMicros > 0 ? periodMicros : DEFAULT_PERIOD_MICROS);
        lastTime = now;
        lastPeriods = nrPeriods;
        lastThrottled = nrThrottled;
        lastMicros = stalledMicros;
        newThrottled = 0;
        if (!isDifference || (morePeriods | moreThrottled | moreMicros) == 0) {
            return;
        }
        newThrottled = (int) Math.min(moreThrottled, Integer.MAX_VALUE);
        boolean isJudged = morePeriods > 0 && morePeriods >= Math.floor(FEWEST_OF_A_TICK * elapsedPeriods);
        double ratio = isJudged ? ratio(moreThrottled, morePeriods) : Double.NaN;
        boolean wasHeld = moreThrottled > 0 || moreMicros > 0;
        add(now, morePeriods, newThrottled, wasHeld ? Math.max(newThrottled, stopsAbove) : 0, moreMicros, ratio);
        if (isJudged) {
            histogram.observe(ratio);
        }
    }

    private static long difference(long before, long after) {
        return before == Value.ABSENT || after == Value.ABSENT ? 0 : after - before;
    }

    /** Whether there is, or may be now, something to tell. */
    boolean isActive(long nrPeriods) {
        return size > 0 || nrPeriods != lastPeriods;
    }

    /** Whether nothing was counted within the window. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Periods that ended throttled in the last tick. */
    int newThrottled() {
        return newThrottled;
    }

    /** Of the window's periods, the share that ended throttled; NaN when there were too few. */
    public double ratio() {
        return sumPeriods < FEWEST_PERIODS ? Double.NaN : ratio(sumThrottled, sumPeriods);
    }

    /** The worst tick of the window that had enough periods; NaN when none had. */
    public double worst() {
        double worst = Double.NaN;
        for (int i = 0; i < size; i++) {
            double ratio = ratios[(first + i) % times.length];
            if (!Double.isNaN(ratio) && !(ratio <= worst)) {
                worst = ratio;
            }
        }
        return worst;
    }

    /**
     * How long each stop of the window lasted, in microseconds, summed over CPUs; NaN when there was none. The kernel books the
     * time when the stop is over, which may be in a later tick than the period that it belongs to.
     */
    public double waitMicros() {
        return sumStops == 0 ? Double.NaN : (double) sumMicros / sumStops;
    }

    /** Every tick that had enough periods, from the beginning on. */
    public TickHistogram histogram() {
        return histogram;
    }

    /** A period may be counted in one tick and its throttling in the next: never above 1. */
    private static double ratio(long throttled, long periods) {
        return Math.min(1, (double) throttled / periods);
    }

    private void add(long now, long morePeriods, int moreThrottled, int moreStops, long moreMicros, double ratio) {
        if (size == times.length) {
            grow();
        }
        int at = (first + size) % times.length;
        times[at] = now;
        periods[at] = (int) Math.min(morePeriods, Integer.MAX_VALUE);
        throttled[at] = moreThrottled;
        stops[at] = moreStops;
        micros[at] = moreMicros;
        ratios[at] = ratio;
        size++;
        sumPeriods += periods[at];
        sumThrottled += moreThrottled;
        sumStops += moreStops;
        sumMicros += moreMicros;
    }

    private void forgetBefore(long time) {
        while (size > 0 && times[first] - time <= 0) {
            sumPeriods -= periods[first];
            sumThrottled -= throttled[first];
            sumStops -= stops[first];
            sumMicros -= micros[first];
            first = (first + 1) % times.length;
            size--;
        }
    }

    private void grow() {
        int room = Math.max(16, times.length * 2);
        times = unrolled(times, new long[room]);
        periods = unrolled(periods, new int[room]);
        throttled = unrolled(throttled, new int[room]);
        stops = unrolled(stops, new int[room]);
        micros = unrolled(micros, new long[room]);
        ratios = unrolled(ratios, new double[room]);
        first = 0;
    }

    /** A full ring's elements, the oldest first. */
    private <A> A unrolled(A from, A to) {
        System.arraycopy(from, first, to, 0, size - first);
        System.arraycopy(from, 0, to, size - first, first);
        return to;
    }
}
