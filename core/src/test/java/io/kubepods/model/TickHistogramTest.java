package io.kubepods.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every share of periods falls into one classic bucket and one native bucket whose bounds it is between. */
class TickHistogramTest {
    private final TickHistogram histogram = new TickHistogram();

    private Map<Integer, Integer> natives() {
        Map<Integer, Integer> buckets = new TreeMap<>();
        histogram.nativeBuckets(buckets::put);
        return buckets;
    }

    @Test
    void nothingIsAllZeros() {
        assertEquals(0, histogram.count());
        assertEquals(9, histogram.counts().length);
        assertEquals(0, histogram.zeroCount());
        assertEquals(Map.of(), natives());
    }

    @Test
    void powersOfTwoAreUpperBounds() {
        histogram.observe(1);
        histogram.observe(0.5);
        histogram.observe(0.25);
        assertEquals(Map.of(0, 1, -4, 1, -8, 1), natives());
    }

    @Test
    void noneIsZeroAndAllIsOne() {
        histogram.observe(0);
        histogram.observe(0);
        histogram.observe(1);
        assertEquals(2, histogram.zeroCount());
        assertEquals(Map.of(0, 1), natives());
        assertEquals(2, histogram.counts()[0]);
        assertEquals(1, histogram.counts()[7]);
        assertEquals(1, histogram.sum());
    }

    @Test
    void everyShareThatThereMayBe() {
        for (int periods = 1; periods <= 1_000; periods++) {
            for (int throttled = 1; throttled <= periods; throttled += 1 + periods / 50) {
                TickHistogram one = new TickHistogram();
                double share = (double) throttled / periods;
                one.observe(share);
                assertEquals(1, one.count());
                if (share <= TickHistogram.ZERO_THRESHOLD) {
                    assertEquals(1, one.zeroCount());
                    continue;
                }
                one.nativeBuckets((index, count) -> {
                    assertEquals(1, count);
                    double above = Math.pow(2, index / 4.0);
                    double below = Math.pow(2, (index - 1) / 4.0);
                    assertTrue(share <= above * (1 + 1e-9) && share > below * (1 - 1e-9), share + " in " + index);
                });
                assertEquals(0, one.zeroCount());
            }
        }
    }
}
