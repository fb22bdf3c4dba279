package io.kubepods.agent.metrics;

import io.kubepods.model.TickHistogram;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One metric family in one row: name, type, help, and how a subject (a container, a pod, a slice) gives its values. A value
 * of NaN is absent: no series.
 *
 * @param label the family's own label, beside the subject's; null when there is none
 * @param points one value for each value of that label; a single one without it
 * @param texts the labels of an info family, whose values are told in them; empty in any other
 * @param histogram of a histogram's family, which has no points; null in any other
 */
public record Family<T>(
        String name,
        Type type,
        String help,
        @Nullable String label,
        List<Point<T>> points,
        List<Text<T>> texts,
        @Nullable Function<T, @Nullable TickHistogram> histogram) {

    /** What the name's ending says: a counter's ends in {@code _total}, an info's, which is always 1, in {@code _info}. */
    public enum Type {
        COUNTER,
        GAUGE,
        INFO,
        HISTOGRAM
    }

    /** @param value where it is "", there is no such label */
    public record Text<T>(String label, Function<T, String> value) {}

    /** @param labelValue "" in a family without a label of its own */
    public record Point<T>(String labelValue, ToDoubleFunction<T> value) {}

    public Family {
        points = List.copyOf(points);
        texts = List.copyOf(texts);
        if (type != (histogram == null ? typeOf(name) : Type.HISTOGRAM)) {
            throw new IllegalArgumentException(
                    name + ": counters, and only they, end in _total, and infos, and only they, in _info");
        }
    }

    /** A family without a label of its own. */
    static <T> Family<T> of(String name, String help, ToDoubleFunction<T> value) {
        return new Family<>(name, typeOf(name), help, null, List.of(new Point<>("", value)), List.of(), null);
    }

    /** A histogram, of the subjects that have one. */
    static <T> Family<T> histogram(String name, String help, Function<T, @Nullable TickHistogram> histogram) {
        return new Family<>(name, Type.HISTOGRAM, help, null, List.of(), List.of(), histogram);
    }

    /** A family with a label of its own, whose points {@link #with} adds. */
    static <T> Family<T> by(String label, String name, String help) {
        return new Family<>(name, typeOf(name), help, label, List.of(), List.of(), null);
    }

    /** An info family, of the subjects of which there is something to tell; {@link #text} adds its labels. */
    static <T> Family<T> info(String name, String help, Predicate<T> isKnown) {
        ToDoubleFunction<T> value = subject -> isKnown.test(subject) ? 1 : Double.NaN;
        return new Family<>(name, typeOf(name), help, null, List.of(new Point<>("", value)), List.of(), null);
    }

    Family<T> text(String label, Function<T, String> value) {
        List<Text<T>> more = new ArrayList<>(texts);
        more.add(new Text<>(label, value));
        return new Family<>(name, type, help, null, points, more, null);
    }

    Family<T> with(String labelValue, ToDoubleFunction<T> value) {
        List<Point<T>> more = new ArrayList<>(points);
        more.add(new Point<>(labelValue, value));
        return new Family<>(name, type, help, label, more, List.of(), null);
    }

    private static Type typeOf(String name) {
        return name.endsWith("_total") ? Type.COUNTER : name.endsWith("_info") ? Type.INFO : Type.GAUGE;
    }

    MetricMetadata metadata() {
        Unit unit = name.endsWith("_seconds") || name.endsWith("_seconds_total")
                ? Unit.SECONDS
                : name.endsWith("_bytes") ? Unit.BYTES : null;
        return switch (type) {
            case COUNTER ->
                CounterSnapshot.builder()
                        .name(name)
                        .help(help)
                        .unit(unit)
                        .build()
                        .getMetadata();
            case INFO ->
                InfoSnapshot.builder()
                        .name(name.substring(0, name.length() - "_info".length()))
                        .help(help)
                        .build()
                        .getMetadata();
            case HISTOGRAM ->
                HistogramSnapshot.builder().name(name).help(help).build().getMetadata();
            case GAUGE ->
                GaugeSnapshot.builder().name(name).help(help).unit(unit).build().getMetadata();
        };
    }
}
