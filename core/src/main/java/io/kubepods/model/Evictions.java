package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.kubelet.EvictionOrder;
import io.kubepods.kubelet.EvictionOrder.Candidate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * In which order the kubelet would evict this node's pods now.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class Evictions {
    private Evictions() {}

    /** Ranks the pods that the API has told of: what the others request is not known. */
    static void rank(List<PodState> pods) {
        List<Candidate> candidates = new ArrayList<>();
        Map<String, PodState> byUid = new HashMap<>();
        for (PodState pod : pods) {
            pod.evictionRank = PodState.NO_RANK;
            Pod named = pod.pod();
            Cgroup cgroup = pod.cgroup();
            if (named != null && cgroup != null) {
                long request = named.info().resources().requests().memoryBytes();
                byUid.put(pod.uid(), pod);
                candidates.add(new Candidate(
                        pod.uid(),
                        cgroup.sample().workingSet(),
                        Math.max(0, request),
                        named.info().priority()));
            }
        }
        int rank = 1;
        for (Candidate victim : EvictionOrder.of(candidates)) {
            PodState pod = byUid.get(victim.uid());
            if (pod != null) {
                pod.evictionRank = rank++;
            }
        }
    }
}
