package io.kubepods.agent.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoNodeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant START = Instant.parse("2025-01-01T00:00:00Z");

    private static final String KUBEPODS = "kubelet.slice/kubelet-kubepods.slice";
    private static final String BURSTABLE = KUBEPODS + "/kubelet-kubepods-burstable.slice";

    @TempDir
    Path temporary;

    private Path directory;
    private DemoNode node;

    @BeforeEach
    void create() throws IOException {
        directory = temporary.resolve("node");
        node = DemoNode.create(directory, START);
    }

    @AfterEach
    void close() {
        node.close();
        assertFalse(Files.exists(directory));
    }

    @Test
    void limitsAreWhatTheKubeletAndRuncWrite() {
        NodeTree tree = NodeTree.read(node);
        String cart = tree.scope("cart");
        assertLimits(tree, cart, "20000 100000", 17, "134217728");
        assertLimits(tree, NodeTree.parent(cart), "20000 100000", 4, "134217728");
        assertLimits(tree, tree.scope("orders"), "100000 100000", 59, "536870912");
        assertLimits(tree, NodeTree.parent(tree.scope("orders")), "105000 100000", 20, "570425344");
        assertLimits(tree, tree.scope("log-shipper"), "max 100000", 1, "max");
        // One container has no limits, so the pod has none.
        assertLimits(tree, NodeTree.parent(tree.scope("search")), "max 100000", 2, "max");
        String gateway = tree.scope("gateway");
        assertEquals(KUBEPODS, NodeTree.parent(NodeTree.parent(gateway)));
        assertLimits(tree, NodeTree.parent(gateway), "35000 100000", 14, "201326592");
        assertEquals(NodeTree.parent(gateway), NodeTree.parent(tree.scope("tls-proxy")));
        assertLimits(tree, KUBEPODS, "max 100000", 157, Long.toString(8_148_520L * 1024));
        assertLimits(tree, KUBEPODS + "/kubelet-kubepods-besteffort.slice", "max 100000", 1, "max");
        assertLimits(tree, BURSTABLE, "max 100000", 52, "max");
        assertEquals("1\n", tree.text(cart, "memory.oom.group"));
        assertEquals("0\n", tree.text(cart, "memory.swap.max"));
    }

    private static void assertLimits(NodeTree tree, String cgroup, String cpuMax, int weight, String memoryMax) {
        assertEquals(cpuMax + "\n", tree.text(cgroup, "cpu.max"), cgroup);
        assertEquals(weight + "\n", tree.text(cgroup, "cpu.weight"), cgroup);
        assertEquals(memoryMax + "\n", tree.text(cgroup, "memory.max"), cgroup);
    }

    @Test
    void theStaticPodIsFoundByItsHash() {
        NodeTree tree = NodeTree.read(node);
        String hash = tree.match("\"kubernetes.io/config.mirror\": \"(\\w{32})\"");
        assertEquals(hash, tree.match("\"kubernetes.io/config.hash\": \"(\\w{32})\""));
        assertEquals(
                BURSTABLE + "/kubelet-kubepods-burstable-pod" + hash + ".slice",
                NodeTree.parent(tree.scope("kube-apiserver")));
        String uid = tree.match("\"name\": \"kube-apiserver-[^}]*\"uid\": \"([-\\w]{36})\"");
        assertTrue(tree.cgroups().keySet().stream().noneMatch(cgroup -> cgroup.contains(uid.replace('-', '_'))));
    }

    @Test
    void processesAreInProc() throws IOException {
        NodeTree tree = NodeTree.read(node);
        assertProcess(tree, tree.scope("cart"), "cart", 992);
        assertProcess(tree, tree.scope("gateway"), "gateway", -997);
        assertProcess(tree, tree.scope("report-viewer"), "report-viewer", 1000);
        assertProcess(tree, tree.scope("log-shipper"), "log-shipper", 999);
        assertProcess(tree, tree.scope("kube-apiserver"), "kube-apiserver", -997);
        List<String> ofCart = tree.children(NodeTree.parent(tree.scope("cart")));
        ofCart.remove(tree.scope("cart"));
        assertEquals(1, ofCart.size());
        assertProcess(tree, ofCart.get(0), "pause", -998);
    }

    private void assertProcess(NodeTree tree, String cgroup, String name, int oomScoreAdj) throws IOException {
        String pid = tree.text(cgroup, "cgroup.procs").lines().findFirst().orElseThrow();
        Path process = node.procfs().resolve(pid);
        assertEquals(name + "\n", Files.readString(process.resolve("comm")));
        assertEquals("0::/" + cgroup + "\n", Files.readString(process.resolve("cgroup")));
        assertEquals(oomScoreAdj + "\n", Files.readString(process.resolve("oom_score_adj")));
        int score =
                Integer.parseInt(Files.readString(process.resolve("oom_score")).strip());
        assertEquals((1000 + oomScoreAdj) * 2.0 / 3, score, 30);
        String status = Files.readString(process.resolve("status"));
        assertTrue(status.startsWith("Name:\t" + name + "\n"), status);
        assertTrue(status.contains("\nNSpid:\t" + pid + "\t1\n"), status);
        String stat = Files.readString(process.resolve("stat"));
        assertEquals(52, stat.chars().filter(c -> c == ' ' || c == '\n').count(), stat);
    }

    @Test
    void threadsAreThoseOfTheProcesses() throws IOException {
        NodeTree tree = NodeTree.read(node);
        for (String cgroup : tree.cgroups().keySet()) {
            long threads = 0;
            for (String pid : tree.text(cgroup, "cgroup.procs").lines().toList()) {
                Path status = node.procfs().resolve(pid).resolve("status");
                threads += cgroup.isEmpty() ? 0 : Integer.parseInt(lastWordOf(Files.readString(status)));
            }
            if (tree.children(cgroup).isEmpty()) {
                assertEquals(threads, tree.number(cgroup, "pids.current", ""), cgroup);
            }
        }
    }

    /** Which is the number of threads. */
    private static String lastWordOf(String status) {
        return status.substring(status.lastIndexOf('\t') + 1).strip();
    }

    @Test
    void whatIsGoneLeavesNoDirectory() throws IOException {
        NodeTree tree = NodeTree.read(node);
        String scope = tree.scope("recommender");
        List<String> pids = tree.text(scope, "cgroup.procs").lines().toList();
        assertEquals(2, pids.size());
        node.step(Duration.ofSeconds(25));
        assertFalse(Files.exists(node.cgroupfs().resolve(scope)));
        for (String pid : pids) {
            assertFalse(Files.exists(node.procfs().resolve(pid)));
        }
    }

    @Test
    void aKeptDescriptorSeesEachNewContentWhole() throws IOException {
        Path file = node.cgroupfs().resolve(NodeTree.read(node).scope("cart")).resolve("cpu.stat");
        try (FileChannel kept = FileChannel.open(file)) {
            String before = read(kept);
            for (int i = 0; i < 20; i++) {
                node.step(SECOND);
                String now = read(kept);
                assertNotEquals(before, now);
                assertEquals(Files.readString(file), now);
                before = now;
            }
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        channel.read(buffer, 0);
        return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
    }

    @Test
    void theSameStepsGiveTheSameNode() throws IOException {
        try (DemoNode other = DemoNode.create(temporary.resolve("other"), START)) {
            other.step(Duration.ofSeconds(50));
            node.step(Duration.ofSeconds(50));
            assertEquals(NodeTree.read(node), NodeTree.read(other));
        }
    }

    @Test
    void shortStepsAreAsGoodAsLongOnes() throws IOException {
        for (int i = 0; i < 200; i++) {
            node.step(Duration.ofMillis(260));
        }
        NodeTree tree = NodeTree.read(node);
        assertEquals(520, tree.number(tree.scope("cart"), "cpu.stat", "nr_throttled"));
        assertTrue(Files.readString(node.procfs().resolve("uptime")).startsWith("112.00 "));
        assertTrue(tree.status("recommender").contains("\"restartCount\": 2"));
    }

    @Test
    void anotherOnesDirectoryIsLeftAlone() throws IOException {
        Path taken = Files.createDirectory(temporary.resolve("taken"));
        Path theirs = Files.writeString(taken.resolve("file"), "theirs");
        assertThrows(DirectoryNotEmptyException.class, () -> DemoNode.create(taken));
        assertEquals("theirs", Files.readString(theirs));
    }
}
