package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kubepods.agent.Exposition;
import io.kubepods.agent.Exposition.Sample;
import io.kubepods.agent.NodeOnDisk;
import io.kubepods.agent.metrics.NodeMetrics;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.model.NodeSampler;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods that come, restart and go, on a node of plain directories and on an API server over TLS; what is named at the end. */
@Timeout(300)
class PodChurnTest {
    private static final int PODS = 250;
    private static final List<String> CONTAINERS = List.of("api", "proxy", "log");

    private final AtomicLong ahead = new AtomicLong();
    private final TestApiServer server;
    private final PodWatcher watcher;
    private final NodeOnDisk node;
    private final NodeSampler sampler;
    private final NodeMetrics metrics;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** Pods that the API has. */
    private final List<LivePod> live = new ArrayList<>();

    /** Pods that are gone from the API while their cgroups are still there. */
    private final List<LivePod> draining = new ArrayList<>();

    /** What may not change again before the watcher has seen it. */
    private final Set<LivePod> fresh = new HashSet<>();

    /** A pod, and the ids of its containers' present and previous instances. */
    private static final class LivePod {
        final String uid;
        final String name;
        final Map<String, String> current = new TreeMap<>();
        final Map<String, String> previous = new HashMap<>();
        final Set<String> cgroups = new HashSet<>();

        LivePod(String uid, String name) {
            this.uid = uid;
            this.name = name;
        }

        Pod inApi() {
            List<ContainerStatus> statuses = new ArrayList<>();
            current.forEach((container, id) -> {
                ContainerStatusBuilder status =
                        new ContainerStatusBuilder().withName(container).withContainerID("containerd://" + id);
                String before = previous.get(container);
                if (before != null) {
                    status = status.withNewLastState()
                            .withNewTerminated()
                            .withContainerID("containerd://" + before)
                            .endTerminated()
                            .endLastState();
                }
                statuses.add(status.build());
            });
            return new PodBuilder()
                    .withNewMetadata()
                    .withUid(uid)
                    .withNamespace("shop")
                    .withName(name)
                    .endMetadata()
                    .withNewStatus()
                    .withContainerStatuses(statuses)
                    .endStatus()
                    .build();
        }
    }

    PodChurnTest(@TempDir(factory = InMemory.class) Path directory) throws IOException {
        server = new TestApiServer(Files.createDirectory(directory.resolve("serviceaccount")));
        watcher = new PodWatcher(server.inCluster(), "worker-1", Duration.ZERO, this::now, new Pauses(10_000));
        node = new NodeOnDisk(directory.resolve("node"));
        PosixFiles files = new PosixFiles();
        sampler = new NodeSampler(files, files, node.cgroupfs(), node.procfs(), watcher, this::now);
        metrics = new NodeMetrics(sampler);
    }

    @AfterEach
    void tearDown() throws IOException {
        for (LivePod pod : live) {
            node.remove(pod.uid);
        }
        drain(); // and closes the descriptors of all that
        watcher.close();
        server.close();
    }

    private long now() {
        return System.nanoTime() + ahead.get();
    }

    private String newId() {
        return "%016x%016x%016x%016x"
                .formatted(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    private LivePod add(String name) throws IOException {
        return add(name, CONTAINERS);
    }

    private LivePod add(String name, List<String> containers) throws IOException {
        LivePod pod = new LivePod(new UUID(random.nextLong(), random.nextLong()).toString(), name);
        boolean apiFirst = random.nextBoolean();
        if (apiFirst) {
            server.put(pod.inApi());
        }
        for (String container : containers) {
            String id = newId();
            node.add(pod.uid, id);
            pod.cgroups.add(id);
            pod.current.put(container, id);
        }
        server.put(pod.inApi());
        live.add(pod);
        fresh.add(pod);
        return pod;
    }

    private void restart(LivePod pod) throws IOException {
        String container = CONTAINERS.get(random.nextInt(CONTAINERS.size()));
        String older = pod.previous.get(container);
        if (older != null && pod.cgroups.remove(older)) {
            node.remove(pod.uid, older);
        }
        String old = pod.current.get(container);
        String id = newId();
        node.add(pod.uid, id);
        pod.cgroups.add(id);
        pod.current.put(container, id);
        pod.previous.put(container, String.valueOf(old));
        if (random.nextBoolean()) {
            node.remove(pod.uid, String.valueOf(old));
            pod.cgroups.remove(old);
        }
        server.put(pod.inApi());
        fresh.add(pod);
    }

    private void delete(LivePod pod) throws IOException {
        server.delete(pod.inApi());
        live.remove(pod);
        if (random.nextBoolean()) {
            node.remove(pod.uid);
        } else {
            draining.add(pod);
        }
    }

    private void change(int step) throws IOException {
        LivePod pod = live.get(random.nextInt(live.size()));
        int kind = random.nextInt(4);
        if (kind == 0 && live.size() < PODS + 20) {
            add("pod-" + step);
        } else if (fresh.contains(pod)) {
            add("late-" + step);
        } else if (kind == 1) {
            delete(pod);
        } else if (kind == 2) {
            delete(pod);
            add(pod.name); // as a StatefulSet does
        } else {
            restart(pod);
        }
    }

    private void catchUp() throws Exception {
        Wait.until(
                "the watcher is at " + server.version(),
                () -> Long.toString(server.version()).equals(watcher.version()));
        fresh.clear();
        sampler.tick();
    }

    private List<Sample> collect() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExpositionFormats.init().getPrometheusTextFormatWriter().write(out, metrics.collect());
        return Exposition.parse(out.toString(UTF_8));
    }

    /** Of everything that claims a name, who should have it: name to id. */
    private Map<String, String> oracle() throws IOException {
        Map<String, String> shown = new TreeMap<>();
        Map<String, Rank> ranks = new HashMap<>();
        List<LivePod> all = new ArrayList<>(live);
        all.addAll(draining);
        for (LivePod pod : all) {
            long podId = node.id(pod.uid);
            claim("shop/" + pod.name, pod.uid, new Rank(podId, true, podId), shown, ranks);
            for (String id : pod.cgroups) {
                for (String container : CONTAINERS) {
                    boolean isCurrent = id.equals(pod.current.get(container));
                    if (isCurrent || id.equals(pod.previous.get(container))) {
                        Rank rank = new Rank(podId, isCurrent, node.id(pod.uid, id));
                        claim("shop/" + pod.name + "/" + container, id, rank, shown, ranks);
                    }
                }
            }
        }
        return shown;
    }

    /** The newer pod, then the present instance, then the newer one. */
    private record Rank(long pod, boolean isCurrent, long id) implements Comparable<Rank> {
        @Override
        public int compareTo(Rank other) {
            return Comparator.comparingLong(Rank::pod)
                    .thenComparing(Rank::isCurrent)
                    .thenComparingLong(Rank::id)
                    .compare(this, other);
        }
    }

    private static void claim(String name, String id, Rank how, Map<String, String> shown, Map<String, Rank> ranks) {
        Rank best = ranks.get(name);
        if (best == null || how.compareTo(best) > 0) {
            ranks.put(name, how);
            shown.put(name, id);
        }
    }

    private static Map<String, String> shown(List<Sample> samples) {
        Map<String, String> shown = new TreeMap<>();
        for (Sample sample : Exposition.of(samples, "kubepods_pod_info")) {
            shown.put(sample.label("namespace") + "/" + sample.label("pod"), sample.label("uid"));
        }
        for (Sample sample : Exposition.of(samples, "kubepods_container_info")) {
            shown.put(
                    sample.label("namespace") + "/" + sample.label("pod") + "/" + sample.label("container"),
                    sample.label("container_id"));
        }
        return shown;
    }

    private void assertNamesAreTheOracles() throws IOException {
        List<Sample> samples = collect();
        assertEquals(oracle(), shown(samples), () -> "seed " + seed);
        Map<Boolean, Long> usage = Exposition.of(samples, "kubepods_container_cpu_usage_seconds_total").stream()
                .collect(Collectors.partitioningBy(
                        sample -> sample.label("namespace").equals("shop"), Collectors.counting()));
        assertEquals(0, usage.get(false), () -> "unnamed; seed " + seed);
        assertEquals(
                oracle().keySet().stream()
                        .filter(name -> name.split("/", -1).length == 3)
                        .count(),
                usage.get(true),
                () -> "seed " + seed);
    }

    private void drain() throws IOException {
        for (LivePod pod : draining) {
            node.remove(pod.uid);
        }
        draining.clear();
        sampler.tick();
    }

    /** Time passes, and the watch is heard of in it. */
    private void pass(Duration time, LivePod pod) throws Exception {
        ahead.addAndGet(time.toNanos());
        server.put(pod.inApi());
        catchUp();
        watcher.refresh();
    }

    @Test
    void namesAreRightAfterTwoThousandChanges() throws Exception {
        System.out.println("PodChurnTest: -Dseed=" + seed);
        for (int i = 0; i < PODS; i++) {
            add("pod-" + i);
        }
        watcher.start();
        catchUp();
        assertNamesAreTheOracles();
        assertEquals(PODS * 4, oracle().size());

        for (int step = 1; step <= 2_000; step++) {
            change(1_000 + step);
            if (step % 50 == 25) {
                if (random.nextBoolean()) {
                    server.cut();
                } else {
                    server.tear();
                }
            }
            if (step % 10 == 0) {
                catchUp();
            }
            if (step % 50 == 0) {
                assertNamesAreTheOracles();
                if (random.nextBoolean()) {
                    drain();
                }
            }
        }
        assertNamesAreTheOracles();
        assertTrue(watcher.size() > live.size(), "departed pods are remembered for a while");

        drain();
        pass(PodStore.GRACE, live.get(0));
        assertEquals(live.size(), watcher.size(), () -> "seed " + seed);
        assertNamesAreTheOracles();
    }

    @Test
    void tenThousandPodsLaterTheHeapIsWhatItWas() throws Exception {
        LivePod staying = add("staying");
        watcher.start();
        catchUp();
        generation(0, staying);
        long after100 = heap();
        int cgroups = sampler.status().cgroups();
        for (int generation = 1; generation < 100; generation++) {
            generation(generation, staying);
        }
        long after10000 = heap();
        System.out.printf("PodChurnTest: heap after 100 pods %,d, after 10,000 %,d bytes%n", after100, after10000);
        assertEquals(1, watcher.size());
        assertEquals(cgroups, sampler.status().cgroups());
        // A pod that stays behind is worth 2 KB and more with its cgroups and labels: 9,900 of them would be 20 MB.
        assertTrue(after10000 - after100 < 4 << 20, () -> "grew from " + after100 + " to " + after10000);
    }

    /** A hundred pods come and go. */
    private void generation(int number, LivePod staying) throws Exception {
        List<LivePod> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(add("job-" + number + "-" + i, List.of("job")));
        }
        catchUp();
        assertEquals(204, shown(collect()).size());
        for (LivePod pod : all) {
            server.delete(pod.inApi());
            node.remove(pod.uid);
            live.remove(pod);
        }
        catchUp();
        pass(PodStore.GRACE, staying);
        assertEquals(4, shown(collect()).size());
    }

    private static long heap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
