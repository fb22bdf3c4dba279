package io.kubepods.cgroup;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.kubepods.OpenDescriptors;
import io.kubepods.PlainNode;
import io.kubepods.Seed;
import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.ErrorCounts.Kind;
import io.kubepods.kernel.KernelDirectories;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.PosixFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupTreeTest implements CgroupTree.Listener {
    private static final String POD = "/" + podPath(1);
    private static final String CONTAINER = "/" + containerPath(1, 1);

    @TempDir
    Path directory;

    private PlainNode node;
    private CgroupTree tree;

    private final PosixFiles posix = new PosixFiles();
    private final ErrorCounts errors = new ErrorCounts("errors_total");
    private final List<String> events = new ArrayList<>();
    private final Map<String, Cgroup> present = new TreeMap<>();
    /** What a listing of a path gives instead of what is there; of all that end so. */
    private final Map<String, Integer> failing = new HashMap<>();

    private final List<String> listed = new ArrayList<>();
    private @Nullable Random shuffle;

    private int list(KernelDirectory which, KernelDirectories.Subdirectory each) {
        String path = which.toString()
                .substring(directory.resolve("cgroup").toString().length());
        listed.add(path.isEmpty() ? "/" : path);
        Integer errno = failing.get(path);
        if (errno != null) {
            return -errno;
        }
        return shuffle == null ? posix.list(which, each) : listShuffled(which, each, shuffle);
    }

    @BeforeEach
    void makeTree() {
        node = new PlainNode(directory);
        tree = new CgroupTree(this::list, node.cgroupfs, errors, this);
    }

    @AfterEach
    void nothingIsLeaked() throws IOException {
        failing.clear();
        try (Stream<Path> top = Files.list(node.cgroupfs)) {
            for (Path path : top.toList()) {
                node.remove(path.getFileName().toString());
            }
        }
        tree.refresh(true, 0);
        assertEquals(Map.of(), present);
        assertEquals(0, tree.size());
        assertEquals(0, tree.kubepodsTrees());
        assertEquals(0, tree.unknown());
        tree.root().close(posix);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Override
    public void appeared(Cgroup cgroup) {
        events.add("+" + cgroup.path());
        assertEquals(null, present.put(cgroup.path(), cgroup), "appeared twice");
    }

    @Override
    public void vanished(Cgroup cgroup) {
        events.add("-" + cgroup.path());
        assertSame(cgroup, present.remove(cgroup.path()), "vanished without having appeared");
        cgroup.close(posix);
    }

    private List<String> refreshed(boolean everywhere) {
        events.clear();
        tree.refresh(everywhere, 0);
        return List.copyOf(events);
    }

    private Cgroup at(String path) {
        Cgroup cgroup = present.get(path);
        if (cgroup == null) {
            throw new AssertionError(path + " is not in " + present.keySet());
        }
        return cgroup;
    }

    @Test
    void appearing() {
        node.cgroup(containerPath(1, 1));
        node.cgroup("system.slice/kubelet.service");
        tree.refresh(true, 0);
        assertEquals(
                Set.of(
                        "/kubepods.slice",
                        "/kubepods.slice/kubepods-burstable.slice",
                        POD,
                        CONTAINER,
                        "/system.slice",
                        "/system.slice/kubelet.service"),
                present.keySet());
        assertEquals(6, tree.size());
        assertEquals(1, tree.kubepodsTrees());
        assertEquals(0, tree.unknown());
        Cgroup container = at(CONTAINER);
        assertEquals(CgroupName.Role.CONTAINER, container.role());
        assertEquals(PlainNode.id(1), container.name().containerId());
        assertSame(at(POD), container.parent());
        assertEquals(List.of(container), at(POD).children());
        assertEquals(List.of(), refreshed(true));
    }

    @Test
    void theIdIsTheInode() throws IOException {
        Path pod = node.cgroup(podPath(1));
        tree.refresh(true, 0);
        assertEquals(Files.getAttribute(pod, "unix:ino"), at(POD).id());
    }

    @Test
    void vanishingChildrenFirst() {
        node.cgroup(containerPath(1, 1) + "/container");
        node.cgroup(containerPath(2, 2));
        tree.refresh(true, 0);
        node.remove(podPath(1));
        assertEquals(List.of("-" + CONTAINER + "/container", "-" + CONTAINER, "-" + POD), refreshed(false));
        assertEquals(List.of(), refreshed(false));
        assertEquals(CgroupName.Role.POD, at("/" + podPath(2)).role());
    }

    @Test
    void aCgroupMadeAgainUnderTheSameNameIsAnother() throws IOException {
        node.cgroup(containerPath(1, 1));
        tree.refresh(true, 0);
        Cgroup pod = at(POD);
        Cgroup container = at(CONTAINER);
        // Moved away first, so that the inode is not given to the next directory.
        Files.move(node.cgroupfs.resolve(podPath(1)), directory.resolve("old"));
        node.cgroup(containerPath(1, 1));
        assertEquals(List.of("-" + CONTAINER, "-" + POD, "+" + POD, "+" + CONTAINER), refreshed(false));
        assertNotSame(pod, at(POD));
        assertNotEquals(pod.id(), at(POD).id());
        assertNotSame(container, at(CONTAINER));
        try (Stream<Path> old = Files.walk(directory.resolve("old"))) {
            for (Path path : old.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void anotherOrderIsNoChange() {
        for (int pod = 1; pod <= 9; pod++) {
            node.cgroup(containerPath(pod, pod));
        }
        tree.refresh(true, 0);
        Map<String, Cgroup> before = Map.copyOf(present);
        shuffle = Seed.random(getClass());
        for (int round = 0; round < 50; round++) {
            assertEquals(List.of(), refreshed(true));
        }
        assertEquals(before, present);
    }

    /** As a listing that gives the same in another order every time. */
    private int listShuffled(KernelDirectory which, KernelDirectories.Subdirectory each, Random random) {
        Map<String, Long> found = new TreeMap<>();
        int result = posix.list(
                which, (inode, names, from, to) -> found.put(new String(names, from, to - from, UTF_8), inode));
        List<String> names = new ArrayList<>(found.keySet());
        Collections.shuffle(names, random);
        for (String name : names) {
            byte[] bytes = ("<" + name + ">").getBytes(UTF_8);
            each.found(found.getOrDefault(name, 0L), bytes, 1, bytes.length - 1);
        }
        return result;
    }

    @Test
    void aListingThatFailsKeepsWhatIsKnown() {
        node.cgroup(containerPath(1, 1));
        tree.refresh(true, 0);
        Cgroup container = at(CONTAINER);
        for (String path : List.of("", "/kubepods.slice", POD)) {
            failing.put(path, Errno.EMFILE);
            assertEquals(List.of(), refreshed(true));
            failing.clear();
        }
        assertEquals(3, errors.count(new Kind("directory", "EMFILE")));
        assertSame(container, at(CONTAINER));

        // What changed meanwhile is seen when listing works again.
        failing.put(POD, Errno.EIO);
        node.cgroup(containerPath(1, 2));
        node.remove(containerPath(1, 1));
        assertEquals(List.of(), refreshed(true));
        failing.clear();
        assertEquals(List.of("-" + CONTAINER, "+/" + containerPath(1, 2)), refreshed(true));
    }

    @Test
    void aRootThatIsGoneIsCountedAndKeepsWhatIsKnown() {
        node.cgroup(containerPath(1, 1));
        tree.refresh(true, 0);
        failing.put("", Errno.ENOENT);
        assertEquals(List.of(), refreshed(true));
        assertEquals(1, errors.count(new Kind("directory", "ENOENT")));
    }

    @Test
    void whatIsGoneBeforeItsParentIsListedAgainVanishes() {
        node.cgroup(containerPath(1, 1));
        node.cgroup(containerPath(2, 2));
        for (int errno : new int[] {Errno.ENOENT, Errno.ENODEV, Errno.ENOTDIR}) {
            tree.refresh(true, 0);
            failing.put(POD, errno);
            assertEquals(List.of("-" + CONTAINER, "-" + POD), refreshed(true));
            failing.clear();
        }
        assertEquals(0, errors.count(new Kind("directory", "ENOENT")));
        assertEquals(0, errors.count(new Kind("directory", "ENODEV")));
        assertEquals(0, errors.count(new Kind("directory", "ENOTDIR")));
    }

    @Test
    void crunsInnerCgroupIsFoundOnceOrWhenAskedFor() {
        node.cgroup(containerPath(1, 1) + "/container/exec");
        node.cgroup(containerPath(1, 2));
        tree.refresh(true, 0);
        Cgroup inner = at(CONTAINER + "/container");
        assertEquals(CgroupName.Role.INNER, inner.role());
        assertEquals(List.of(inner), at(CONTAINER).children());

        for (int i = 0; i < CgroupTree.LOOKS_FOR_INNER; i++) {
            assertEquals(List.of(), refreshed(true));
        }
        node.cgroup(containerPath(1, 2) + "/container");
        assertEquals(List.of(), refreshed(true), "containers are listed a few times only");
        events.clear();
        tree.refreshContainer(at("/" + containerPath(1, 2)), 0);
        assertEquals(List.of("+/" + containerPath(1, 2) + "/container"), events);
        node.remove(containerPath(1, 2) + "/container");
        events.clear();
        tree.refreshContainer(at("/" + containerPath(1, 2)), 0);
        assertEquals(List.of("-/" + containerPath(1, 2) + "/container"), events);
    }

    @Test
    void crunsInnerCgroupMayBeMadeAMomentLater() {
        node.cgroup(containerPath(1, 1));
        tree.refresh(true, 0);
        node.cgroup(containerPath(1, 1) + "/container");
        assertEquals(List.of("+" + CONTAINER + "/container"), refreshed(false));
    }

    @Test
    void askedForAContainerThatIsGone() {
        node.cgroup(containerPath(1, 1) + "/container");
        tree.refresh(true, 0);
        node.remove(containerPath(1, 1));
        events.clear();
        tree.refreshContainer(at(CONTAINER), 0);
        assertEquals(List.of("-" + CONTAINER + "/container", "-" + CONTAINER), events);
        assertEquals(List.of(), at(POD).children());
    }

    @Test
    void whatIsBelowAContainerIsItsOwnBusiness() {
        node.cgroup(containerPath(1, 1) + "/docker/" + PlainNode.id(9));
        node.cgroup(containerPath(1, 1) + "/kubepods.slice/kubepods-burstable.slice");
        node.cgroup(containerPath(1, 2) + "/container/init.scope");
        tree.refresh(true, 0);
        assertEquals(List.of(), at(CONTAINER).children());
        assertEquals(1, at("/" + containerPath(1, 2)).children().size());
        assertEquals(7 - 1, tree.size());
        assertEquals(1, tree.kubepodsTrees());
        for (int i = 0; i < CgroupTree.LOOKS_FOR_INNER; i++) {
            tree.refresh(true, 0);
        }
        listed.clear();
        tree.refresh(true, 0);
        assertEquals(
                Set.of("/", "/kubepods.slice", "/kubepods.slice/kubepods-burstable.slice", POD), Set.copyOf(listed));
    }

    @Test
    void unknownAndRuntimeCgroupsAreCountedAndNotDescendedInto() {
        node.cgroup("kubepods.slice/stray.scope/below");
        node.cgroup(podPath(1) + "/crio-conmon-" + PlainNode.id(1) + ".scope/below");
        tree.refresh(true, 0);
        assertEquals(1, tree.unknown());
        assertEquals(List.of(), at("/kubepods.slice/stray.scope").children());
        assertEquals(5, tree.size());
        node.remove("kubepods.slice/stray.scope");
        tree.refresh(true, 0);
        assertEquals(0, tree.unknown());
    }

    @Test
    void outsideIsLookedAtOnlyWhenAskedFor() {
        node.cgroup(containerPath(1, 1));
        node.cgroup("system.slice/containerd.service");
        tree.refresh(true, 0);
        listed.clear();
        node.cgroup(containerPath(1, 2));
        node.cgroup("system.slice/new.service");
        node.cgroup("kubelet/kubepods/burstable");
        assertEquals(List.of("+/" + containerPath(1, 2)), refreshed(false));
        assertEquals(
                Set.of(
                        "/kubepods.slice",
                        "/kubepods.slice/kubepods-burstable.slice",
                        POD,
                        "/" + containerPath(1, 1),
                        "/" + containerPath(1, 2)),
                Set.copyOf(listed));
        assertEquals(
                Set.of("+/system.slice/new.service", "+/kubelet", "+/kubelet/kubepods", "+/kubelet/kubepods/burstable"),
                Set.copyOf(refreshed(true)));
        assertEquals(2, tree.kubepodsTrees());
    }

    @Test
    void aTreeOutsideTheRootIsRefreshedWithoutASearch() {
        node.cgroup("kubelet/kubepods/burstable");
        tree.refresh(true, 0);
        node.cgroup("kubelet/kubepods/burstable/pod" + PlainNode.uid(1));
        assertEquals(List.of("+/kubelet/kubepods/burstable/pod" + PlainNode.uid(1)), refreshed(false));
    }

    @Test
    void misplacedContainersAreFoundOutside() {
        String name = "kubepods-burstable-pod" + PlainNode.uid(1).replace('-', '_') + ".slice:cri-containerd:"
                + PlainNode.id(1);
        node.cgroup("system.slice/containerd.service/" + name);
        tree.refresh(true, 0);
        Cgroup container = at("/system.slice/containerd.service/" + name);
        assertEquals(CgroupName.Role.CONTAINER, container.role());
        assertEquals(PlainNode.uid(1), container.name().podUid());
    }

    @Test
    void depthIsBounded() {
        node.cgroup("d/".repeat(30) + "kubepods");
        tree.refresh(true, 0);
        assertEquals(17, tree.size());
        assertEquals(0, tree.kubepodsTrees());
        node.cgroup("e/".repeat(15) + "kubepods/burstable");
        tree.refresh(true, 0);
        assertEquals(1, tree.kubepodsTrees());
    }

    /** Directories come and go at random; after every refresh the tree is what is there. */
    @Test
    void asTheDirectoriesAre() throws IOException {
        Random random = Seed.random(getClass());
        List<String> possible = new ArrayList<>();
        for (int pod = 0; pod < 6; pod++) {
            possible.add(podPath(pod));
            for (int container = 0; container < 4; container++) {
                possible.add(containerPath(pod, 10 * pod + container));
            }
            possible.add(containerPath(pod, 10 * pod) + "/container");
            possible.add(containerPath(pod, 10 * pod) + "/nested");
            possible.add("kubepods/besteffort/pod" + PlainNode.uid(100 + pod) + "/" + PlainNode.id(100 + pod));
            possible.add("kubepods.slice/stray" + pod + ".scope");
            possible.add("system.slice/s" + pod + ".service");
        }
        for (int round = 0; round < 400; round++) {
            for (int changes = random.nextInt(5); changes > 0; changes--) {
                String path = possible.get(random.nextInt(possible.size()));
                Path real = node.cgroupfs.resolve(path);
                if (!Files.isDirectory(real)) {
                    node.cgroup(path);
                } else if (random.nextBoolean()) {
                    node.remove(path);
                } else if (random.nextInt(4) == 0 && !path.endsWith(".slice")) {
                    node.remove(Path.of(path).getName(0).toString());
                }
            }
            tree.refresh(true, round);
            for (Cgroup cgroup : List.copyOf(present.values())) {
                if (cgroup.role() == CgroupName.Role.CONTAINER) {
                    tree.refreshContainer(cgroup, round);
                }
            }
            assertEquals(expected(), new TreeSet<>(present.keySet()), "round " + round);
            assertEquals(present.size(), tree.size());
            assertEquals(present.size() + 1, count(tree.root()), "the children lead to all");
        }
        assertEquals(Map.of(), errorCounts());
    }

    private static int count(Cgroup cgroup) {
        int count = 1;
        for (Cgroup child : cgroup.children()) {
            count += count(child);
        }
        return count;
    }

    private Map<Kind, Long> errorCounts() {
        Map<Kind, Long> all = new HashMap<>();
        errors.forEach(all::put);
        return all;
    }

    /** All directories that the names say are of interest. */
    private Set<String> expected() throws IOException {
        Set<String> expected = new TreeSet<>();
        try (Stream<Path> all = Files.walk(node.cgroupfs)) {
            all.filter(Files::isDirectory).forEach(path -> {
                String relative = "/" + node.cgroupfs.relativize(path);
                CgroupName.Role role = CgroupName.ofPath(relative).role();
                if (!relative.equals("/") && role != CgroupName.Role.NESTED) {
                    expected.add(relative);
                }
            });
        }
        return expected;
    }

    @Test
    void namesThatAreNoAscii() {
        node.cgroup("sÿstem 中.slice");
        tree.refresh(true, 0);
        Cgroup odd = at("/sÿstem 中.slice");
        assertEquals(List.of(), refreshed(true));
        byte[] name = "sÿstem 中.slice".getBytes(UTF_8);
        assertEquals(true, odd.isNamed(name, 0, name.length, odd.id()));
        assertEquals(false, odd.isNamed(name, 0, name.length - 1, odd.id()));
        assertEquals(false, odd.isNamed(name, 0, name.length, odd.id() + 1));
    }
}
