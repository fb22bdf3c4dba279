package io.kubepods.cgroup;

import static io.kubepods.PlainNode.containerPath;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.OpenDescriptors;
import io.kubepods.PlainNode;
import io.kubepods.PlainNode.ProcessFiles;
import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.ErrorCounts.Kind;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.PosixFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InitProcessesTest {
    private static final String CONTAINER = containerPath(1, 1);

    @TempDir
    Path directory;

    private PlainNode node;
    private Cgroup container;
    private InitProcesses processes;

    private final PosixFiles posix = new PosixFiles();
    private final ErrorCounts readErrors = new ErrorCounts("read_errors_total");
    private final ErrorCounts malformed = new ErrorCounts("malformed_total");
    /** Errnos instead of files, by the end of their path. */
    private final Map<String, Integer> failing = new HashMap<>();

    private int read(KernelFile file, long offset, byte[] into) {
        for (Map.Entry<String, Integer> failure : failing.entrySet()) {
            if (file.toString().endsWith(failure.getKey())) {
                return -failure.getValue();
            }
        }
        return posix.read(file, offset, into);
    }

    @BeforeEach
    void makeNode() {
        node = new PlainNode(directory);
        node.cgroup(CONTAINER);
        container = Cgroup.root(new KernelDirectory(node.cgroupfs)).child(CONTAINER, 7);
        processes = with(this::read);
    }

    private InitProcesses with(KernelFiles files) {
        return new InitProcesses(files, posix, node.procfs, readErrors, malformed);
    }

    @AfterEach
    void nothingIsLeaked() {
        container.close(posix);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    private int found() {
        InitProcess found = processes.find(container, 0);
        return found == null ? 0 : found.pid();
    }

    private void process(int pid, int parent, String nsPids, long startTime) {
        node.process(CONTAINER, pid, new ProcessFiles("p" + pid, parent, nsPids, startTime));
    }

    private void nothingIsCounted() {
        Map<Kind, Long> all = new HashMap<>();
        readErrors.forEach(all::put);
        malformed.forEach(all::put);
        assertEquals(Map.of(), all);
    }

    @Test
    void theFirstOfItsPidNamespace() {
        process(300, 200, "300\t17", 1);
        process(200, 90, "200\t1", 5);
        process(100, 90, "100\t20", 2);
        InitProcess found = processes.find(container, 0);
        assertNotNull(found);
        assertEquals(200, found.pid());
        assertEquals("p200", found.command());
        assertEquals(5, found.startTime());
        nothingIsCounted();
    }

    @Test
    void inASharedPidNamespaceTheOneWhoseParentIsOutside() {
        process(400, 300, "400", 1);
        process(300, 90, "300", 9);
        process(500, 300, "500", 2);
        assertEquals(300, found());
    }

    @Test
    void ofSeveralWithParentsOutsideTheOneThatBeganFirst() {
        process(700, 91, "700\t70", 30);
        process(300, 90, "300\t30", 10);
        process(500, 92, "500\t50", 20);
        assertEquals(300, found());
    }

    @Test
    void aContainerInTheContainerHasANumberOneToo() {
        process(900, 800, "900\t77\t1", 1);
        process(800, 90, "800\t1", 2);
        assertEquals(800, found());
        node.write(CONTAINER, "cgroup.procs", "800\n900\n");
        assertEquals(800, found());
    }

    @Test
    void theNodesOwnFirstProcessIsNoContainers() {
        process(1, 0, "1", 1);
        process(800, 90, "800\t1", 2);
        assertEquals(800, found());
    }

    @Test
    void processesInCgroupsBelowOnly() {
        node.cgroup(CONTAINER + "/system.slice/sshd.service");
        node.cgroup(CONTAINER + "/init.scope");
        node.process(CONTAINER + "/system.slice/sshd.service", 300, new ProcessFiles("sshd", 200, "300\t9", 2));
        node.process(CONTAINER + "/init.scope", 200, new ProcessFiles("systemd", 90, "200\t1", 3));
        assertEquals(200, found());
        nothingIsCounted();
    }

    @Test
    void ownProcessesComeBeforeThoseBelow() {
        process(300, 90, "300\t1", 2);
        node.cgroup(CONTAINER + "/docker/x");
        node.process(CONTAINER + "/docker/x", 200, new ProcessFiles("inner", 90, "200\t1", 1));
        assertEquals(300, found());
    }

    @Test
    void noProcess() {
        assertEquals(0, found());
        assertFalse(processes.areHidden());
        nothingIsCounted();
    }

    @Test
    void processesOutsideOurNamespaceAreHidden() {
        node.write(CONTAINER, "cgroup.procs", "0\n0\n0\n");
        node.init("kubepods.slice", 200, "elsewhere");
        assertEquals(0, found());
        assertTrue(processes.areHidden());
        nothingIsCounted();
    }

    @Test
    void aProcessThatHasEnded() {
        process(200, 90, "200\t1", 1);
        process(300, 90, "300\t31", 2);
        node.end(200);
        assertEquals(300, found());
        node.end(300);
        assertEquals(0, found());
        nothingIsCounted();
    }

    @Test
    void aProcessThatEndsBetweenItsTwoFiles() {
        process(200, 90, "200\t1", 1);
        failing.put("/200/stat", Errno.ESRCH);
        assertEquals(0, found());
        nothingIsCounted();
    }

    @Test
    void aCgroupThatHasGone() {
        for (int errno : new int[] {Errno.ENOENT, Errno.ENODEV}) {
            failing.put("cgroup.procs", errno);
            assertEquals(0, found());
        }
        nothingIsCounted();
    }

    @Test
    void aThreadedCgroupListsNoProcesses() {
        failing.put("cgroup.procs", Errno.EOPNOTSUPP);
        assertEquals(0, found());
        nothingIsCounted();
    }

    @Test
    void troubleIsCounted() {
        failing.put("cgroup.procs", Errno.EIO);
        assertEquals(0, found());
        assertEquals(1, readErrors.count(new Kind("cgroup.procs", "EIO")));
    }

    @Test
    void troubleWithAProcessIsCounted() {
        process(200, 90, "200\t1", 1);
        failing.put("/200/status", Errno.EACCES);
        assertEquals(0, found());
        assertEquals(1, readErrors.count(new Kind("status", "EACCES")));
    }

    @Test
    void malformedPidsAreCountedAndTheOthersStand() {
        process(200, 90, "200\t1", 1);
        node.write(CONTAINER, "cgroup.procs", "x\n200\n");
        assertEquals(200, found());
        assertEquals(1, malformed.count(new Kind("cgroup.procs", "malformed")));
    }

    @Test
    void aListThatEndsInTheMiddleOfANumberDoesNotLeakIntoTheNext() {
        node.cgroup(CONTAINER + "/a");
        node.cgroup(CONTAINER + "/b");
        node.process(CONTAINER + "/a", 200, new ProcessFiles("x", 90, "200\t1", 1));
        node.process(CONTAINER + "/b", 200, new ProcessFiles("x", 90, "200\t1", 1));
        int[] reads = {0};
        InitProcesses cut = with((file, offset, into) -> {
            boolean isBelow =
                    file.name().equals("cgroup.procs") && !file.toString().endsWith("scope/cgroup.procs");
            if (isBelow && reads[0]++ < 2) {
                into[0] = '7';
                return reads[0] == 1 ? 1 : -Errno.ENODEV;
            }
            return read(file, offset, into);
        });
        InitProcess found = cut.find(container, 0);
        assertNotNull(found);
        assertEquals(200, found.pid());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "Name:\tx\n", "Name:\tx\nPPid:\t?\nNSpid:\t?\n", "\0\0\0"})
    void aMalformedStatusIsNoCandidate(String text) throws IOException {
        process(200, 90, "200", 1);
        process(300, 90, "300", 2);
        Files.writeString(node.procfs.resolve("200/status"), text);
        assertEquals(300, found());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "x) S 1 (", ")", "((", "NSpid:\t1"})
    void aNameOfItsOwnChoosing(String command) {
        node.process(CONTAINER, 200, new ProcessFiles(command, 90, "200\t1", 77));
        InitProcess found = processes.find(container, 0);
        assertNotNull(found);
        assertEquals(command, found.command());
        assertEquals(77, found.startTime());
    }

    @Test
    void fiveThousandProcesses() throws IOException {
        StringBuilder pids = new StringBuilder();
        for (int pid = 2_000; pid < 7_000; pid++) {
            pids.append(pid).append('\n');
        }
        node.init(CONTAINER, 2_000, "first");
        Files.writeString(node.cgroupfs.resolve(CONTAINER).resolve("cgroup.procs"), pids, StandardCharsets.US_ASCII);
        assertEquals(2_000, found());
        nothingIsCounted();
    }

    private InitProcess init(int pid) {
        node.init(CONTAINER, pid, "java");
        InitProcess found = processes.find(container, 0);
        assertNotNull(found);
        return found;
    }

    @Test
    void readAgainAndAgain() throws IOException {
        InitProcess init = init(200);
        assertEquals(Value.ABSENT, init.oomScoreAdj());
        assertTrue(processes.read(init, 0));
        assertEquals(-997, init.oomScoreAdj());
        assertEquals(3, init.oomScore());
        Files.writeString(node.procfs.resolve("200/oom_score_adj"), "1000\n");
        Files.writeString(node.procfs.resolve("200/oom_score"), "1333\n");
        assertTrue(processes.read(init, 0));
        assertEquals(1_000, init.oomScoreAdj());
        assertEquals(1_333, init.oomScore());
        assertTrue(init.adjustmentFile.isKept());
        init.close(posix);
        nothingIsCounted();
    }

    @Test
    void troubleCostsItsOwnValue() {
        InitProcess init = init(200);
        assertTrue(processes.read(init, 0));
        failing.put("oom_score", Errno.EACCES);
        assertTrue(processes.read(init, 0));
        assertEquals(-997, init.oomScoreAdj());
        assertEquals(Value.ABSENT, init.oomScore());
        assertEquals(1, readErrors.count(new Kind("oom_score", "EACCES")));
        init.close(posix);
    }

    @Test
    void malformedValuesAreAbsentAndCounted() throws IOException {
        InitProcess init = init(200);
        Files.writeString(node.procfs.resolve("200/oom_score_adj"), "many\n");
        assertTrue(processes.read(init, 0));
        assertEquals(Value.ABSENT, init.oomScoreAdj());
        assertEquals(3, init.oomScore());
        assertEquals(1, malformed.count(new Kind("oom_score_adj", "malformed")));
        init.close(posix);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ESRCH, Errno.ENOENT})
    void theEndOfAProcess(int errno) {
        InitProcess init = init(200);
        assertTrue(processes.read(init, 0));
        failing.put("oom_score_adj", errno);
        assertFalse(processes.read(init, 0));
        failing.clear();
        failing.put("oom_score", errno);
        assertFalse(processes.read(init, 0));
        init.close(posix);
        nothingIsCounted();
    }

    /** As when no descriptor could be kept: the path may lead to another process by now. */
    private final KernelFiles openedEveryTime = (file, offset, into) -> {
        int length = posix.read(file, offset, into);
        if (!file.name().equals("cgroup.procs")) {
            posix.close(file);
        }
        return length;
    };

    @Test
    void aNumberThatIsUsedAgainIsAnotherProcess() {
        processes = with(openedEveryTime);
        InitProcess init = init(200);
        assertTrue(processes.read(init, 0));
        node.end(200);
        assertFalse(processes.read(init, 0));
        node.write(CONTAINER, "cgroup.procs", "");
        process(200, 90, "200\t1", 999);
        assertFalse(processes.read(init, 0));
        InitProcess again = processes.find(container, 0);
        assertNotNull(again);
        assertEquals(999, again.startTime());
        assertTrue(processes.read(again, 0));
    }

    @Test
    void aStaleValueIsNotKept() {
        InitProcess init = init(200);
        assertTrue(processes.read(init, 0));
        failing.put("oom_score_adj", Errno.ENOENT);
        assertFalse(processes.read(init, 0));
        assertEquals(Value.ABSENT, init.oomScoreAdj());
        init.close(posix);
    }
}
