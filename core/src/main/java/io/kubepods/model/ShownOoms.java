package io.kubepods.model;

import io.kubepods.oom.OomCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The OOM series of one kind, by name. A series is the same object as long as its name is shown.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class ShownOoms {
    private final Map<Name, OomSeries> byName = new LinkedHashMap<>();
    private List<OomSeries> shown = List.of();

    private record Name(String namespace, String pod, String container) {}

    List<OomSeries> shown() {
        return shown;
    }

    void begin() {
        byName.values().forEach(OomSeries::clear);
    }

    void add(PodOoms pod, String container, OomCounts counts) {
        byName.computeIfAbsent(
                        new Name(pod.namespace(), pod.name(), container),
                        name -> new OomSeries(name.namespace, name.pod, name.container))
                .add(counts);
    }

    void end() {
        byName.values().removeIf(OomSeries::isEmpty);
        shown = List.copyOf(byName.values());
    }
}
