package io.kubepods.model;

import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomState;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What was counted below each slice, by its path. A slice that goes with its last pod goes on counting when it is made again;
 * those of a tree that is gone are kept for a while.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomSlices {
    private final Map<String, OomCounts> byPath = new HashMap<>();
    private final Map<String, Long> goneAt = new HashMap<>();

    /** Known ones and new ones. */
    OomCounts of(String path) {
        return byPath.computeIfAbsent(path, slice -> new OomCounts());
    }

    /** A slice's cgroup is gone. */
    void closed(String path, long now) {
        goneAt.put(path, now);
    }

    /** After a restart: all that are not there are gone. */
    void endOfRestore(List<OomAccount> parents, long now) {
        for (String path : byPath.keySet()) {
            if (!isRooted(path, parents)) {
                closed(path, now);
            }
        }
    }

    /** Forgets those that are long gone, with the root of their tree; true when there were any. */
    boolean forget(List<OomAccount> parents, long now) {
        if (goneAt.isEmpty()) {
            return false;
        }
        boolean forgot = false;
        for (Iterator<Map.Entry<String, Long>> all = goneAt.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Long> gone = all.next();
            if (now - gone.getValue() >= OomPods.KEPT_NANOS) {
                all.remove();
                forgot |=
                        byPath.keySet().removeIf(path -> isAtOrBelow(path, gone.getKey()) && !isRooted(path, parents));
            }
        }
        return forgot;
    }

    private static boolean isRooted(String path, List<OomAccount> parents) {
        for (OomAccount parent : parents) {
            if (parent.pod == null && !parent.isGone() && isAtOrBelow(path, parent.cgroup.path())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAtOrBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    Map<String, OomState.Counts> save() {
        Map<String, OomState.Counts> saved = new HashMap<>();
        byPath.forEach((path, counts) -> saved.put(path, counts.save()));
        return saved;
    }

    void restore(Map<String, OomState.Counts> saved) {
        saved.forEach((path, counts) -> of(path).restore(counts));
    }
}
