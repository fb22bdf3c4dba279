package io.kubepods.agent.metrics;

import io.kubepods.model.ContainerState;
import io.kubepods.model.NodeModel;
import io.kubepods.model.NodeSampler;
import io.kubepods.model.NodeState;
import io.kubepods.model.OomSeries;
import io.kubepods.model.PodState;
import io.kubepods.model.SliceState;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The node's containers, pods and slices, and the node itself, all of one moment: collecting them has the sampler read every file, and looks at
 * what it read while nothing changes.
 *
 * <pre>
 * kubepods_container_memory_usage_bytes{container="api",namespace="shop",pod="order-api-0"} 1.70917888E8
 * kubepods_pod_memory_usage_bytes{namespace="shop",pod="order-api-0"} 1.71307008E8
 * kubepods_slice_memory_usage_bytes{slice="burstable"} 1.844633600E9
 * </pre>
 */
public final class NodeMetrics implements MultiCollector {
    private final NodeSampler sampler;
    private final Table<ContainerState> containers = new Table<>(
            ContainerFamilies.ALL,
            container -> Labels.of(
                    "container",
                    container.name(),
                    "namespace",
                    container.pod().namespace(),
                    "pod",
                    container.pod().name()));
    private final Table<PodState> pods =
            new Table<>(PodFamilies.ALL, pod -> Labels.of("namespace", pod.namespace(), "pod", pod.name()));
    private final Table<SliceState> slices = new Table<>(SliceFamilies.ALL, slice -> Labels.of("slice", slice.label()));
    private final Table<OomSeries> containerOoms = new Table<>(
            OomFamilies.CONTAINERS,
            ooms -> Labels.of("container", ooms.container(), "namespace", ooms.namespace(), "pod", ooms.pod()));
    private final Table<OomSeries> podOoms =
            new Table<>(OomFamilies.PODS, ooms -> Labels.of("namespace", ooms.namespace(), "pod", ooms.pod()));

    private final Table<NodeState> node = new Table<>(NodeFamilies.ALL, state -> Labels.EMPTY);

    public NodeMetrics(NodeSampler sampler) {
        this.sampler = sampler;
    }

    /** Every family there is, for what documents them. */
    public static Stream<Family<?>> families() {
        return Stream.of(
                        ContainerFamilies.ALL,
                        OomFamilies.CONTAINERS,
                        PodFamilies.ALL,
                        OomFamilies.PODS,
                        SliceFamilies.ALL,
                        NodeFamilies.ALL)
                .flatMap(List::stream);
    }

    @Override
    public MetricSnapshots collect() {
        return sampler.sample(this::collect);
    }

    private MetricSnapshots collect(NodeModel model) {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        containers.collect(model.shownContainers(), snapshots::add);
        containerOoms.collect(model.containerOoms(), snapshots::add);
        pods.collect(model.shownPods(), snapshots::add);
        podOoms.collect(model.podOoms(), snapshots::add);
        slices.collect(model.shownSlices(), snapshots::add);
        node.collect(model.node(), snapshots::add);
        return new MetricSnapshots(snapshots);
    }
}
