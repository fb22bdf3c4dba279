package io.kubepods.agent.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One metric family in one row: name, type, help, and how a subject (a container, a pod, a slice) gives its values. A value
 * of NaN is absent: no series.
 *
 * @param label the family's own label, beside the subject's; null when there is none
 * @param points one value for each value of that label; a single one without it
 */
public record Family<T>(
        String name, Type type, String help, @Nullable String label, List<Point<T>> points) {

    /** What the name's ending says: a counter's ends in {@code _total}. */
    public enum Type {
        COUNTER,
        GAUGE
    }

    /** @param labelValue "" in a family without a label of its own */
    public record Point<T>(String labelValue, ToDoubleFunction<T> value) {}

    public Family {
        points = List.copyOf(points);
        if ((type == Type.COUNTER) != name.endsWith("_total")) {
            throw new IllegalArgumentException(name + ": counters, and only they, end in _total");
        }
    }

    /** A family without a label of its own. */
    static <T> Family<T> of(String name, String help, ToDoubleFunction<T> value) {
        return new Family<>(name, typeOf(name), help, null, List.of(new Point<>("", value)));
    }

    /** A family with a label of its own, whose points {@link #with} adds. */
    static <T> Family<T> by(String label, String name, String help) {
        return new Family<>(name, typeOf(name), help, label, List.of());
    }

    Family<T> with(String labelValue, ToDoubleFunction<T> value) {
        List<Point<T>> more = new ArrayList<>(points);
        more.add(new Point<>(labelValue, value));
        return new Family<>(name, type, help, label, more);
    }

    private static Type typeOf(String name) {
        return name.endsWith("_total") ? Type.COUNTER : Type.GAUGE;
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
            case GAUGE ->
                GaugeSnapshot.builder().name(name).help(help).unit(unit).build().getMetadata();
        };
    }
}
