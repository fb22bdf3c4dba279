package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupName;
import io.kubepods.oom.OomCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The roots of kubepods trees and their QoS slices. One tree is this node's; slices of any other carry their path.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class Slices {
    private final List<Cgroup> all = new ArrayList<>();
    private @Nullable Cgroup ownTree;
    private List<SliceState> shown = List.of();

    List<Cgroup> all() {
        return all;
    }

    List<SliceState> shown() {
        return shown;
    }

    /** The kubelet's systemd driver ends every level's name so. */
    String cgroupDriver() {
        return ownTree == null ? "" : ownTree.path().endsWith(".slice") ? "systemd" : "cgroupfs";
    }

    /**
     * After any cgroup has come or gone: which tree is this node's, and what is shown. It stays the same tree while there are
     * containers in it, whatever else grows.
     */
    void settle(Function<Cgroup, OomCounts> ooms) {
        Cgroup before = ownTree;
        if (before == null || !all.contains(before) || containersBelow(before) == 0) {
            ownTree = findOwnTree();
        }
        Map<String, SliceState> byLabel = new LinkedHashMap<>();
        for (Cgroup slice : all) {
            boolean own = slice == ownTree || slice.parent() == ownTree;
            String label = own ? label(slice) : slice.path();
            label = byLabel.containsKey(label) ? slice.path() : label;
            byLabel.put(label, new SliceState(slice, label, ooms.apply(slice)));
        }
        shown = List.copyOf(byLabel.values());
    }

    /**
     * The tree with the most containers is this node's, of equal ones the nearest to the root: a change of the cgroup driver
     * leaves an empty tree behind.
     */
    private @Nullable Cgroup findOwnTree() {
        Comparator<Cgroup> byContainers = Comparator.comparingInt(Slices::containersBelow);
        Comparator<Cgroup> byDepth =
                Comparator.comparingInt(slice -> slice.path().split("/", -1).length);
        return all.stream()
                .filter(slice -> slice.role() == CgroupName.Role.KUBEPODS)
                .min(byContainers.reversed().thenComparing(byDepth).thenComparing(Cgroup::path))
                .orElse(null);
    }

    private static int containersBelow(Cgroup cgroup) {
        int count = cgroup.role() == CgroupName.Role.CONTAINER ? 1 : 0;
        for (Cgroup child : cgroup.children()) {
            count += containersBelow(child);
        }
        return count;
    }

    private static String label(Cgroup slice) {
        return slice.role() == CgroupName.Role.KUBEPODS
                ? "kubepods"
                : Objects.requireNonNull(slice.name().qos()).name().toLowerCase(Locale.ROOT);
    }
}
