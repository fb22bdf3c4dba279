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

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills are counted as memory.events counts them, and survive whom they are of; OOMs have the right cause. */
class OomLedgerTest {
    private static final String MEBI_20 = "20971520";
    private static final String MEBI_40 = "41943040";

    @TempDir
    Path directory;

    private OomNode oom;

    @BeforeEach
    void makeNode() {
        oom = new OomNode(directory);
    }

    /** A pod of two containers called api and log, with limits of their own. */
    private void twoContainers(String podLimit) {
        oom.container(1, 1, podLimit, MEBI_20);
        oom.container(1, 2, podLimit, MEBI_20);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
        oom.tick();
    }

    private @Nullable String shown(String name) {
        return oom.shown().get(name);
    }

    @Test
    void everyKnownContainerBeginsAtZero() {
        twoContainers("max");
        assertEquals(
                Map.of("shop-0/api", "0", "shop-0/log", "0", "shop-0", "0", "burstable", "0", "kubepods", "0"),
                oom.shown());
    }

    @Test
    void anOomOfTheContainersOwnLimit() {
        twoContainers(MEBI_40);
        oom.ownLimit(containerPath(1, 1), 3);
        oom.settle();
        assertEquals(
                Map.of(
                        "shop-0/api", "4 container_limit=1",
                        "shop-0/log", "0",
                        "shop-0", "0",
                        "burstable", "4 container_limit=1",
                        "kubepods", "4 container_limit=1"),
                oom.shown());
    }

    @Test
    void anOomOfThePodsLimit() {
        twoContainers("30000000");
        oom.oom(podPath(1), containerPath(1, 2), 1, true);
        oom.settle();
        assertEquals("2 pod_limit=1", shown("shop-0/log"));
        assertEquals("0", shown("shop-0/api"));
    }

    @Test
    void ofEqualLimitsThePodsIsChargedFirstAndTheContainersIsMeant() {
        oom.container(1, 1, MEBI_20, MEBI_20);
        oom.tick();
        oom.oom(podPath(1), containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 container_limit=1", shown(uid(1) + "/000000000001"));
    }

    @Test
    void aSandboxThatNobodyHasLookedAtIsNoOtherContainer() {
        oom.container(1, 1, MEBI_20, "max");
        oom.container(1, 2, MEBI_20, MEBI_20);
        oom.tick();
        boolean sandboxIsFirst = oom.idOf(containerPath(1, 1)) < oom.idOf(containerPath(1, 2)); // of a cgroup it is
        oom.oom(podPath(1), containerPath(1, 2), 1, true);
        oom.settle();
        assertEquals(sandboxIsFirst ? "2 container_limit=1" : "2 pod_limit=1", shown(uid(1) + "/000000000002"));
    }

    @Test
    void aPodsLimitThatOneOfTwoContainersHasTooIsThePods() {
        twoContainers(MEBI_20);
        oom.oom(podPath(1), containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 pod_limit=1", shown("shop-0/api"));
    }

    @Test
    void anOomOfTheQosSlice() {
        twoContainers("max");
        oom.oom(BURSTABLE, containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 qos_limit=1", shown("shop-0/api"));
        assertEquals("2 qos_limit=1", shown("burstable"));
    }

    @Test
    void anOomOfAllPodsTogether() {
        twoContainers("max");
        oom.oom(KUBEPODS, containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 node_allocatable=1", shown("shop-0/api"));
    }

    @Test
    void anOomOfTheNode() {
        twoContainers("max");
        oom.oom(MACHINE, containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 node=1", shown("shop-0/api"));
    }

    @Test
    void withoutGroupEveryKillIsAnOom() {
        twoContainers("max");
        oom.node.files.write(containerPath(1, 1), "memory.oom.group", "0\n");
        oom.oom(containerPath(1, 1), containerPath(1, 1), 1, false);
        oom.oom(containerPath(1, 1), containerPath(1, 1), 1, false);
        oom.settle();
        assertEquals("2 container_limit=2", shown("shop-0/api"));
    }

    @Test
    void aLimitWrittenBelowUsageCountsThousandsOfOomsAndOneKill() {
        twoContainers("max");
        oom.ooms(containerPath(1, 1), 8889);
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
    }

    @Test
    void anOomWithoutAKillIsNone() {
        twoContainers("max");
        oom.ooms(containerPath(1, 1), 10);
        oom.settle();
        assertEquals("0", shown("shop-0/api"));
    }

    @Test
    void theCountsOfOneGroupKillMayComeInThreeReadings() {
        twoContainers("max");
        oom.ooms(containerPath(1, 1), 1);
        oom.tick();
        oom.victims(containerPath(1, 1), 1);
        oom.tick();
        oom.groupKill(containerPath(1, 1));
        oom.tick();
        oom.victims(containerPath(1, 1), 3);
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/api"));
        assertEquals(4, oom.node.sampler.ooms().get(0).kills());
    }

    @Test
    void anOomIsToldWithTheKillsOfItsGroupThatCameLater() {
        twoContainers("max");
        for (int i = 1; i <= 2; i++) {
            oom.ooms(containerPath(1, 1), 1);
            oom.victims(containerPath(1, 1), 1);
            oom.groupKill(containerPath(1, 1));
            oom.tick();
            oom.victims(containerPath(1, 1), 3);
            oom.settle();
            assertEquals(4 * i + " container_limit=" + i, shown("shop-0/api"));
            assertEquals(i, oom.node.sampler.ooms().size());
            assertEquals(4, oom.node.sampler.ooms().get(0).kills());
        }
    }

    @Test
    void aContainerThatIsGoneWhenItIsLookedAtIsTheOneThatIsMissing() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/log"));
        assertEquals("0", shown("shop-0"));
    }

    @Test
    void aKillCountedHalfBeforeTheContainerWent() {
        twoContainers("max");
        oom.ooms(containerPath(1, 2), 1);
        oom.victims(containerPath(1, 2), 1);
        oom.tick();
        oom.groupKill(containerPath(1, 2));
        oom.victims(containerPath(1, 2), 3);
        oom.remove(containerPath(1, 2));
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/log"));
    }

    @Test
    void aGroupKillCountedBeforeTheContainerWentAndItsRestAfter() {
        twoContainers("max");
        oom.ooms(containerPath(1, 2), 1);
        oom.victims(containerPath(1, 2), 1);
        oom.groupKill(containerPath(1, 2));
        oom.tick();
        oom.victims(containerPath(1, 2), 3);
        oom.remove(containerPath(1, 2));
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/log"));
    }

    /** Its pod was read between the victim and the group, and again between the group and the rest. */
    @Test
    void anOomOfOneThatIsGoneIsToldWithAllItsKills() {
        twoContainers("max");
        oom.ooms(containerPath(1, 2), 1);
        oom.victims(containerPath(1, 2), 1);
        oom.node.beforeRead = () -> {
            if (oom.node.isReading(containerPath(1, 1), "cpu.stat")
                    || oom.node.isReading(containerPath(1, 2), "cpu.stat")) {
                oom.node.beforeRead = () -> {};
                oom.groupKill(containerPath(1, 2));
                oom.victims(containerPath(1, 2), 3);
                oom.node.goesWhenRead = containerPath(1, 2);
            }
        };
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/log"));
        assertEquals(1, oom.node.sampler.ooms().size());
        assertEquals(4, oom.node.sampler.ooms().get(0).kills());
    }

    @Test
    void ofTwoThatAreMissingNoneIsAccused() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.remove(containerPath(1, 1));
        oom.settle();
        assertEquals("0", shown("shop-0/log"));
        assertEquals("2 container_limit=1", shown("shop-0"));
    }

    @Test
    void aContainerThatCameAndWentUnseenIsThePods() {
        twoContainers("max");
        oom.container(1, 3, "max", MEBI_20);
        oom.ownLimit(containerPath(1, 3), 1);
        oom.remove(containerPath(1, 3));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0"));
    }

    @Test
    void aContainerThatCameAndWentUnseenIsTheOnlyOneOfItsPod() {
        oom.container(1, 1, MEBI_20, MEBI_20);
        oom.node.onlyContainer(uid(1), "shop-0", id(1), "api");
        oom.tick();
        for (int i = 2; i < 9; i++) {
            oom.container(1, i, MEBI_20, MEBI_20);
            oom.oom(podPath(1), containerPath(1, i), 1, true);
            oom.remove(containerPath(1, i));
        }
        oom.settle();
        assertEquals("14 container_limit=7", shown("shop-0/api"));
    }

    @Test
    void countsSurviveARestart() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.tick();
        oom.container(1, 7, "max", MEBI_20);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(7), "log", id(2), "log~"));
        oom.settle();
        oom.ownLimit(containerPath(1, 7), 1);
        oom.settle();
        assertEquals("4 container_limit=2", shown("shop-0/log"));
    }

    @Test
    void aContainerThatIsNamedAfterItsDeath() {
        twoContainers("max");
        oom.killUnnamed(1, 3);
        assertEquals("2 container_limit=1", shown("shop-0/000000000003"));
        oom.remove(containerPath(1, 3));
        oom.settle();
        assertNull(shown("shop-0/000000000003"));
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log", id(3), "init~"));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/init"));
        assertEquals("0", shown("shop-0"));
    }

    @Test
    void aContainerThatNothingNamesIsThePodsInTheEnd() {
        twoContainers("max");
        oom.killUnnamed(1, 3);
        oom.remove(containerPath(1, 3));
        for (int i = 0; i < 70; i++) {
            oom.tick();
        }
        assertEquals("2 container_limit=1", shown("shop-0"));
    }

    @Test
    void aPodThatIsGoneWhenItIsLookedAtIsTheOneThatIsMissing() {
        twoContainers("max");
        oom.container(2, 5, "max", MEBI_20);
        oom.tick();
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(podPath(1));
        oom.settle();
        assertEquals("2 container_limit=1", shown("kubepods"));
        assertEquals("2 container_limit=1", shown("burstable"));
        assertEquals("2 container_limit=1", shown("shop-0"));
    }

    @Test
    void aPodsCgroupMadeAgainGoesOn() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.remove(podPath(1));
        oom.container(1, 1, "max", MEBI_20);
        oom.settle();
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        assertEquals("4 container_limit=2", shown("shop-0/api"));
    }

    @Test
    void aPodOfTheSameNameTakesOver() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.container(2, 8, "max", MEBI_20);
        oom.node.name(uid(2), "shop-0", Map.of(id(8), "api"));
        oom.tick();
        oom.ownLimit(containerPath(2, 8), 1);
        oom.settle();
        assertEquals("4 container_limit=2", shown("shop-0/api"));
        oom.remove(podPath(1));
        for (int i = 0; i < 310; i++) {
            oom.tick();
        }
        assertEquals("4 container_limit=2", shown("shop-0/api"));
    }

    @Test
    void nothingOfAPodIsKeptForEver() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.remove(podPath(1));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        for (int i = 0; i < 310; i++) {
            oom.tick();
        }
        assertEquals(Map.of("burstable", "2 container_limit=1", "kubepods", "2 container_limit=1"), oom.shown());
    }

    @Test
    void countsBegunAnewAreNoLoss() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 2);
        oom.settle();
        String anew = "low 0\nhigh 0\nmax 0\noom 1\noom_kill 2\noom_group_kill 1\n";
        oom.node.files.write(containerPath(1, 1), "memory.events", anew);
        oom.settle();
        assertEquals("5 container_limit=2", shown("shop-0/api"));
    }

    /** Linux before 5.17. */
    @Test
    void withoutACountOfGroupKillsAllOfATickIsOneOom() {
        twoContainers("max");
        oom.node.files.write(containerPath(1, 1), "memory.events", "low 0\nhigh 0\nmax 1\noom 0\noom_kill 0\n");
        oom.tick();
        oom.node.files.write(containerPath(1, 1), "memory.events", "low 0\nhigh 0\nmax 1\noom 1\noom_kill 4\n");
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/api"));
    }

    /** It is killed after its pod has been read and before itself is, and both go before the next tick. */
    @Test
    void aKillBetweenTheReadingsOfAPodAndItsContainerIsOne() {
        twoContainers("max");
        oom.container(2, 5, "max", MEBI_20);
        oom.settle();
        oom.node.beforeRead = () -> {
            if (oom.node.isReading(containerPath(1, 1), "memory.events")) {
                oom.node.beforeRead = () -> {};
                oom.ownLimit(containerPath(1, 1), 1);
            }
        };
        oom.tick();
        oom.remove(podPath(1));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        assertEquals("0", shown("shop-0"));
        assertEquals("2 container_limit=1", shown("burstable"));
    }

    @Test
    void aQosSliceThatGoesWithItsLastPod() {
        twoContainers("max");
        oom.remove(containerPath(1, 2));
        oom.settle();
        oom.ownLimit(containerPath(1, 1), 1);
        oom.remove(BURSTABLE);
        oom.settle();
        assertEquals("2 container_limit=1", shown("kubepods"));
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        oom.container(2, 5, "max", MEBI_20);
        oom.settle();
        assertEquals("2 container_limit=1", shown("burstable"));
    }

    /** kind on a host: two nodes' trees are seen, and the neighbour's grows. */
    @Test
    void thisNodesTreeStaysTheSameWhileThereAreContainersInIt() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        for (int i = 10; i < 13; i++) {
            oom.node.files.cgroup("docker/" + id(99) + "/" + containerPath(3, i));
        }
        oom.ticks(25);
        assertEquals("2 container_limit=1", shown("kubepods"));
    }

    @Test
    void slicesOfTreesThatAreGoneAreForgotten() {
        twoContainers("max");
        for (int i = 0; i < 5; i++) {
            String tree = "docker/" + id(100 + i);
            oom.node.files.cgroup(tree + "/" + containerPath(50 + i, 50 + i));
            oom.ticks(12);
            oom.node.files.remove(tree);
            oom.ticks(12);
        }
        assertEquals(2 + 2 * 5, Objects.requireNonNull(oom.kept).slices().size());
        oom.ticks(320);
        assertEquals(2, Objects.requireNonNull(oom.kept).slices().size());
    }
}
