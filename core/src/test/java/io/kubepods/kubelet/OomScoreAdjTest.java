package io.kubepods.kubelet;

import static io.kubepods.kubelet.PodText.container;
import static io.kubepods.kubelet.PodText.pod;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** oom_score_adj by request, QoS class, priority, sidecars and what is said of the pod. */
class OomScoreAdjTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "128Mi, 8589934592, 985",
        "2Gi, 8589934592, 750",
        "8Gi, 8589934592, 3",
        "0, 8589934592, 999",
        "64Mi, 10404995072, 994",
        "4Gi, 17179869184, 750",
        "2Gi, 34359738368, 938",
        "16Gi, 8589934592, 3",
        "8000000Ti, 8589934592, 3",
    })
    void burstable(String request, long capacity, int adjustment) {
        ContainerSpec container = container("c cpu=100m mem=" + request);
        assertEquals(adjustment, OomScoreAdj.of(new PodSpec(List.of(), List.of(container)), container, capacity));
    }

    @Test
    void theOtherClasses() {
        ContainerSpec nothing = container("c");
        assertEquals(1_000, OomScoreAdj.of(new PodSpec(List.of(), List.of(nothing)), nothing, 8 * GIB));
        ContainerSpec all = container("c cpu=1/1 mem=1Gi/1Gi");
        assertEquals(-997, OomScoreAdj.of(new PodSpec(List.of(), List.of(all)), all, 8 * GIB));
    }

    @Test
    void aNodeCriticalPodIsKeptWhateverItRequests() {
        PodSpec critical = pod("c; priority=2000001000 class=system-node-critical");
        assertEquals(-997, OomScoreAdj.of(critical, critical.containers().get(0), 8 * GIB));
        PodSpec named = pod("c; priority=0 class=system-node-critical");
        assertEquals(1_000, OomScoreAdj.of(named, named.containers().get(0), 8 * GIB), "the name alone is not enough");
        PodSpec cluster = pod("c; priority=2000000000 class=system-cluster-critical");
        assertEquals(1_000, OomScoreAdj.of(cluster, cluster.containers().get(0), 8 * GIB));
        PodSpec fromFile = pod("c; static class=system-node-critical");
        assertEquals(-997, OomScoreAdj.of(fromFile, fromFile.containers().get(0), 8 * GIB));
    }

    /** It must not be killed after what it serves. */
    @Test
    void aSidecarIsNoLikelierToDieThanTheLeastOfTheContainers() {
        PodSpec pod = pod("+proxy mem=100Mi; app mem=4Gi; log mem=2Gi");
        assertEquals(750, OomScoreAdj.of(pod, pod.initContainers().get(0), 8 * GIB));
        assertEquals(500, OomScoreAdj.of(pod, pod.containers().get(0), 8 * GIB));
        PodSpec large = pod("+proxy mem=6Gi; app mem=1Gi");
        assertEquals(250, OomScoreAdj.of(large, large.initContainers().get(0), 8 * GIB));
    }

    @Test
    void whatThePodRequestsBeyondItsContainersIsDividedEvenly() {
        PodSpec pod = pod("a mem=1Gi; b; pod mem=5Gi");
        assertEquals(1_000 - 3 * 125, OomScoreAdj.of(pod, pod.containers().get(0), 8 * GIB));
        assertEquals(1_000 - 2 * 125, OomScoreAdj.of(pod, pod.containers().get(1), 8 * GIB));
        PodSpec cpuOnly = pod("a mem=1Gi; b; pod cpu=1");
        assertEquals(999, OomScoreAdj.of(cpuOnly, cpuOnly.containers().get(1), 8 * GIB));
    }
}
