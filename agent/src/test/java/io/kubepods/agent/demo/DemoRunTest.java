package io.kubepods.agent.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two minutes of the demo, seen every second. */
class DemoRunTest {
    private static final int STEPS = 120;

    private static final Set<String> FILES = Set.of("""
            cgroup.controllers cgroup.events cgroup.procs cgroup.stat cgroup.subtree_control cgroup.type cpu.idle \
            cpu.max cpu.max.burst cpu.pressure cpu.stat cpu.stat.local cpu.weight io.pressure io.stat memory.current \
            memory.events memory.events.local memory.high memory.low memory.max memory.min memory.oom.group \
            memory.peak memory.pressure memory.stat memory.swap.current memory.swap.events memory.swap.max \
            memory.swap.peak pids.current pids.events pids.max pids.peak""".split(" "));

    /** What a reader sees at the start and after every second. */
    private static final List<NodeTree> RUN = new ArrayList<>();

    @BeforeAll
    static void run(@TempDir Path empty) throws IOException {
        try (DemoNode node = DemoNode.create(empty, Instant.parse("2025-01-01T00:00:00Z"))) {
            RUN.add(NodeTree.read(node));
            for (int i = 0; i < STEPS; i++) {
                node.step(Duration.ofSeconds(1));
                RUN.add(NodeTree.read(node));
            }
        }
    }

    @AfterAll
    static void forget() {
        RUN.clear();
    }

    @Test
    void everyCgroupButTheRootHasAllFiles() {
        NodeTree tree = RUN.get(STEPS);
        tree.cgroups().forEach((cgroup, files) -> {
            // What is on the way to a cgroup is one, too.
            assertTrue(cgroup.isEmpty() || tree.cgroups().containsKey(NodeTree.parent(cgroup)), cgroup);
            if (!cgroup.isEmpty()) {
                assertEquals(new TreeSet<>(FILES), files.keySet(), cgroup);
            }
            boolean leaf = tree.children(cgroup).isEmpty();
            assertTrue(
                    leaf
                            || cgroup.isEmpty()
                            || tree.text(cgroup, "cgroup.procs").isEmpty(),
                    cgroup);
        });
        for (String absent : List.of("cgroup.events", "cgroup.type", "memory.current", "memory.max", "cpu.max")) {
            assertThrows(AssertionError.class, () -> tree.text("", absent), absent);
        }
    }

    @Test
    void countersNeverFallWhileTheirCgroupLives() {
        for (int i = 1; i < RUN.size(); i++) {
            for (String cgroup : RUN.get(i).cgroups().keySet()) {
                assertNothingFell(RUN.get(i - 1), RUN.get(i), cgroup);
            }
        }
    }

    private static void assertNothingFell(NodeTree before, NodeTree after, String cgroup) {
        for (String file : after.cgroups().getOrDefault(cgroup, Map.of()).keySet()) {
            if (!file.matches("cgroup\\..*|cpuset\\..*|.*\\.current")) {
                before.numbers(cgroup, file).forEach((key, earlier) -> {
                    boolean gauge = key.contains("avg") || (file.equals("memory.stat") && isBytes(key));
                    double later = after.numbers(cgroup, file).getOrDefault(key, Double.NaN);
                    assertTrue(gauge || later >= earlier, () -> cgroup + "/" + file + " " + key);
                });
            }
        }
    }

    private static boolean isBytes(String memoryStatKey) {
        return !memoryStatKey.matches("(pg|workingset|thp_fault|thp_collapse|thp_swpout|swp|numa).*")
                || memoryStatKey.equals("swapcached");
    }

    @Test
    void whatIsHierarchicalAddsUpOverTheLivingAndTheRemoved() {
        // By directory of the parent, file and key: the sum of what removed children had at last.
        Map<String, Double> removed = new TreeMap<>();
        for (int i = 0; i < RUN.size(); i++) {
            NodeTree tree = RUN.get(i);
            if (i > 0) {
                bury(RUN.get(i - 1), tree, removed);
            }
            for (String cgroup : tree.cgroups().keySet()) {
                for (String file :
                        List.of("cpu.stat", "memory.stat", "memory.events", "memory.current", "pids.current")) {
                    if (!cgroup.isEmpty() && !tree.children(cgroup).isEmpty()) {
                        assertAddsUp(tree, cgroup, file, removed);
                    }
                }
            }
        }
        assertTrue(removed.keySet().stream().anyMatch(key -> key.endsWith("oom_kill")), removed.toString());
    }

    private static void bury(NodeTree before, NodeTree after, Map<String, Double> removed) {
        for (String cgroup : before.cgroups().keySet()) {
            if (!after.cgroups().containsKey(cgroup)) {
                for (String file : List.of("cpu.stat", "memory.stat", "memory.events")) {
                    before.numbers(cgroup, file).forEach((key, value) -> {
                        if (!file.equals("memory.stat") || !isBytes(key)) {
                            removed.merge(NodeTree.parent(cgroup) + "/" + file + " " + key, value, Double::sum);
                        }
                    });
                }
            }
        }
    }

    private static void assertAddsUp(NodeTree tree, String cgroup, String file, Map<String, Double> removed) {
        tree.numbers(cgroup, file).forEach((key, total) -> {
            if (file.equals("cpu.stat") && !key.matches("(usage|user|system|nice)_usec")) {
                return;
            }
            double sum = removed.getOrDefault(cgroup + "/" + file + " " + key, 0.0);
            if (file.equals("memory.events")) {
                sum += tree.number(cgroup, "memory.events.local", key);
            }
            for (String child : tree.children(cgroup)) {
                sum += tree.number(child, file, key);
            }
            assertEquals(sum, total, () -> cgroup + "/" + file + " " + key);
        });
    }

    @Test
    void numbersOfACgroupAreConsistent() {
        for (NodeTree tree : RUN) {
            for (String cgroup : tree.cgroups().keySet()) {
                assertConsistent(key -> tree.number(cgroup, "memory.stat", key));
                assertEquals(
                        tree.number(cgroup, "cpu.stat", "usage_usec"),
                        tree.number(cgroup, "cpu.stat", "user_usec") + tree.number(cgroup, "cpu.stat", "system_usec"));
                assertTrue(tree.number(cgroup, "cpu.stat", "nr_throttled")
                        <= tree.number(cgroup, "cpu.stat", "nr_periods"));
                for (String file : List.of("cpu.pressure", "memory.pressure", "io.pressure")) {
                    tree.numbers(cgroup, file)
                            .forEach((key, value) -> assertTrue(
                                    value >= 0 && (key.contains("total") || value <= 100), cgroup + file + key));
                    assertTrue(
                            tree.number(cgroup, file, "some.total") >= tree.number(cgroup, file, "full.total"),
                            cgroup + file);
                }
                if (!cgroup.isEmpty()) {
                    long current = tree.number(cgroup, "memory.current", "");
                    assertEquals(0, current % 4096);
                    for (String part : List.of("anon", "file", "kernel")) {
                        current -= tree.number(cgroup, "memory.stat", part);
                    }
                    assertTrue(current >= 0, cgroup);
                    current = tree.number(cgroup, "memory.current", "");
                    assertTrue(current <= tree.number(cgroup, "memory.peak", ""), cgroup);
                    String max = tree.text(cgroup, "memory.max").strip();
                    assertTrue(max.equals("max") || current <= Long.parseLong(max), cgroup);
                }
            }
        }
    }

    private static void assertConsistent(ToLongFunction<String> memory) {
        assertEquals(
                memory.applyAsLong("file"),
                memory.applyAsLong("active_file") + memory.applyAsLong("inactive_file") + memory.applyAsLong("shmem"));
        assertEquals(
                memory.applyAsLong("anon") + memory.applyAsLong("shmem"),
                memory.applyAsLong("active_anon") + memory.applyAsLong("inactive_anon"));
        assertEquals(
                memory.applyAsLong("slab"),
                memory.applyAsLong("slab_reclaimable") + memory.applyAsLong("slab_unreclaimable"));
        assertTrue(memory.applyAsLong("kernel")
                >= memory.applyAsLong("slab")
                        + memory.applyAsLong("kernel_stack")
                        + memory.applyAsLong("pagetables")
                        + memory.applyAsLong("percpu"));
    }

    @Test
    void pressureOfAParentIsAtLeastItsChildren() {
        NodeTree tree = RUN.get(STEPS);
        for (String cgroup : tree.cgroups().keySet()) {
            for (String child : tree.children(cgroup)) {
                for (String file : List.of("cpu.pressure", "memory.pressure", "io.pressure")) {
                    long parent = tree.number(cgroup, file, "some.total");
                    assertTrue(parent + 1 >= tree.number(child, file, "some.total"), child + "/" + file);
                }
            }
        }
    }

    @Test
    void oomKillsRestartContainersAndThePodsFileFollows() {
        List<NodeTree> trees = RUN.subList(0, 61);
        for (String container : List.of("recommender", "thumbnails")) {
            int kills = 0;
            for (int i = 1; i < trees.size(); i++) {
                String before = trees.get(i - 1).containerId(container);
                if (!before.equals(trees.get(i).containerId(container))) {
                    kills++;
                    String status = trees.get(i).status(container);
                    assertTrue(status.contains("\"restartCount\": " + kills), status);
                    assertTrue(status.contains("\"containerID\": \"containerd://" + before), status);
                    assertTrue(status.contains("\"exitCode\": 137") && status.contains("\"OOMKilled\""), status);
                    assertTrue(trees.get(i).cgroups().keySet().stream().noneMatch(cgroup -> cgroup.contains(before)));
                    assertFalse(trees.get(i).scope(container).isEmpty());
                }
            }
            assertTrue(kills >= (container.equals("recommender") ? 2 : 1), container + " " + kills);
            NodeTree killed = trees.stream()
                    .filter(tree ->
                            tree.numbers(tree.scope(container), "memory.events").getOrDefault("oom_kill", 0.0) > 0)
                    .findFirst()
                    .orElseThrow();
            String scope = killed.scope(container);
            String pod = NodeTree.parent(scope);
            boolean byPod = container.equals("thumbnails");
            assertEquals("", killed.text(scope, "cgroup.procs"));
            assertEquals(1, killed.number(scope, "memory.events.local", "oom_group_kill"));
            assertEquals(byPod ? 0 : 1, killed.number(scope, "memory.events.local", "oom"));
            assertEquals(byPod ? 1 : 0, killed.number(pod, "memory.events.local", "oom"));
            assertTrue(killed.number(pod, "memory.events", "oom_kill") > 1);
        }
    }

    @Test
    void eachBehaviourIsVisibleWithinAMinute() {
        List<NodeTree> trees = RUN.subList(0, 61);
        NodeTree first = trees.get(0);
        NodeTree last = trees.get(60);
        String cart = last.scope("cart");
        assertEquals(600, last.number(cart, "cpu.stat", "nr_periods"));
        assertTrue(last.number(cart, "cpu.stat", "nr_throttled") > 590);
        assertTrue(last.number(cart, "cpu.stat", "throttled_usec") > 5_000_000);
        assertTrue(last.number(cart, "cpu.stat.local", "throttled_usec") > 40_000_000);

        String search = last.scope("search");
        // Three bursts of 20 periods.
        assertEquals(60.0, (double) last.number(search, "cpu.stat", "nr_throttled"), 6);
        assertEquals(0, last.number(NodeTree.parent(search), "cpu.stat", "nr_periods"));
        List<Long> throttledBySecond = new ArrayList<>();
        for (int i = 1; i < trees.size(); i++) {
            throttledBySecond.add(trees.get(i).number(search, "cpu.stat", "nr_throttled")
                    - trees.get(i - 1).number(search, "cpu.stat", "nr_throttled"));
        }
        assertTrue(throttledBySecond.contains(10L) && throttledBySecond.contains(0L), throttledBySecond.toString());

        String orders = last.scope("orders");
        for (NodeTree tree : trees.subList(1, trees.size())) {
            assertEquals(0.95, tree.number(orders, "memory.current", "") / (double) (512 << 20), 0.03);
        }
        assertTrue(last.number(orders, "memory.events", "max") > 3);
        assertEquals(0, last.number(orders, "memory.events", "oom"));
        assertTrue(last.number(orders, "memory.pressure", "some.total") > 0);

        String database = last.scope("catalog-db");
        assertEquals(384 << 20, last.number(database, "memory.current", ""));
        assertTrue(last.number(database, "memory.events", "max") > 10_000);
        assertEquals(0, last.number(database, "memory.events", "oom_kill"));
        for (String key : List.of("pgscan", "pgsteal", "workingset_refault_file", "pgmajfault")) {
            assertTrue(last.number(database, "memory.stat", key) > 1000, key);
        }
        assertTrue(last.number(database, "io.stat", "259:0.rbytes") > 1 << 30);

        for (String calm : List.of("gateway", "tls-proxy", "report-viewer")) {
            String scope = last.scope(calm);
            assertTrue(last.number(scope, "cpu.stat", "usage_usec") > first.number(scope, "cpu.stat", "usage_usec"));
            assertEquals(0, last.number(scope, "cpu.stat", "nr_throttled"));
            assertEquals(0, last.number(scope, "memory.events", "max"));
        }
    }
}
