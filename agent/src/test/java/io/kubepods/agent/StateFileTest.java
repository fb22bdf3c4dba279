package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomKill;
import io.kubepods.oom.OomKill.Role;
import io.kubepods.oom.OomKill.Scope;
import io.kubepods.oom.OomMemory;
import io.kubepods.oom.OomState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was kept comes back, and nothing else is ever believed. */
class StateFileTest {
    private static final OomState STATE = new OomState(
            "6f1c8a52-5d1e-4c55-9d0c-7f9c1d3c2b10",
            4711,
            List.of(
                    new OomState.Account(70, 60, "uid", "id", "api", 7, 1, 8892, 3, 0, 0, 0, OomState.Counts.NONE),
                    new OomState.Account(60, 0, "uid", "", "", 9, 2, 8893, 1, 2, 1, 1, OomState.Counts.NONE)),
            List.of(new OomState.Pod(
                    "uid",
                    "shop",
                    "order-api-0",
                    new OomState.Counts(2, Map.of("node", 1L)),
                    Map.of("api", new OomState.Counts(7, Map.of("pod_limit", 2L))),
                    Map.of("0a1b2c", new OomState.Counts(1, Map.of("unknown", 1L))))),
            Map.of("/kubepods.slice", new OomState.Counts(9, Map.of("node", 1L, "pod_limit", 2L))),
            List.of(
                    incident(new OomKill(
                            7,
                            6,
                            5,
                            Role.VICTIM,
                            Scope.CGROUP,
                            4711,
                            "java\n",
                            0,
                            985,
                            4096,
                            0,
                            0,
                            "/a",
                            null,
                            new OomMemory(8192, 8192, 4096, 0, 0, Value.ABSENT))),
                    incident(null)));

    private static OomIncident incident(@Nullable OomKill victim) {
        return new OomIncident(
                Instant.parse("2026-03-01T10:00:00.123Z"),
                "shop",
                "order-api-0",
                "uid",
                "api",
                "",
                OomCause.POD_LIMIT,
                2,
                8192,
                victim);
    }

    private static final String POD =
            "{\"uid\":\"u\",\"namespace\":\"\",\"name\":\"\",\"containers\":{},\"nameless\":{},"
                    + "\"unattributed\":{\"kills\":1,\"incidents\":{}}}";

    @TempDir
    Path directory;

    private Path path;
    private StateFile file;

    @BeforeEach
    void open() throws IOException {
        bootId(STATE.bootId());
        path = directory.resolve("ooms.json");
        file = StateFile.open(path, directory.resolve("proc"));
    }

    private void bootId(String id) throws IOException {
        Path random = Files.createDirectories(directory.resolve("proc/sys/kernel/random"));
        Files.writeString(random.resolve("boot_id"), id + "\n");
    }

    @Test
    void whatWasKeptComesBack() {
        assertEquals(Optional.empty(), file.read());
        assertTrue(file.write(STATE, 0));
        assertEquals(Optional.of(STATE), file.read());
        assertEquals(0, file.errors());
    }

    @Test
    void anotherBootsCountsAreNotUsed() throws IOException {
        file.write(STATE, 0);
        bootId("another");
        assertEquals(
                Optional.empty(),
                StateFile.open(path, directory.resolve("proc")).read());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "{\"version\":1}",
                "{\"version\":1,\"ooms\":null}",
                "{\"version\":2,\"ooms\":{}}",
                "{\"version\":1,\"ooms\":{\"bootId\":\"6f1c8a52-5d1e-4c55-9d0c-7f9c1d3c2b10\",\"logPosition\":1,"
                        + "\"accounts\":[null],\"pods\":[],\"slices\":{}}}",
                "{\"version\":1,\"ooms\":{\"bootId\":\"6f1c8a52-5d1e-4c55-9d0c-7f9c1d3c2b10\",\"logPosition\":1,"
                        + "\"accounts\":[],\"pods\":[],\"slices\":{\"/k\":{\"kills\":-1,\"incidents\":{}}},\"incidents\":[]}}",
                "{\"version\":1,\"ooms\":{\"bootId\":\"6f1c8a52-5d1e-4c55-9d0c-7f9c1d3c2b10\",\"logPosition\":1,"
                        + "\"accounts\":[],\"pods\":[" + POD + "," + POD + "],\"slices\":{},\"incidents\":[]}}",
                "garbage"
            })
    void whatIsNoStateIsSetAside(String text) throws IOException {
        Files.writeString(path, text);
        assertEquals(Optional.empty(), file.read());
        assertFalse(Files.exists(path));
        assertEquals(text, Files.readString(directory.resolve("ooms.json.aside")));
        assertTrue(file.write(STATE, 0));
        assertEquals(Optional.of(STATE), file.read());
    }

    @Test
    void aStateThatIsCutAnywhereIsSetAside() throws IOException {
        file.write(STATE, 0);
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertEquals(Optional.empty(), file.read(), "cut at " + length);
        }
    }

    @Test
    void whatCannotBeWrittenIsCountedAndTriedAgain() throws IOException {
        file.write(STATE, 0);
        Path inTheWay = Files.createDirectories(directory.resolve("ooms.json.new/x"));
        assertFalse(file.write(STATE, 0));
        assertEquals(1, file.errors());
        assertEquals(Optional.of(STATE), file.read());
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        assertTrue(file.write(STATE, 0));
    }

    @Test
    void aPlaceThatIsNotThereStopsTheStart() {
        IOException e = assertThrows(
                IOException.class,
                () -> StateFile.open(directory.resolve("nowhere/ooms.json"), directory.resolve("proc")));
        assertTrue(e.toString().contains("there is no directory " + directory.resolve("nowhere")), e.toString());
        assertThrows(IOException.class, () -> StateFile.open(directory, directory.resolve("proc")));
    }
}
