package io.kubepods.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds an exposition against the files that the guest read before and after it: what did not move must be equal, what moved
 * must lie between; no series of a container, pod or slice may be missing, none may be left over.
 */
final class KernelLabComparison {
    private static final String OURS = "kubepods_(container|pod|slice)_.*";

    /** What the pods file says, not a file of the kernel's. */
    private static final String OF_THE_API = "kubepods_(container_(info|start_time_seconds)"
            + "|pod_(info|eviction_rank|(cpu_request|cpu_spec_limit)_cores|memory_(request|spec_limit)_bytes))\\{.*";

    /** What a minute was like, which no file says. */
    private static final String OF_THE_WINDOW = "kubepods_(container|pod)_cpu_throttle_.*";

    private KernelLabComparison() {}

    /** What is wrong with the exposition, a line each. */
    static List<String> complaints(
            KernelLabExposition exposition, Map<String, Double> before, Map<String, Double> after) {
        List<String> complaints = new ArrayList<>(exposition.complaints());
        Map<String, Double> exported = new TreeMap<>(exposition.values());
        exported.keySet()
                .removeIf(
                        series -> !series.matches(OURS) || series.matches(OF_THE_API) || series.matches(OF_THE_WINDOW));
        TreeSet<String> all = new TreeSet<>(exported.keySet());
        all.addAll(before.keySet());
        all.addAll(after.keySet());
        for (String series : all) {
            Double value = exported.get(series);
            Double low = before.get(series);
            Double high = after.get(series);
            if (low == null || high == null) {
                complaints.add("no file says: " + series + " " + value);
            } else if (value == null) {
                complaints.add("is missing: " + series + ", whose file says " + low + " before and " + high + " after");
            } else if (!isBetween(value, low, high)) {
                complaints.add("is not what the file says, " + low + " before and " + high + " after: " + series + " "
                        + value);
            }
        }
        return complaints;
    }

    /** A few units in the last place are the division by a million, done in another order. */
    private static boolean isBetween(double value, double before, double after) {
        double slack = 4 * Math.ulp(Math.max(before, after));
        return value >= Math.min(before, after) - slack && value <= Math.max(before, after) + slack;
    }
}
