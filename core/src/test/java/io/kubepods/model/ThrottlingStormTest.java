package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.Seed;
import io.kubepods.cgroup.Value;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters that rise at random, begin anew, and are not read for a while: against what happened, and never a spike. */
class ThrottlingStormTest {
    private static final int CONTAINERS = 4;
    private static final long MINUTE = 60;

    @TempDir
    Path directory;

    private final Random random = Seed.random(ThrottlingStormTest.class);
    private final Map<String, long[]> counts = new HashMap<>();
    private final Map<String, Deque<long[]>> minute = new HashMap<>();
    private final Map<String, Long> stalled = new HashMap<>();
    private SampledNode node;
    private long second;

    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
        for (int i = 1; i <= CONTAINERS; i++) {
            node.files.cgroup(containerPath(1, i));
            quota(containerPath(1, i));
        }
        quota(podPath(1));
        node.sample(model -> model);
    }

    private void quota(String path) {
        node.files.write(path, "cpu.max", "20000 100000\n");
        counts.put(path, new long[4]);
        minute.put(path, new ArrayDeque<>());
        write(path);
    }

    private void write(String path) {
        long[] at = counts.get(path);
        String text = at == null
                ? ""
                : "usage_usec 1\nnr_periods " + at[0] + "\nnr_throttled " + at[1] + "\nthrottled_usec " + at[2] + "\n";
        node.files.write(path, "cpu.stat", text);
        node.files.write(path, "cpu.stat.local", "throttled_usec " + (at == null ? 0 : at[3]) + "\n");
    }

    /** A second of a cgroup's life; what the window must know of it, if it can. */
    private void live(String path) {
        long[] at = counts.getOrDefault(path, new long[4]);
        boolean anew = random.nextInt(50) == 0 && at[0] > 20;
        if (anew) {
            Arrays.fill(at, 0);
        }
        long periods = random.nextInt(4) == 0 ? 0 : 3 + random.nextInt(8);
        long throttled = periods == 0 ? 0 : random.nextInt((int) periods + 1);
        long held = throttled * (50_000 + random.nextInt(50_000));
        at[0] += periods;
        at[1] += throttled;
        at[2] += held / (1 + random.nextInt(3));
        at[3] += held;
        counts.put(path, at);
        write(path);
        if (!anew && periods > 0) {
            expected(path).add(new long[] {second, periods, throttled});
        }
    }

    private Deque<long[]> expected(String path) {
        return minute.computeIfAbsent(path, made -> new ArrayDeque<>());
    }

    @Test
    void everyMinuteIsWhatHappenedInIt() {
        for (int i = 0; i < 400; i++) {
            second++;
            for (int container = 1; container <= CONTAINERS; container++) {
                live(containerPath(1, container));
            }
            live(podPath(1));
            node.tick();
            if (random.nextInt(5) == 0) {
                long before = node.now;
                node.sampler.sample(model -> model);
                assertEquals(before, node.now);
            }
            check();
        }
    }

    private void check() {
        node.sampler.sample(model -> {
            for (ContainerState container : model.containers()) {
                String path = container.cgroup().path().substring(1);
                check(path, container.throttle());
                long now = container.stalledMicros();
                long before = stalled.getOrDefault(path, 0L);
                assertTrue(now != Value.ABSENT && now >= before, path + " stalled " + before + " and then " + now);
                stalled.put(path, now);
            }
            check(podPath(1), model.shownPods().get(0).throttle());
            return model;
        });
    }

    private void check(String path, ThrottleWindow window) {
        long periods = 0;
        long throttled = 0;
        double worst = Double.NaN;
        for (Iterator<long[]> all = expected(path).iterator(); all.hasNext(); ) {
            long[] tick = all.next();
            if (tick[0] <= second - MINUTE) {
                all.remove();
                continue;
            }
            periods += tick[1];
            throttled += tick[2];
            double ratio = (double) tick[2] / tick[1];
            worst = Double.isNaN(worst) ? ratio : Math.max(worst, ratio);
        }
        assertEquals(
                periods < ThrottleWindow.FEWEST_PERIODS ? Double.NaN : (double) throttled / periods,
                window.ratio(),
                1e-9,
                path + " in second " + second);
        assertEquals(worst, window.worst(), 1e-9, path + " in second " + second);
        assertTrue(!(window.waitMicros() < 0), path + " waited " + window.waitMicros());
    }
}
