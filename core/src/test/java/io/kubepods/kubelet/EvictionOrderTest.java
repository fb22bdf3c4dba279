package io.kubepods.kubelet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.Seed;
import io.kubepods.kubelet.EvictionOrder.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who is evicted first when memory is short. */
class EvictionOrderTest {
    private static Candidate pod(String uid, long workingSet, long request, int priority) {
        return new Candidate(uid, workingSet, request, new PodPriority(priority, "", false));
    }

    private static List<String> order(Candidate... pods) {
        return EvictionOrder.of(List.of(pods)).stream().map(Candidate::uid).toList();
    }

    @Test
    void firstThoseAboveTheirRequestsThenByPriorityThenByHowMuch() {
        assertEquals(
                List.of("unknown", "above, low", "far above", "above", "below, low", "at", "below"),
                order(
                        pod("below", 10, 100, 5),
                        pod("at", 100, 100, 5),
                        pod("below, low", 99, 100, 1),
                        pod("above", 101, 100, 5),
                        pod("far above", 300, 100, 5),
                        pod("above, low", 101, 100, 1),
                        pod("unknown", -1, 100, 9)));
    }

    @Test
    void criticalPodsAreNotEvicted() {
        assertEquals(
                List.of("a"),
                order(
                        pod("a", 1, 0, 1_999_999_999),
                        pod("b", 1, 0, 2_000_000_000),
                        new Candidate("c", 1, 0, new PodPriority(0, "", true))));
    }

    /** Thirty pods, against a selection of the next victim by comparing each with each. */
    @Test
    void aNodeOfThirtyPods() {
        Random random = Seed.random(EvictionOrderTest.class);
        List<Candidate> pods = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long request = random.nextInt(4) == 0 ? 0 : random.nextInt(1_000) * 1_000L;
            pods.add(pod("pod " + i, random.nextInt(1_000) * 1_001L + i, request, random.nextInt(3)));
        }
        List<String> expected = new ArrayList<>();
        List<Candidate> left = new ArrayList<>(pods);
        while (!left.isEmpty()) {
            Candidate victim = left.get(0);
            for (Candidate other : left) {
                boolean otherAbove = other.workingSet() > other.request();
                boolean victimAbove = victim.workingSet() > victim.request();
                long more = (other.workingSet() - other.request()) - (victim.workingSet() - victim.request());
                int lower = victim.priority().value() - other.priority().value();
                boolean goesFirst = otherAbove != victimAbove ? otherAbove : lower != 0 ? lower > 0 : more > 0;
                victim = goesFirst ? other : victim;
            }
            expected.add(victim.uid());
            left.remove(victim);
        }
        assertEquals(
                expected, EvictionOrder.of(pods).stream().map(Candidate::uid).toList());
    }
}
