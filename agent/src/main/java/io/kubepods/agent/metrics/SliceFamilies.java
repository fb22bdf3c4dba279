package io.kubepods.agent.metrics;

import io.kubepods.cgroup.CgroupFile;
import io.kubepods.model.SliceState;
import java.util.ArrayList;
import java.util.List;

/**
 * What is told of the kubelet's own levels: all pods together, and each QoS class with one.
 *
 * <pre>
 * kubepods_slice_memory_usage_bytes{slice="burstable"} 1.8446336E9
 * </pre>
 */
final class SliceFamilies {
    private static final CgroupFamilies<SliceState> OWN =
            new CgroupFamilies<>("kubepods_slice_", "all pods of the slice", SliceState::cgroup);

    static final List<Family<SliceState>> ALL = all();

    private SliceFamilies() {}

    private static List<Family<SliceState>> all() {
        List<Family<SliceState>> families = new ArrayList<>();
        families.add(OWN.cpuWeight(slice -> Amount.of(slice.cgroup().sample().single(CgroupFile.CPU_WEIGHT))));
        families.add(OWN.pressureWaiting());
        families.add(OWN.pressureStalled());
        families.add(OWN.memoryUsage());
        families.add(
                OWN.memoryLimit(slice -> Amount.limit(slice.cgroup().sample().single(CgroupFile.MEMORY_MAX))));
        families.add(OWN.memoryEvents());
        families.add(OWN.localEvents((slice, key) -> slice.cgroup().sample().memoryEventsLocal(key)));
        families.addAll(OomFamilies.SLICES);
        return List.copyOf(families);
    }
}
