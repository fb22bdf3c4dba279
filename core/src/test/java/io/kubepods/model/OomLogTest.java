package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static io.kubepods.model.OomNode.BURSTABLE;
import static io.kubepods.model.OomNode.KUBEPODS;
import static io.kubepods.model.OomNode.MACHINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.kubepods.kernel.Errno;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomKill;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernel log says whose limit it was, and who the victim; it counts nothing. */
class OomLogTest {
    private static final String LIMIT = "20971520";

    @TempDir
    Path directory;

    private final Deque<String> log = new ArrayDeque<>();
    private OomNode oom;
    private long sequence = 100;

    @BeforeEach
    void makeNode() {
        oom = new OomNode(directory);
        record(
                6,
                "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/"
                        + containerPath(1, 1) + ",task=old,pid=1,uid=0");
        record(
                3,
                "Out of memory: Killed process 1 (old) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0"
                        + " pgtables:1kB oom_score_adj:0");
        oom.node.sampler.watch(into -> {
            String record = log.poll();
            if (record == null) {
                return -Errno.EAGAIN;
            }
            byte[] bytes = record.getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(bytes, 0, into, 0, bytes.length);
            return bytes.length;
        });
        oom.container(1, 1, "max", LIMIT);
        oom.container(1, 2, "max", LIMIT);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
        oom.tick();
    }

    private void record(int priority, String text) {
        log.add(priority + "," + sequence++ + "," + sequence * 1000 + ",-;" + text + "\n");
    }

    /** What the kernel writes of a group kill. */
    private void report(String domain, String container, int pid, String prefix) {
        record(
                6,
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,"
                        + (domain.isEmpty() ? "global_oom" : "oom_memcg=" + prefix + "/" + domain) + ",task_memcg="
                        + prefix + "/"
                        + container + ",task=java,pid=" + pid + ",uid=0");
        kill(domain, pid);
        record(6, "Tasks in " + prefix + "/" + container + " are going to be killed due to memory.oom.group set");
        kill(domain, pid);
    }

    private void kill(String domain, int pid) {
        record(
                3,
                (domain.isEmpty() ? "Out of memory" : "Memory cgroup out of memory") + ": Killed process " + pid
                        + " (java) total-vm:33860kB, anon-rss:20000kB, file-rss:4kB, shmem-rss:0kB, UID:0 pgtables:104kB"
                        + " oom_score_adj:985");
    }

    private OomIncident only() {
        List<OomIncident> all = oom.node.sampler.ooms();
        assertEquals(1, all.size());
        return all.get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "container, container_limit",
        "pod, pod_limit",
        "burstable, qos_limit",
        "kubepods, node_allocatable",
        "machine, node",
        "node container, node",
    })
    void theLimitThatTheLogNames(String where, String cause) {
        String domain = switch (where) {
            case "container" -> containerPath(1, 1);
            case "pod" -> podPath(1);
            case "burstable" -> BURSTABLE;
            case "kubepods" -> KUBEPODS;
            case "machine" -> MACHINE;
            default -> "docker/node";
        };
        oom.oom(MACHINE, containerPath(1, 1), 1, true); // no counter tells whose limit it was
        report(domain, containerPath(1, 1), 4711, "");
        oom.settle();
        assertEquals("2 " + cause + "=1", oom.shown().get("shop-0/api"));
        OomKill victim = Objects.requireNonNull(only().victim());
        assertEquals(4711, victim.pid());
        assertEquals(20_000L << 10, victim.anonRss());
        assertEquals(2, only().kills());
    }

    @Test
    void pathsOfKindHaveTheNodesInFront() {
        oom.oom(MACHINE, containerPath(1, 1), 1, true);
        report(podPath(1), containerPath(1, 1), 4711, "/docker/" + id(77) + "/kubelet.slice");
        oom.settle();
        assertEquals("2 pod_limit=1", oom.shown().get("shop-0/api"));
    }

    @Test
    void ofTwoThatAreMissingTheLogNamesTheRightOne() {
        oom.ownLimit(containerPath(1, 2), 1);
        report(containerPath(1, 2), containerPath(1, 2), 4711, "");
        oom.remove(containerPath(1, 2));
        oom.remove(containerPath(1, 1));
        oom.settle();
        assertEquals("2 container_limit=1", oom.shown().get("shop-0/log"));
        assertEquals("0", oom.shown().get("shop-0"));
    }

    @Test
    void aContainerThatNobodySawIsNamedByTheLogAndTheApi() {
        oom.container(1, 3, "max", LIMIT);
        oom.ownLimit(containerPath(1, 3), 1);
        report(containerPath(1, 3), containerPath(1, 3), 4711, "");
        oom.remove(containerPath(1, 3));
        oom.settle();
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log", id(3), "init~"));
        oom.settle();
        assertEquals("2 container_limit=1", oom.shown().get("shop-0/init"));
    }

    @Test
    void theLogAloneCountsNothing() {
        report(containerPath(1, 1), containerPath(1, 1), 4711, "");
        report(containerPath(9, 9), containerPath(9, 9), 4712, "");
        oom.settle();
        assertEquals("0", oom.shown().get("shop-0/api"));
        assertEquals(List.of(), oom.node.sampler.ooms());
    }

    @Test
    void whatUserSpaceWritesIsNotBelieved() {
        oom.ownLimit(containerPath(1, 1), 1);
        record(
                11,
                "Memory cgroup out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB, file-rss:1kB,"
                        + " shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0");
        oom.settle();
        assertEquals(OomCause.CONTAINER_LIMIT, only().cause());
        assertNull(only().victim());
    }

    @Test
    void aKillWithoutAPathIsFoundByItsFirstProcess() {
        oom.node.files.init(containerPath(1, 1), 200, "java");
        oom.shown();
        oom.ownLimit(containerPath(1, 1), 1);
        kill(containerPath(1, 1), 200);
        oom.settle();
        assertEquals(200, Objects.requireNonNull(only().victim()).pid());
    }

    /** What the log had before the agent began to read is of no kill that it counts. */
    @Test
    void oldRecordsAreLeftAside() {
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        assertNull(only().victim());
        assertEquals(OomCause.CONTAINER_LIMIT, only().cause());
    }

    @Test
    void lostRecordsAreCounted() {
        assertEquals(0, oom.node.sampler.lostLogRecords());
        sequence += 7;
        record(6, "something");
        oom.tick();
        assertEquals(7, oom.node.sampler.lostLogRecords());
    }
}
