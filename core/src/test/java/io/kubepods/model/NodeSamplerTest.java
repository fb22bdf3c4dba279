package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.PlainNode;
import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CpuStat;
import io.kubepods.cgroup.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read when, and what is closed. */
class NodeSamplerTest {
    private static final String CONTAINER = containerPath(1, 1);

    @TempDir
    Path directory;

    private SampledNode node;

    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
        node.files.cgroup(CONTAINER);
        node.files.init(CONTAINER, 200, "java");
    }

    private long usage() {
        return node.sampler.sample(
                model -> model.containers().get(0).cgroup().sample().cpuStat(CpuStat.USAGE_USEC));
    }

    @Test
    void aTickReadsTwoFilesOfEveryContainerAndPodAndOneOfEverySlice() {
        for (int i = 0; i < 5; i++) { // what is new is looked at more closely
            node.tick();
        }
        node.reads.clear();
        node.tick();
        assertEquals(
                Set.of(
                        "cgroup/" + CONTAINER + "/cpu.stat",
                        "cgroup/" + CONTAINER + "/memory.events",
                        "cgroup/" + podPath(1) + "/cpu.stat",
                        "cgroup/" + podPath(1) + "/memory.events",
                        "cgroup/kubepods.slice/kubepods-burstable.slice/memory.events",
                        "cgroup/kubepods.slice/memory.events"),
                Set.copyOf(node.reads));
        assertEquals(6, node.reads.size());
    }

    @Test
    void aTickReadsBothLevelsOfCrun() {
        node.files.cgroup(CONTAINER + "/container");
        node.tick();
        assertTrue(node.reads.contains("cgroup/" + CONTAINER + "/container/cpu.stat"));
        assertTrue(node.reads.contains("cgroup/" + CONTAINER + "/cpu.stat"));
    }

    @Test
    void everythingIsReadAtMostOnceASecond() {
        assertEquals(1, usage());
        node.files.write(CONTAINER, "cpu.stat", "usage_usec 5\n");
        node.reads.clear();
        node.now += 999_999_999;
        assertEquals(1, usage());
        assertEquals(0, node.reads.size());
        node.now += 1;
        assertEquals(5, usage());
        assertTrue(node.reads.contains("cgroup/" + CONTAINER + "/memory.stat"));
    }

    @Test
    void theFirstSampleReadsWhateverTheClockSays() {
        node.now = 0;
        assertEquals(1, usage());
    }

    @Test
    void aTickIsSeenWithoutASample() {
        usage();
        node.files.write(CONTAINER, "cpu.stat", "usage_usec 9\n");
        node.sampler.tick();
        assertEquals(9, usage());
    }

    @Test
    void newTreesAreSearchedForEveryTenTicksOrSo() {
        node.tick();
        node.files.cgroup("kubelet/kubepods");
        int ticks = 0;
        while (node.sampler.status().kubepodsTrees() < 2) {
            node.tick();
            ticks++;
            assertTrue(ticks <= 11);
        }
        assertTrue(ticks >= 10);
    }

    @Test
    void withoutAnyTreeItIsSearchedForEveryTick() {
        node.files.remove("kubepods.slice");
        for (int i = 0; i < 12; i++) {
            node.tick();
        }
        assertEquals(0, node.sampler.status().kubepodsTrees());
        node.files.cgroup("kubelet/kubepods");
        node.tick();
        assertEquals(1, node.sampler.status().kubepodsTrees());
    }

    @Test
    void whatVanishesIsForgottenAndClosed() {
        node.files.cgroup(containerPath(1, 2) + "/container");
        node.files.init(containerPath(1, 2) + "/container", 300, "sh");
        assertEquals(2, node.shown().size());
        long two = node.openDescriptors();
        node.files.remove(containerPath(1, 2));
        node.tick();
        assertEquals(1, node.count(model -> model.containers().size()));
        assertTrue(node.openDescriptors() < two);
        node.files.remove("kubepods.slice");
        node.tick();
        assertEquals(
                0,
                node.count(model -> model.containers().size()
                        + model.pods().size()
                        + model.slices().size()));
        assertEquals(0, node.sampler.status().cgroups());
        assertEquals(1, node.openDescriptors(), "the root's directory");
        assertEquals(0, node.sampler.status().openFiles());
        assertEquals(1, node.sampler.status().openDirectories());
        assertEquals(Map.of(), node.errors());
    }

    @Test
    void limitsAboveTheKubepodsTreeAreRead() {
        node.files.remove("kubepods.slice");
        String path = "kubelet/" + CONTAINER;
        node.files.cgroup(path);
        node.files.write("kubelet", "cpu.max", "150000 100000\n");
        assertEquals(1.5, node.only().effectiveCpuLimit());
    }

    @Test
    void limitsAboveAMisplacedContainerAreRead() {
        node.files.remove("kubepods.slice");
        String name = "kubepods-burstable-pod" + PlainNode.uid(1).replace('-', '_') + ".slice:cri-containerd:"
                + PlainNode.id(1);
        node.files.cgroup("system.slice/containerd.service/" + name);
        node.files.write("system.slice", "cpu.max", "50000 100000\n");
        assertEquals(0.5, node.only().effectiveCpuLimit());
    }

    @Test
    void theInitProcessIsReadAgainAndFoundAgain() throws IOException {
        ContainerState container = node.only();
        assertNotNull(container.init());
        assertEquals(200, container.init().pid());
        assertEquals(-997, container.init().oomScoreAdj());
        Files.writeString(node.files.procfs.resolve("200/oom_score_adj"), "5\n");
        node.only();
        assertEquals(5, container.init().oomScoreAdj());

        container.init().close(node.posix); // as ESRCH does
        node.files.end(200);
        assertNull(node.only().init());
        node.files.init(CONTAINER, 300, "java");
        node.only();
        assertNotNull(container.init());
        assertEquals(300, container.init().pid());
        assertEquals(Map.of(), node.errors());
    }

    @Test
    void crunsCgroupThatComesLateIsFoundWhereNoProcessIs() {
        node.files.write(CONTAINER, "cgroup.procs", "");
        ContainerState container = node.only();
        assertNull(container.init());
        node.files.cgroup(CONTAINER + "/container");
        node.files.init(CONTAINER + "/container", 300, "java");
        node.only();
        assertNotNull(container.inner);
        assertNotNull(container.init());
        assertEquals(300, container.init().pid());
    }

    @Test
    void samplesLeakNoDescriptorWhateverIsMissing() throws IOException {
        node.files.cgroup(containerPath(1, 2)); // no process
        node.files.cgroup(containerPath(1, 3));
        node.files.init(containerPath(1, 3), 300, "java");
        Files.delete(node.files.procfs.resolve("300/oom_score"));
        node.files.cgroup(containerPath(1, 4));
        node.files.write(containerPath(1, 4), "cgroup.procs", "400\n"); // and no such process
        node.files.cgroup(containerPath(1, 5) + "/init.scope");
        node.shown();
        long before = node.openDescriptors();
        for (int i = 0; i < 20; i++) {
            node.shown();
        }
        assertEquals(before, node.openDescriptors());
        assertEquals(before, node.keptDescriptors());
    }

    @Test
    void aProcessNamespaceThatHidesTheNodeIsSaid() {
        assertFalse(node.sampler.status().hiddenByPidNamespace());
        node.files.write(CONTAINER, "cgroup.procs", "0\n0\n");
        node.only();
        assertTrue(node.sampler.status().hiddenByPidNamespace());
        assertFalse(node.sampler.status().hiddenByCgroupNamespace());
    }

    @Test
    void aCgroupNamespaceThatHidesTheNodeIsSaid(@TempDir Path other) throws IOException {
        Files.createDirectories(other.resolve("cgroup"));
        Files.writeString(other.resolve("cgroup/cgroup.events"), "populated 1\n");
        SampledNode namespaced = new SampledNode(other);
        namespaced.tick();
        assertTrue(namespaced.sampler.status().hiddenByCgroupNamespace());
        namespaced.files.cgroup("kubelet/kubepods"); // as in a node of kind
        namespaced.tick();
        assertFalse(namespaced.sampler.status().hiddenByCgroupNamespace());
    }

    @Test
    void slicesAreReadWithoutTheirExpensiveFiles() {
        node.files.write("kubepods.slice", "memory.current", "4096\n");
        long current = node.sample(model -> {
            Cgroup slice = model.slices().get(0);
            return slice.sample().single(CgroupFile.MEMORY_CURRENT);
        });
        assertEquals(4_096, current);
        assertFalse(node.reads.contains("cgroup/kubepods.slice/memory.stat"));
        assertFalse(node.reads.contains("cgroup/kubepods.slice/cpu.stat"));
    }

    /** The walk has seen it; it goes before its files are read. */
    @Test
    void aCgroupThatGoesWhileItIsReadIsNotShownHalf() {
        for (int i = 2; i <= 6; i++) {
            node.files.cgroup(containerPath(1, i));
        }
        node.tick();
        for (long bytes = 6; bytes > 1; bytes--) {
            List<ContainerState> before = List.copyOf(node.sampler.sample(NodeModel::containers));
            assertEquals(bytes, before.size());
            for (ContainerState container : before) {
                node.files.write(container.cgroup().path().substring(1), "memory.current", bytes + "\n");
            }
            node.goesWhenRead = before.get(0).cgroup().path().substring(1);
            List<ContainerState> after = List.copyOf(node.sample(NodeModel::containers));
            assertEquals(before.subList(1, before.size()), after);
            for (ContainerState container : after) {
                assertEquals(
                        bytes, container.cgroup().sample().single(CgroupFile.MEMORY_CURRENT), "all others were read");
            }
        }
        assertEquals(Map.of(), node.errors());
    }

    /** As above, where the container has a process that is known, so that its directory is not listed for one. */
    @Test
    void aPodThatGoesWhileItIsReadIsNotShownHalf() {
        node.only();
        node.goesWhenRead = podPath(1);
        assertEquals(0, node.count(model -> model.pods().size()));
        assertEquals(
                0, node.sampler.sample(model -> model.shownContainers().size()).intValue());
        assertEquals(Map.of(), node.errors());
    }

    @Test
    void whatIsMissingIsAbsent() {
        Cgroup cgroup = node.only().cgroup();
        assertEquals(Value.ABSENT, cgroup.sample().single(CgroupFile.MEMORY_CURRENT));
        assertEquals(Map.of(), node.errors());
    }
}
