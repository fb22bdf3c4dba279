package io.kubepods.agent.metrics;

import io.kubepods.model.TickHistogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.Arrays;

/** Histograms, classic and native at once: a scraper takes what it knows. */
final class Histograms {
    private static final double[] BOUNDS = withInfinity(TickHistogram.bounds());

    private Histograms() {}

    private static double[] withInfinity(double[] bounds) {
        double[] all = Arrays.copyOf(bounds, bounds.length + 1);
        all[bounds.length] = Double.POSITIVE_INFINITY;
        return all;
    }

    static HistogramDataPointSnapshot snapshot(TickHistogram histogram, Labels labels) {
        long[] counts = histogram.counts();
        ClassicHistogramBuckets.Builder classic = ClassicHistogramBuckets.builder();
        for (int i = 0; i < BOUNDS.length; i++) {
            classic.bucket(BOUNDS[i], counts[i]);
        }
        NativeHistogramBuckets.Builder natives = NativeHistogramBuckets.builder();
        histogram.nativeBuckets(natives::bucket);
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(classic.build())
                .nativeSchema(TickHistogram.SCHEMA)
                .nativeZeroCount(histogram.zeroCount())
                .nativeZeroThreshold(TickHistogram.ZERO_THRESHOLD)
                .nativeBucketsForPositiveValues(natives.build())
                .sum(histogram.sum())
                .labels(labels)
                .build();
    }
}
