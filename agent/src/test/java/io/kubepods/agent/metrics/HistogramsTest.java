package io.kubepods.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.model.TickHistogram;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One histogram in the formats that scrapers ask for. */
class HistogramsTest {
    private static MetricSnapshots twoTicks() {
        TickHistogram ticks = new TickHistogram();
        ticks.observe(0);
        ticks.observe(0.9);
        HistogramSnapshot histogram = new HistogramSnapshot(
                Family.<TickHistogram>histogram("a_ratio", "A ratio.", of -> of).metadata(),
                List.of(Histograms.snapshot(ticks, Labels.of("pod", "a"))));
        return MetricSnapshots.of(histogram);
    }

    @Test
    void classicBucketsInTheTextFormat() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExpositionFormats.init().getPrometheusTextFormatWriter().write(out, twoTicks());
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("# TYPE a_ratio histogram\n"), text);
        assertTrue(text.contains("a_ratio_bucket{pod=\"a\",le=\"0.0\"} 1\n"), text);
        assertTrue(text.contains("a_ratio_bucket{pod=\"a\",le=\"0.75\"} 1\n"), text);
        assertTrue(text.contains("a_ratio_bucket{pod=\"a\",le=\"0.9\"} 2\n"), text);
        assertTrue(text.contains("a_ratio_count{pod=\"a\"} 2\na_ratio_sum{pod=\"a\"} 0.9\n"), text);
        assertEquals(9, text.split("_bucket", -1).length - 1, text);
    }

    @Test
    void nativeBucketsBesideThemInTheProtobufFormat() {
        String text = ExpositionFormats.init().getPrometheusProtobufWriter().toDebugString(twoTicks());
        assertTrue(text.contains("schema: 2") && text.contains("zero_threshold: 9.765625E-4"), text);
        assertTrue(text.contains("zero_count: 1") && text.contains("positive_delta: 1"), text);
        assertEquals(9, text.split("upper_bound", -1).length - 1, text);
    }
}
