package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.Seed;
import io.kubepods.oom.OomCause;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OOMs at random moments, in the midst of a tick's reads too, in containers that are removed at once, half-counted or not at
 * all: every kill and every OOM is booked once. The oracle is what happened.
 */
class OomStormTest {
    private static final int PODS = 5;
    private static final String LIMIT = "20971520";

    @TempDir
    Path directory;

    private final Random random = Seed.random(OomStormTest.class);
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final List<int[]> containers = new ArrayList<>();
    private final Map<Integer, Long> kills = new TreeMap<>();
    private final Map<Integer, Long> incidents = new TreeMap<>();
    private OomNode oom;
    private int lastContainer;
    private boolean under;

    @BeforeEach
    void makeNode() {
        oom = new OomNode(directory);
        for (int pod = 1; pod <= PODS; pod++) {
            container(pod);
            container(pod);
        }
        oom.tick();
    }

    private void container(int pod) {
        int number = ++lastContainer;
        oom.container(pod, number, "max", LIMIT);
        containers.add(new int[] {pod, number});
    }

    /** The steps of one OOM, as the kernel and the runtime take them. */
    private void begin() {
        int[] who = containers.get(random.nextInt(containers.size()));
        String path = containerPath(who[0], who[1]);
        int processes = 1 + random.nextInt(4);
        boolean removed = random.nextInt(4) > 0;
        kills.merge(who[0], processes + 1L, Long::sum);
        incidents.merge(who[0], 1L, Long::sum);
        steps.add(() -> oom.ooms(path, 1));
        steps.add(() -> oom.victims(path, 1));
        steps.add(() -> oom.groupKill(path));
        for (int i = 0; i < processes; i++) {
            steps.add(() -> oom.victims(path, 1));
        }
        if (removed) {
            containers.remove(who);
            steps.add(() -> {
                oom.remove(path);
                container(who[0]);
            });
        }
    }

    private void finish() {
        while (!steps.isEmpty()) {
            steps.remove().run();
        }
    }

    private void tick(int chance) {
        oom.node.beforeRead = () -> {
            if (under || random.nextInt(100) >= chance) {
                return;
            }
            under = true;
            if (steps.isEmpty()) {
                begin();
            }
            steps.remove().run();
            under = false;
        };
        oom.tick();
        oom.node.beforeRead = () -> {};
        finish(); // an OOM takes milliseconds, not a tick
    }

    private Map<Integer, Long> shown(boolean kills) {
        return oom.node.sampler.sample(model -> {
            Map<Integer, Long> shown = new TreeMap<>();
            List<OomSeries> all = new ArrayList<>(model.containerOoms());
            all.addAll(model.podOoms());
            for (OomSeries ooms : all) {
                for (int pod = 1; pod <= PODS; pod++) {
                    if (ooms.pod().equals(uid(pod))) {
                        shown.merge(pod, kills ? ooms.kills() : incidents(ooms), Long::sum);
                    }
                }
            }
            return shown;
        });
    }

    private static long incidents(OomSeries ooms) {
        long sum = 0;
        for (OomCause cause : OomCause.values()) {
            sum += ooms.incidents(cause);
        }
        return sum;
    }

    private void assertNothingIsLost() {
        for (int i = 0; i < 70; i++) {
            oom.tick();
        }
        assertEquals(kills, shown(true));
        assertEquals(incidents, shown(false));
    }

    private void assertAllAreOfContainersLimits() {
        long allKills = kills.values().stream().mapToLong(Long::longValue).sum();
        long allIncidents =
                incidents.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(allKills + " container_limit=" + allIncidents, oom.shown().get("kubepods"));
    }

    @Test
    void oneAtATime() {
        between(() -> 1);
    }

    @Test
    void manyInATick() {
        between(() -> random.nextInt(15));
    }

    /** So many OOMs between two ticks. */
    private void between(IntSupplier ooms) {
        for (int i = 0; i < 60; i++) {
            for (int j = ooms.getAsInt(); j > 0; j--) {
                begin();
                finish();
            }
            tick(0);
        }
        assertNothingIsLost();
        assertAllAreOfContainersLimits();
    }

    @Test
    void inTheMidstOfATick() {
        for (int i = 0; i < 300; i++) {
            tick(5);
        }
        assertNothingIsLost();
    }

    @Test
    void withoutRest() {
        for (int i = 0; i < 100; i++) {
            tick(60);
        }
        assertNothingIsLost();
    }

    /** An agent that is killed again and again, and OOMs while none runs. */
    @Test
    void withRestarts() {
        for (int i = 0; i < 150; i++) {
            tick(20);
            if (random.nextInt(4) == 0) {
                for (int j = random.nextInt(4); j > 0; j--) {
                    begin();
                    finish();
                }
                oom.restart();
            }
        }
        assertNothingIsLost();
    }

    /** Pods that are removed with what was killed in them a moment ago: the slices have the sum. */
    @Test
    void podsThatGo() {
        long expected = 0;
        for (int i = 0; i < 60; i++) {
            int pod = 100 + i;
            oom.container(pod, 1000 + i, "max", LIMIT);
            if (random.nextBoolean()) {
                oom.tick();
            }
            oom.ownLimit(containerPath(pod, 1000 + i), 2);
            expected++;
            if (random.nextBoolean()) {
                oom.tick();
            }
            oom.remove(podPath(pod));
            if (random.nextBoolean()) {
                oom.tick();
            }
        }
        oom.settle();
        assertEquals(
                List.of(expected * 3, expected), killsAndIncidents(oom.shown().get("kubepods")));
    }

    /** The same in the midst of the ticks' reads, of pods that are the last of their slice too. */
    @Test
    void podsThatGoInTheMidstOfATick() {
        for (int pod = 1; pod <= PODS; pod++) {
            oom.remove(podPath(pod));
        }
        containers.clear();
        long[] expected = new long[2];
        for (int i = 0; i < 300; i++) {
            int pod = 100 + i;
            String path = oom.container(pod, 1000 + i, "max", LIMIT);
            int processes = 1 + random.nextInt(3);
            steps.add(() -> oom.ooms(path, 1));
            steps.add(() -> oom.victims(path, 1));
            steps.add(() -> oom.groupKill(path));
            for (int j = 0; j < processes; j++) {
                steps.add(() -> oom.victims(path, 1));
            }
            steps.add(() -> oom.remove(random.nextInt(3) == 0 ? OomNode.BURSTABLE : podPath(pod)));
            expected[0] += processes + 1;
            expected[1]++;
            int chance = random.nextInt(30);
            oom.node.beforeRead = () -> {
                if (!steps.isEmpty() && random.nextInt(100) < chance) {
                    steps.remove().run();
                }
            };
            oom.tick();
            oom.node.beforeRead = () -> {};
            finish(); // an OOM takes milliseconds, not a tick
            if (random.nextBoolean()) {
                oom.tick();
            }
        }
        oom.settle();
        assertEquals(
                List.of(expected[0], expected[1]), killsAndIncidents(oom.shown().get("kubepods")));
    }

    private static List<Long> killsAndIncidents(@Nullable String shown) {
        long incidents = 0;
        String[] words = String.valueOf(shown).split(" ", -1);
        for (String word : words) {
            incidents += word.contains("=") ? Long.parseLong(word.substring(word.indexOf('=') + 1)) : 0;
        }
        return List.of(Long.parseLong(words[0]), incidents);
    }
}
