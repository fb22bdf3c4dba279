package io.kubepods.agent.metrics;

import io.kubepods.model.TickHistogram;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All families of one kind of subject. Labels are made once for a subject and kept while it has its name, so that a scrape
 * makes little more than one object a series.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class Table<T> {
    private final List<Family<T>> families;
    private final MetricMetadata[] metadata;
    private final Function<T, Labels> labelsOf;
    private IdentityHashMap<T, SubjectLabels> labels = new IdentityHashMap<>();
    private List<T> labelled = List.of();

    Table(List<Family<T>> families, Function<T, Labels> labelsOf) {
        this.families = families;
        this.labelsOf = labelsOf;
        metadata = families.stream().map(Family::metadata).toArray(MetricMetadata[]::new);
    }

    /** @param subjects another list whenever any of them, or any name, is another */
    void collect(List<T> subjects, Consumer<MetricSnapshot> into) {
        if (subjects != labelled) {
            label(subjects);
        }
        for (int i = 0; i < metadata.length; i++) {
            into.accept(collect(families.get(i), i, subjects));
        }
    }

    private MetricSnapshot collect(Family<T> family, int index, List<T> subjects) {
        int points = family.points().size();
        if (family.type() == Family.Type.COUNTER) {
            List<CounterDataPointSnapshot> data = new ArrayList<>(subjects.size() * points);
            each(family, index, subjects, (value, own) -> data.add(new CounterDataPointSnapshot(value, own, null, 0)));
            return new CounterSnapshot(metadata[index], data);
        }
        Function<T, @Nullable TickHistogram> histogram = family.histogram();
        if (histogram != null) {
            return new HistogramSnapshot(metadata[index], histograms(histogram, subjects));
        }
        if (family.type() == Family.Type.INFO) {
            List<InfoDataPointSnapshot> data = new ArrayList<>(subjects.size());
            each(family, index, subjects, (value, own) -> data.add(new InfoDataPointSnapshot(own)));
            return new InfoSnapshot(metadata[index], data);
        }
        List<GaugeDataPointSnapshot> data = new ArrayList<>(subjects.size() * points);
        each(family, index, subjects, (value, own) -> data.add(new GaugeDataPointSnapshot(value, own, null)));
        return new GaugeSnapshot(metadata[index], data);
    }

    private List<HistogramDataPointSnapshot> histograms(
            Function<T, @Nullable TickHistogram> histogram, List<T> subjects) {
        List<HistogramDataPointSnapshot> data = new ArrayList<>();
        for (T subject : subjects) {
            TickHistogram of = histogram.apply(subject);
            if (of != null) {
                data.add(Histograms.snapshot(of, labels(subject).name));
            }
        }
        return data;
    }

    private interface Series {
        void add(double value, Labels labels);
    }

    private void each(Family<T> family, int index, List<T> subjects, Series series) {
        List<Family.Point<T>> points = family.points();
        for (T subject : subjects) {
            Labels[] own = null;
            for (int i = 0; i < points.size(); i++) {
                double value = points.get(i).value().applyAsDouble(subject);
                if (!Double.isNaN(value)) {
                    if (own == null) {
                        own = labels(subject).of(index, family, subject);
                    }
                    series.add(value, own[i]);
                }
            }
        }
    }

    private SubjectLabels labels(T subject) {
        SubjectLabels found = labels.get(subject);
        if (found == null) {
            throw new IllegalStateException("no labels were made for " + subject);
        }
        return found;
    }

    private void label(List<T> subjects) {
        IdentityHashMap<T, SubjectLabels> before = labels;
        labels = new IdentityHashMap<>();
        for (T subject : subjects) {
            Labels name = labelsOf.apply(subject);
            SubjectLabels known = before.get(subject);
            labels.put(
                    subject,
                    known != null && known.name.equals(name)
                            ? known.renewed(families)
                            : new SubjectLabels(name, families.size()));
        }
        labelled = subjects;
    }

    /** The labels of one subject, and with each value of each family's own label, made when first needed. */
    private static final class SubjectLabels {
        private final Labels name;
        private final Labels[][] byFamily;

        SubjectLabels(Labels name, int families) {
            this.name = name;
            byFamily = new Labels[families][];
        }

        /** The same, without what may have changed while the name has not. */
        SubjectLabels renewed(List<? extends Family<?>> families) {
            for (int i = 0; i < byFamily.length; i++) {
                if (families.get(i).type() == Family.Type.INFO) {
                    byFamily[i] = null;
                }
            }
            return this;
        }

        <T> Labels[] of(int index, Family<T> family, T subject) {
            Labels[] own = byFamily[index];
            if (own == null) {
                String label = family.label();
                own = family.points().stream()
                        .map(point -> label == null ? texts(family, subject) : name.add(label, point.labelValue()))
                        .toArray(Labels[]::new);
                byFamily[index] = own;
            }
            return own;
        }

        private <T> Labels texts(Family<T> family, T subject) {
            Labels all = name;
            for (Family.Text<T> text : family.texts()) {
                String value = text.value().apply(subject);
                all = value.isEmpty() ? all : all.add(text.label(), value);
            }
            return all;
        }
    }
}
