package io.kubepods.model;

import java.util.Arrays;

/**
 * Ticks by the share of their periods that ended throttled, from the beginning on: no scrape interval and no second scraper
 * loses a burst. In classic buckets, and in those of a native histogram (Prometheus, "Native histograms": schema 2).
 *
 * <p>Costs nothing before the first. Written by the thread that holds the sampler's lock.
 */
public final class TickHistogram {
    /** Each native bucket is 2^(1/4) times as wide as the one below. */
    public static final int SCHEMA = 2;

    /** No share is less: a tick has fewer periods than that. */
    public static final double ZERO_THRESHOLD = 1.0 / 1_024;

    /** Upper bounds of the classic buckets; the last is without one. */
    private static final double[] BOUNDS = {0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

    private static final int PER_DOUBLING = 1 << SCHEMA;
    /** The native bucket whose upper bound is the zero bucket's. */
    private static final int LOWEST = -10 * PER_DOUBLING;

    private long[] counts = {};
    private int[] natives = {};
    private double sum;

    /** @param ratio of one tick, from 0 to 1 */
    public void observe(double ratio) {
        if (counts.length == 0) {
            counts = new long[BOUNDS.length + 1];
            natives = new int[1 - LOWEST];
        }
        int bucket = 0;
        while (bucket < BOUNDS.length && ratio > BOUNDS[bucket]) {
            bucket++;
        }
        counts[bucket]++;
        natives[nativeIndex(ratio) - LOWEST]++;
        sum += ratio;
    }

    /** The bucket of which the upper bound is 2^(index/4). */
    private static int nativeIndex(double ratio) {
        if (ratio <= ZERO_THRESHOLD) {
            return LOWEST;
        }
        double exact = Math.log(ratio) / Math.log(2) * PER_DOUBLING;
        // A power of two must not fall into the next bucket by an error of the last digit.
        return Math.min(0, (int) Math.ceil(exact - 1e-9));
    }

    /** Classic buckets, not cumulative: one for each bound and one beyond. */
    public long[] counts() {
        return counts.length == 0 ? new long[BOUNDS.length + 1] : counts.clone();
    }

    /** The classic buckets' upper bounds. */
    public static double[] bounds() {
        return BOUNDS.clone();
    }

    /** All ticks' shares together. */
    public double sum() {
        return sum;
    }

    /** How many ticks there were. */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    /** Ticks in the native histogram's zero bucket. */
    public int zeroCount() {
        return natives.length == 0 ? 0 : natives[0];
    }

    /** Takes a native bucket's index and count. */
    @FunctionalInterface
    public interface Buckets {
        void add(int index, int count);
    }

    /** Gives the native buckets that are not empty, the lowest first. */
    public void nativeBuckets(Buckets into) {
        for (int i = 1; i < natives.length; i++) {
            if (natives[i] != 0) {
                into.add(i + LOWEST, natives[i]);
            }
        }
    }
}
