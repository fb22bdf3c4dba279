package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.id;
import static io.kubepods.PlainNode.podPath;
import static io.kubepods.PlainNode.uid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was killed before the agent came is counted, and is no OOM of its. */
class OomHistoryTest {
    private static final String MEBI_20 = "20971520";

    @TempDir
    Path directory;

    private OomNode oom;

    @BeforeEach
    void makeNode() {
        oom = new OomNode(directory);
    }

    private @Nullable String shown(String name) {
        return oom.shown().get(name);
    }

    @Test
    void whatWasKilledBeforeAnybodyLookedAddsUpToThePodsCount() {
        oom.container(1, 1, "max", MEBI_20);
        oom.container(1, 2, "max", MEBI_20);
        oom.ownLimit(containerPath(1, 1), 2);
        oom.ownLimit(containerPath(1, 2), 1);
        oom.remove(containerPath(1, 2));
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api"));
        oom.settle();
        assertEquals(Map.of("shop-0/api", "3", "shop-0", "2", "burstable", "5", "kubepods", "5"), oom.shown());
    }

    /** Kata's sandbox has limits of its own, and may have been killed in. */
    @Test
    void whatWasKilledInASandboxIsThePods() {
        oom.container(1, 1, "max", MEBI_20);
        oom.kata(1, 9);
        oom.victims(podPath(1) + "/kata_" + id(9), 2);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api"));
        oom.settle();
        assertEquals("2", shown("shop-0"));
        assertEquals("0", shown("shop-0/api"));
    }

    /** The first reading of the container's file fails, with no descriptor left, say. */
    @Test
    void whatIsReadAtTheSecondTickOnly() {
        twoKilledIn();
        oom.tickWithout(containerPath(1, 1));
        oom.settle();
        assertEquals(
                Map.of("shop-0/api", "0", "shop-0/log", "1", "shop-0", "2", "burstable", "3", "kubepods", "3"),
                oom.shown());
        oom.ownLimit(containerPath(1, 1), 3);
        oom.settle();
        assertEquals("4 container_limit=1", shown("shop-0/api"));
        assertEquals("2", shown("shop-0"));
    }

    @Test
    void whatIsReadOfAPodAtTheSecondTickOnly() {
        twoKilledIn();
        oom.tickWithout(podPath(1));
        oom.settle();
        assertEquals(
                Map.of("shop-0/api", "2", "shop-0/log", "1", "shop-0", "0", "burstable", "3", "kubepods", "3"),
                oom.shown());
        oom.ownLimit(containerPath(1, 1), 3);
        oom.settle();
        assertEquals("6 container_limit=1", shown("shop-0/api"));
        assertEquals("0", shown("shop-0"));
        assertEquals("7 container_limit=1", shown("burstable"));
    }

    /** Two kills in the one container, one in the other. */
    private void twoKilledIn() {
        oom.container(1, 1, "max", MEBI_20);
        oom.container(1, 2, "max", MEBI_20);
        oom.node.name(uid(1), "shop-0", Map.of(id(1), "api", id(2), "log"));
        oom.ownLimit(containerPath(1, 1), 1);
        oom.victims(containerPath(1, 2), 1);
    }
}
