package io.kubepods.model;

import io.kubepods.cgroup.Value;
import java.time.Duration;

/**
 * How a quota held a cgroup, tick by tick, over the trailing minute; and over its whole life as a histogram of ticks. A
 * quota is given out by the period and does not carry over: an average over minutes hides the second that hurt.
 *
 * <p>The window goes by time, and nobody who looks at it changes it. What it knows is the difference of two ticks: a counter
 * that falls (the controller was switched off and on, or 2^32 periods went by) gives no difference, only a new beginning.
 *
 * <p>Costs nothing until the first period is counted. Written every tick, by the thread that holds the sampler's lock.
 */
public final class ThrottleWindow {
    /** What is looked back upon. */
    public static final Duration LENGTH = Duration.ofSeconds(60);

    /** With fewer periods in it, a window tells nothing. */
    public static final int FEWEST_PERIODS = 10;

    /** Upper bounds of the histogram of ticks; the last bucket is without one. */
    private static final double[] BOUNDS = {0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

    private static final long LENGTH_NANOS = LENGTH.toNanos();

    private long[] times = {};
    private int[] periods = {};
    private int[] throttled = {};
    private long[] micros = {};
    private int first;
    private int size;

    private long lastPeriods = Value.ABSENT;
    private long lastThrottled = Value.ABSENT;
    private long lastMicros = Value.ABSENT;

    private long sumPeriods;
    private long sumThrottled;
    private long sumMicros;
    private long[] histogram = {};
    private double histogramSum;

    /**
     * Takes what cpu.stat said at a tick; {@link Value#ABSENT} where it said nothing.
     *
     * @param now {@link System#nanoTime()}
     * @param fewestOfATick with fewer periods than this in one tick, the tick's own ratio tells nothing
     */
    void tick(long now, long nrPeriods, long nrThrottled, long throttledMicros, int fewestOfATick) {
        forgetBefore(now - LENGTH_NANOS);
        long newPeriods = difference(lastPeriods, nrPeriods);
        long newThrottled = difference(lastThrottled, nrThrottled);
        long newMicros = difference(lastMicros, throttledMicros);
        lastPeriods = nrPeriods;
        lastThrottled = nrThrottled;
        lastMicros = throttledMicros;
        if (newPeriods < 0 || newThrottled < 0 || newMicros < 0 || (newPeriods | newThrottled | newMicros) == 0) {
            return;
        }
        add(now, newPeriods, newThrottled, newMicros);
        if (newPeriods >= fewestOfATick && newPeriods > 0) {
            observe(ratio(newThrottled, newPeriods));
        }
    }

    private static long difference(long before, long after) {
        return before == Value.ABSENT || after == Value.ABSENT ? -1 : after - before;
    }

    /** Of the window's periods, the share that ended throttled; NaN when there were too few. */
    public double ratio() {
        return sumPeriods < FEWEST_PERIODS ? Double.NaN : ratio(sumThrottled, sumPeriods);
    }

    /** The worst tick of the window that had enough periods; NaN when none had. */
    public double worst(int fewestOfATick) {
        double worst = Double.NaN;
        for (int i = 0; i < size; i++) {
            int at = (first + i) % times.length;
            if (periods[at] >= fewestOfATick && periods[at] > 0) {
                double ratio = ratio(throttled[at], periods[at]);
                worst = Double.isNaN(worst) ? ratio : Math.max(worst, ratio);
            }
        }
        return worst;
    }

    /**
     * How long each stop of the window lasted, in microseconds, summed over CPUs; NaN when there was none. The kernel books the
     * time when the stop is over, which may be in a later tick than the period that it belongs to.
     */
    public double waitMicros() {
        return sumThrottled == 0 ? Double.NaN : (double) sumMicros / sumThrottled;
    }

    /** Ticks by their ratio, not cumulative, one for each bound and one beyond; empty before the first. */
    public long[] histogram() {
        return histogram.clone();
    }

    /** All ticks' ratios together. */
    public double histogramSum() {
        return histogramSum;
    }

    /** The histogram's upper bounds. */
    public static double[] bounds() {
        return BOUNDS.clone();
    }

    /** A period may be counted in one tick and its throttling in the next: never above 1. */
    private static double ratio(long throttled, long periods) {
        return Math.min(1, (double) throttled / periods);
    }

    private void observe(double ratio) {
        if (histogram.length == 0) {
            histogram = new long[BOUNDS.length + 1];
        }
        int bucket = 0;
        while (bucket < BOUNDS.length && ratio > BOUNDS[bucket]) {
            bucket++;
        }
        histogram[bucket]++;
        histogramSum += ratio;
    }

    private void add(long now, long newPeriods, long newThrottled, long newMicros) {
        if (size == times.length) {
            grow();
        }
        int at = (first + size) % times.length;
        times[at] = now;
        periods[at] = (int) Math.min(newPeriods, Integer.MAX_VALUE);
        throttled[at] = (int) Math.min(newThrottled, Integer.MAX_VALUE);
        micros[at] = newMicros;
        size++;
        sumPeriods += periods[at];
        sumThrottled += throttled[at];
        sumMicros += newMicros;
    }

    private void forgetBefore(long time) {
        while (size > 0 && times[first] - time <= 0) {
            sumPeriods -= periods[first];
            sumThrottled -= throttled[first];
            sumMicros -= micros[first];
            first = (first + 1) % times.length;
            size--;
        }
    }

    private void grow() {
        int room = Math.max(16, times.length * 2);
        long[] newTimes = new long[room];
        int[] newPeriods = new int[room];
        int[] newThrottled = new int[room];
        long[] newMicros = new long[room];
        for (int i = 0; i < size; i++) {
            int at = (first + i) % times.length;
            newTimes[i] = times[at];
            newPeriods[i] = periods[at];
            newThrottled[i] = throttled[at];
            newMicros[i] = micros[at];
        }
        times = newTimes;
        periods = newPeriods;
        throttled = newThrottled;
        micros = newMicros;
        first = 0;
    }
}
