package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.oom.OomIncident;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is ended at any time loses nothing that was counted, doubles nothing, and finds what happened meanwhile. */
class OomRestartTest {
    private static final String MEBI_20 = "20971520";

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
        twoNames();
        oom.tick();
    }

    private void twoNames() {
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
    }

    private @Nullable String shown(String name) {
        return oom.shown().get(name);
    }

    @Test
    void aRestartLosesNothingAndDoublesNothing() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        Map<String, String> before = oom.shown();
        oom.restart();
        oom.settle();
        assertEquals(before, oom.shown());
    }

    @Test
    void whatIsKilledWhileNoAgentRuns() {
        twoContainers("max");
        oom.restart();
        oom.oom(podPath(1), containerPath(1, 1), 1, true);
        oom.settle();
        assertEquals("2 pod_limit=1", shown("shop-0/api"));
    }

    @Test
    void aContainerThatDiesWhileNoAgentRunsIsTheOneThatIsMissing() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.restart();
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/log"));
        assertEquals("2 container_limit=1", shown("kubepods"));
    }

    @Test
    void aPodThatGoesWhileNoAgentRunsIsInTheSlice() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(podPath(1));
        oom.restart();
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        assertEquals("4 container_limit=1 unknown=1", shown("kubepods"));
    }

    @Test
    void ofSeveralLimitsHitWhileNoAgentRanNoneIsNamed() {
        twoContainers("max");
        oom.restart();
        oom.ooms(podPath(1), 1);
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        assertEquals("2 unknown=1", shown("shop-0/api"));
    }

    /** The containers that are named by the API are told from others by what they run, while the API has not answered. */
    @Test
    void aContainerThatHadItsNameKeepsItWhateverItRuns() {
        twoContainers("max");
        oom.node.files.init(containerPath(1, 1), 300, "pause");
        oom.shown();
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.restart();
        oom.node.pods.clear();
        oom.node.generation++;
        oom.tick();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        assertEquals("api", oom.node.sampler.ooms().get(0).container());
        twoNames();
        oom.settle();
        assertEquals("4 container_limit=2", shown("shop-0/api"));
        assertEquals("0", shown("shop-0"));
    }

    @Test
    void whatNoContainerIsNamedForIsKept() {
        twoContainers("max");
        oom.killUnnamed(1, 3);
        oom.remove(containerPath(1, 3));
        oom.ticks(70);
        assertEquals("2 container_limit=1", shown("shop-0"));
        oom.restart();
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0"));
    }

    @Test
    void aContainerThatIsGoneMayGetItsNameAfterARestart() {
        twoContainers("max");
        oom.killUnnamed(1, 3);
        oom.remove(containerPath(1, 3));
        oom.settle();
        oom.restart();
        oom.tick();
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log", id(3), "api~"));
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        oom.restart();
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/api"));
        assertEquals("0", shown("shop-0"));
    }

    /** One that went before the agent did is not among those that went after it. */
    @Test
    void whoWentBeforeIsNotMissing() {
        twoContainers("max");
        oom.container(1, 3, "max", MEBI_20);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log", id(3), "job"));
        oom.settle();
        oom.remove(containerPath(1, 3));
        oom.settle();
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.restart();
        oom.settle();
        assertEquals("2 container_limit=1", shown("shop-0/log"));
    }

    @Test
    void whatWasToldIsToldAgainAndIsNoNews() {
        twoContainers("max");
        oom.ownLimit(containerPath(1, 1), 1);
        oom.settle();
        oom.ownLimit(containerPath(1, 2), 1);
        oom.settle();
        List<OomIncident> told = oom.node.sampler.ooms();
        List<OomIncident> news = oom.node.sampler.takeNewOoms();
        assertEquals(
                List.of("log", "api"), told.stream().map(OomIncident::container).toList());
        assertEquals(List.of(told.get(1), told.get(0)), news);
        assertEquals(List.of(), oom.node.sampler.takeNewOoms());
        oom.restart();
        oom.settle();
        assertEquals(told, oom.node.sampler.ooms());
        assertEquals(List.of(), oom.node.sampler.takeNewOoms());
    }
}
