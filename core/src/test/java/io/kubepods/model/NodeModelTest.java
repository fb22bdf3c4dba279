package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.cgroup.CgroupFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is shown, and under which name. */
class NodeModelTest {
    @TempDir
    Path directory;

    private SampledNode node;

    @BeforeEach
    void makeNode() {
        node = new SampledNode(directory);
    }

    @AfterEach
    void nothingWentWrong() {
        assertEquals(Map.of(), node.errors());
        assertEquals(node.keptDescriptors(), node.openDescriptors());
    }

    private void container(int pod, int container, String command) {
        node.files.cgroup(containerPath(pod, container));
        node.files.init(containerPath(pod, container), 100 + container, command);
    }

    private static String shortId(int container) {
        return id(container).substring(0, 12);
    }

    private Set<String> pods() {
        return node.sample(model -> {
            Set<String> pods = new HashSet<>();
            model.shownPods().forEach(pod -> pods.add(pod.toString()));
            return pods;
        });
    }

    private int unnamed() {
        return node.sample(NodeModel::unnamed);
    }

    @Test
    void anEmptyNode() {
        assertEquals(Map.of(), node.shown());
        assertEquals(Set.of(), pods());
        assertEquals(0, node.sampler.status().kubepodsTrees());
        assertEquals(List.of(), node.sample(NodeModel::shownSlices));
    }

    @Test
    void unnamedUntilTheApiNamesThem() {
        container(1, 1, "java");
        ContainerState unnamed = node.only();
        assertEquals("/" + uid(1) + "/" + shortId(1), unnamed.toString());
        assertFalse(unnamed.isNamed());
        assertEquals(1, unnamed());
        assertEquals(Set.of("/" + uid(1)), pods());

        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        ContainerState named = node.only();
        assertSame(unnamed, named);
        assertEquals("shop/cart-0/cart", named.toString());
        assertEquals("cart", named.name());
        assertEquals("shop", named.pod().namespace());
        assertEquals(uid(1), named.pod().uid());
        assertEquals(id(1), named.id());
        assertTrue(named.isNamed());
        assertEquals(0, unnamed());
        assertEquals(Set.of("shop/cart-0"), pods());
        assertEquals(List.of(named), named.pod().containers());
    }

    @Test
    void aPodGoneFromTheApiKeepsItsNameWhileItsCgroupIsThere() {
        container(1, 1, "java");
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        node.only();
        node.pods.clear();
        node.generation++;
        assertEquals("shop/cart-0/cart", node.only().toString());
    }

    @Test
    void aContainerThatTheApiDoesNotListIsUnnamed() {
        container(1, 1, "java");
        container(1, 2, "sh");
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        assertEquals(
                Set.of("shop/cart-0/cart", "shop/cart-0/" + shortId(2)),
                node.shown().keySet());
        assertEquals(1, unnamed());
    }

    @Test
    void namesAreLookedUpOnlyWhenTheyMayHaveChanged() {
        container(1, 1, "java");
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        node.only();
        node.name(uid(1), "cart-1", Map.of(id(1), "cart"));
        node.generation--; // it does not say so
        assertEquals("shop/cart-0/cart", node.only().toString());
        node.generation++;
        assertEquals("shop/cart-1/cart", node.only().toString());
    }

    @Test
    void renamingReadsNoFile() {
        container(1, 1, "java");
        node.only();
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        node.sampler.tick();
        node.reads.clear();
        String name =
                node.sampler.sample(model -> model.shownContainers().get(0).toString());
        assertEquals("shop/cart-0/cart", name);
        assertEquals(List.of(), node.reads);
    }

    @Test
    void aSandboxIsThereAndNotShown() {
        container(1, 1, "java");
        container(1, 2, "pause");
        assertEquals("/" + uid(1) + "/" + shortId(1), node.only().toString());
        assertEquals(1, unnamed());
        assertEquals(2, node.count(model -> model.containers().size()));
        ContainerState sandbox = node.sample(model -> model.containers().stream()
                .filter(ContainerState::isSandbox)
                .findFirst()
                .orElseThrow());
        assertEquals(id(2), sandbox.id());
    }

    @Test
    void aContainerOfTheApiIsNoSandboxWhateverItRuns() {
        container(1, 2, "pause");
        node.name(uid(1), "cart-0", Map.of(id(2), "pause"));
        assertEquals("shop/cart-0/pause", node.only().toString());
    }

    @Test
    void whoStopsLookingLikeASandboxIsShown() {
        container(1, 1, "pause");
        assertEquals(Map.of(), node.shown());
        node.files.end(101);
        node.files.write(containerPath(1, 1), "cgroup.procs", "");
        node.files.init(containerPath(1, 1), 999, "java");
        closeProcessDescriptors();
        assertEquals(1, node.shown().size());
    }

    /** In plain files a kept descriptor of a process that has ended goes on answering; the kernel's says ESRCH. */
    private void closeProcessDescriptors() {
        node.sample(model -> {
            for (ContainerState container : model.containers()) {
                if (container.init != null) {
                    container.init.close(node.posix);
                }
            }
            return 0;
        });
    }

    @Test
    void kataPodsAreSandboxes() {
        String path = podPath(1) + "/kata_" + id(1);
        node.files.cgroup(path);
        node.files.init(path, 7, "qemu");
        assertEquals(Map.of(), node.shown());
    }

    @Test
    void anEmptyCgroupOfCrioIsASandboxOnceTheApiHasNamedItsPod() {
        String path = podPath(1) + "/crio-" + id(1) + ".scope";
        node.files.cgroup(path);
        node.files.write(path, "cgroup.events", "populated 0\nfrozen 0\n");
        assertEquals(1, node.shown().size());
        node.name(uid(1), "cart-0", Map.of(id(2), "cart"));
        assertEquals(Map.of(), node.shown());
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        assertEquals(Set.of("shop/cart-0/cart"), node.shown().keySet());
    }

    @Test
    void ofTwoWithOneNameThePresentOneIsShown() {
        container(1, 1, "java");
        container(1, 2, "java");
        node.name(uid(1), "cart-0", Map.of(id(1), "cart", id(2), "cart~"));
        assertEquals(id(1), node.only().id());
        node.name(uid(1), "cart-0", Map.of(id(1), "cart~", id(2), "cart"));
        assertEquals(id(2), node.only().id());
    }

    @Test
    void ofTwoPresentOnesTheNewestIsShown() {
        container(1, 1, "java");
        container(1, 2, "java");
        node.name(uid(1), "cart-0", Map.of(id(1), "cart", id(2), "cart"));
        ContainerState shown = node.only();
        ContainerState other = node.sample(model -> model.containers().stream()
                .filter(each -> each != shown)
                .findFirst()
                .orElseThrow());
        assertTrue(shown.cgroup().id() > other.cgroup().id());
        node.name(uid(1), "cart-0", Map.of(id(1), "cart~", id(2), "cart~"));
        assertSame(shown, node.only());
    }

    @Test
    void ofPodsWithOneNameTheNewestIsShown() {
        List<Integer> pods = new ArrayList<>();
        for (int pod = 1; pod <= 8; pod++) {
            container(pod, pod, "java");
            node.name(uid(pod), "cart-0", Map.of(id(pod), "cart"));
            pods.add(pod);
        }
        while (!pods.isEmpty()) {
            assertEquals(Set.of("shop/cart-0"), pods());
            assertEquals(pods.size(), node.count(model -> model.pods().size()));
            PodState shown = node.sample(NodeModel::shownPods).get(0);
            Set<Long> ids = node.sample(model -> model.pods().stream()
                    .map(pod -> Objects.requireNonNull(pod.cgroup()).id())
                    .collect(Collectors.toSet()));
            assertEquals(
                    Collections.max(ids), Objects.requireNonNull(shown.cgroup()).id());
            pods.removeIf(pod -> shown.uid().equals(uid(pod)));
            node.files.remove(podPath((int) Long.parseLong(shown.uid().substring(24), 16)));
        }
        assertEquals(Set.of(), pods());
    }

    @Test
    void ofPodsWithOneNameTheNewestPodsContainersAreShown() {
        container(1, 1, "java");
        container(2, 2, "java");
        PodState older =
                node.sample(model -> Collections.min(model.pods(), Comparator.comparingLong(NodeModelTest::cgroupId)));
        PodState newer =
                node.sample(model -> Collections.max(model.pods(), Comparator.comparingLong(NodeModelTest::cgroupId)));
        String old = older.containers().get(0).id();
        // The old pod drains, removed by force; of the new one's restarted container the present instance is not told
        // yet.
        node.name(older.uid(), "cart-0", Map.of(old, "cart"));
        node.name(newer.uid(), "cart-0", Map.of(newer.containers().get(0).id(), "cart~"));
        assertEquals(List.of(newer), node.sample(NodeModel::shownPods));
        assertSame(newer, node.only().pod());
        node.files.remove(Objects.requireNonNull(newer.cgroup()).path().substring(1));
        assertEquals(old, node.only().id());
    }

    private static long cgroupId(PodState pod) {
        return Objects.requireNonNull(pod.cgroup()).id();
    }

    @Test
    void aPodWithoutItsOwnCgroupIsNotShownButItsContainersAre() {
        String path = "system.slice/containerd.service/kubepods-burstable-pod" + uid(1).replace('-', '_')
                + ".slice:cri-containerd:" + id(1);
        node.files.cgroup(path);
        node.files.init(path, 7, "java");
        ContainerState container = node.only();
        assertEquals("/" + uid(1) + "/" + shortId(1), container.toString());
        assertNull(container.pod().cgroup());
        assertEquals(Set.of(), pods());

        // The kubelet has made the pod's cgroup where it wants it: the two are one pod.
        node.files.cgroup(podPath(1));
        assertSame(container, node.only());
        node.tick();
        node.name(uid(1), "cart-0", Map.of(id(1), "cart"));
        for (int i = 0; i < 12; i++) {
            node.tick();
        }
        assertEquals(Set.of("shop/cart-0"), pods());
        assertNotNull(container.pod().cgroup());
        assertSame(container, node.only());

        node.files.remove(podPath(1));
        assertEquals(Set.of(), pods());
        assertSame(container, node.only());
    }

    @Test
    void aPodInTwoPlacesIsOne() {
        container(1, 1, "java");
        String elsewhere = "kubepods/burstable/pod" + uid(1) + "/" + id(2);
        node.files.cgroup(elsewhere);
        node.files.init(elsewhere, 7, "java");
        assertEquals(2, node.shown().size());
        assertEquals(Set.of("/" + uid(1)), pods());
        node.files.remove(podPath(1));
        assertEquals("/" + uid(1) + "/" + shortId(2), node.only().toString());
        assertEquals(Set.of("/" + uid(1)), pods());
        node.files.remove("kubepods/burstable/pod" + uid(1));
        assertEquals(Map.of(), node.shown());
        assertEquals(0, node.count(model -> model.pods().size()));
    }

    private Set<String> slices() {
        return node.sample(model -> {
            Set<String> labels = new HashSet<>();
            model.shownSlices().forEach(slice -> labels.add(slice.label() + " " + slice.cgroup()));
            return labels;
        });
    }

    @Test
    void slicesAndThoseOfASecondTree() {
        node.files.cgroup("docker/n/kubelet/kubepods/burstable");
        node.files.cgroup("kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice");
        assertEquals(
                Set.of(
                        "kubepods /kubelet.slice/kubelet-kubepods.slice",
                        "besteffort /kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice",
                        "/docker/n/kubelet/kubepods /docker/n/kubelet/kubepods",
                        "/docker/n/kubelet/kubepods/burstable /docker/n/kubelet/kubepods/burstable"),
                slices());
        assertEquals(2, node.sampler.status().kubepodsTrees());
        node.files.remove("kubelet.slice/kubelet-kubepods.slice");
        assertEquals(
                Set.of("kubepods /docker/n/kubelet/kubepods", "burstable /docker/n/kubelet/kubepods/burstable"),
                slices());
    }

    @Test
    void crunsInnerCgroupBelongsToItsContainer() {
        node.files.cgroup(containerPath(1, 1) + "/container");
        node.files.init(containerPath(1, 1) + "/container", 7, "java");
        container(1, 2, "java");
        Map<String, ContainerState> shown = node.shown();
        ContainerState crun = shown.get("/" + uid(1) + "/" + shortId(1));
        ContainerState plain = shown.get("/" + uid(1) + "/" + shortId(2));
        assertNotNull(crun);
        assertNotNull(plain);
        assertNotNull(crun.inner);
        assertNull(plain.inner);
        assertSame(crun.inner, crun.processes());
        assertSame(plain.cgroup(), plain.processes());
        assertNotNull(crun.init());
        assertEquals(7, crun.init().pid());
        node.files.remove(containerPath(1, 1));
        assertEquals(1, node.shown().size());
    }

    @Test
    void unknownKeysOfAFileAreTold() {
        container(1, 1, "java");
        node.files.write(containerPath(1, 1), "cpu.stat", "usage_usec 1\nnew_key 2\n");
        node.only();
        assertEquals(1, node.sampler.unknownKeys(CgroupFile.CPU_STAT));
    }

    @Test
    void aSandboxThatWasSeenAsTheRuntimesOwnProcessIsOneInTheEnd() {
        container(1, 1, "runc:[2:INIT]");
        container(1, 2, "java");
        assertEquals(2, node.shown().size());
        node.files.init(containerPath(1, 1), 101, "pause");
        assertEquals(Set.of("/" + uid(1) + "/" + shortId(2)), node.shown().keySet());
    }

    @Test
    void aContainerMayRunPauseToo() {
        container(1, 1, "pause");
        container(1, 2, "pause");
        ContainerState later = node.sample(model -> {
            List<ContainerState> all = new ArrayList<>(model.containers());
            all.sort(Comparator.comparingLong(c -> c.cgroup().id()));
            return all.get(1);
        });
        assertEquals(Set.of(later.toString()), node.shown().keySet());
    }

    @Test
    void withoutProcessesTheSandboxIsTheOneMadeBeforeAllThatAreNamed() {
        List<ContainerState> byAge = twoContainersByAge();
        assertEquals(2, node.shown().size(), "nothing is known of either");
        node.name(uid(1), "api-0", Map.of(byAge.get(1).id(), "api"));
        assertEquals(Set.of("shop/api-0/api"), node.shown().keySet());
    }

    @Test
    void withoutProcessesANewContainerThatIsNotNamedYetIsNoSandbox() {
        List<ContainerState> byAge = twoContainersByAge();
        node.name(uid(1), "api-0", Map.of(byAge.get(0).id(), "api"));
        assertEquals(
                Set.of("shop/api-0/api", "shop/api-0/" + byAge.get(1).id().substring(0, 12)),
                node.shown().keySet());
    }

    @Test
    void withoutProcessesASandboxStaysOneWhileItsContainerWaitsForItsRestart() {
        List<ContainerState> byAge = twoContainersByAge();
        ContainerState api = byAge.get(1);
        node.name(uid(1), "api-0", Map.of(api.id(), "api"));
        assertEquals(Set.of("shop/api-0/api"), node.shown().keySet());
        node.files.remove(api.cgroup().path().substring(1));
        assertEquals(Map.of(), node.shown());
        assertEquals(0, unnamed());
        // Should the API name it after all, or one made before it, it was none.
        node.name(uid(1), "api-0", Map.of(byAge.get(0).id(), "log"));
        assertEquals(Set.of("shop/api-0/log"), node.shown().keySet());
    }

    @Test
    void withoutProcessesWhoPrecededTheNamedOnesIsNoSandboxOnceAnOlderOneIsNamed() {
        node.files.cgroup(containerPath(1, 3));
        List<ContainerState> byAge = twoContainersByAge();
        node.name(uid(1), "api-0", Map.of(byAge.get(2).id(), "api"));
        assertEquals(Set.of("shop/api-0/api"), node.shown().keySet());
        node.name(uid(1), "api-0", Map.of(byAge.get(2).id(), "api", byAge.get(0).id(), "log"));
        assertEquals(
                Set.of(
                        "shop/api-0/api",
                        "shop/api-0/log",
                        "shop/api-0/" + byAge.get(1).id().substring(0, 12)),
                node.shown().keySet());
    }

    @Test
    void withoutProcessesTheOldestIsTheSandboxWhileTheApiSaysThatNothingRuns() {
        List<ContainerState> byAge = twoContainersByAge();
        node.waiting(uid(1), "api-0");
        String next = "shop/api-0/" + byAge.get(1).id().substring(0, 12);
        assertEquals(Set.of(next), node.shown().keySet(), "the next runs already, and the API does not know yet");
        node.files.remove(byAge.get(1).cgroup().path().substring(1));
        assertEquals(Map.of(), node.shown());
        node.name(uid(1), "api-0", Map.of());
        assertEquals(1, node.shown().size(), "something runs, and who knows what");
    }

    @Test
    void withoutProcessesCrioMayHaveMadeNoCgroupForTheSandbox() {
        String path = podPath(1) + "/crio-" + id(1) + ".scope";
        node.files.cgroup(path);
        node.files.write(path, "cgroup.events", "populated 1\nfrozen 0\n");
        node.waiting(uid(1), "api-0");
        assertEquals(Set.of("shop/api-0/" + shortId(1)), node.shown().keySet());
    }

    private List<ContainerState> twoContainersByAge() {
        node.files.cgroup(containerPath(1, 1));
        node.files.cgroup(containerPath(1, 2));
        return node.sample(model -> {
            List<ContainerState> all = new ArrayList<>(model.containers());
            all.sort(Comparator.comparingLong(c -> c.cgroup().id()));
            return all;
        });
    }

    @Test
    void whatAppearedSinceTheLastSampleIsReadBeforeItIsShown() {
        container(1, 1, "java");
        assertEquals(1, node.shown().size());
        container(1, 2, "java");
        node.files.write(containerPath(1, 2), "memory.current", "4096\n");
        node.sampler.tick();
        List<Long> usage = node.sampler.sample(model -> model.shownContainers().stream()
                .filter(container -> container.id().equals(id(2)))
                .map(container -> container.cgroup().sample().single(CgroupFile.MEMORY_CURRENT))
                .toList());
        assertEquals(List.of(4_096L), usage, "within the same second");
    }

    @Test
    void ofTwoCgroupsOfOnePodTheOneWithProcessesSpeaks() {
        String old = "kubepods/burstable/pod" + uid(1);
        node.files.cgroup(old);
        node.files.write(old, "cgroup.events", "populated 0\nfrozen 0\n");
        node.files.write(old, "memory.current", "111\n");
        container(1, 1, "java");
        node.files.write(podPath(1), "cgroup.events", "populated 1\nfrozen 0\n");
        node.files.write(podPath(1), "memory.current", "222\n");
        long usage = node.sample(
                model -> Objects.requireNonNull(model.shownPods().get(0).cgroup())
                        .sample()
                        .single(CgroupFile.MEMORY_CURRENT));
        assertEquals(222, usage);
        assertEquals(
                Set.of("kubepods", "burstable", "/kubepods", "/kubepods/burstable"),
                node.sample(model -> {
                    Set<String> labels = new HashSet<>();
                    model.shownSlices().forEach(slice -> labels.add(slice.label()));
                    return labels;
                }),
                "the tree with containers is this node's");
    }

    @Test
    void twoSlicesOfOneNameDoNotBothHaveIt() {
        node.files.cgroup("kubepods.slice/burstable");
        node.files.cgroup("kubepods.slice/kubepods-burstable.slice");
        Set<String> labels = node.sample(model -> {
            Set<String> all = new HashSet<>();
            model.shownSlices().forEach(slice -> all.add(slice.label()));
            return all;
        });
        assertEquals(3, labels.size(), labels::toString);
    }

    @Test
    void theRootOfACgroupNamespaceMayHaveALimitToo() {
        node.files.write("", "cpu.max", "100000 100000\n");
        container(1, 1, "java");
        node.files.write(containerPath(1, 1), "cpu.max", "300000 100000\n");
        assertEquals(1, node.only().effectiveCpuLimit());
    }

    @Test
    void aPodWhoseStatusSaysAnotherQosClassThanItsPlaceIsCounted() {
        for (int pod = 1; pod <= 3; pod++) {
            container(pod, pod, "java");
        }
        assertEquals(0, node.count(NodeModel::podsQosMismatched), "not named yet");
        node.qosClass(uid(1), "cart-0", "Burstable");
        node.qosClass(uid(2), "cart-1", "Guaranteed");
        node.qosClass(uid(3), "cart-2", "");
        assertEquals(1, node.count(NodeModel::podsQosMismatched));
        node.qosClass(uid(3), "cart-2", "BestEffort");
        assertEquals(2, node.count(NodeModel::podsQosMismatched));
        node.qosClass(uid(2), "cart-1", "Burstable");
        node.files.remove(podPath(3));
        node.tick();
        assertEquals(0, node.count(NodeModel::podsQosMismatched));
    }
}
