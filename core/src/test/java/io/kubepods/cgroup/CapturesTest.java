package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What two real kernels wrote for a container that had just begun: all of it is understood. */
class CapturesTest {
    private static byte @Nullable [] capture(String version, CgroupFile file) {
        String name = "/captures/" + version + "/" + file.fileName();
        try (InputStream text = CapturesTest.class.getResourceAsStream(name)) {
            return text == null ? null : text.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyFileIsWellFormedAndEveryKeyKnown(CgroupFile file) {
        for (String version : List.of("6.1.192", "6.12.117")) {
            byte[] text = capture(version, file);
            if (text == null) {
                continue;
            }
            InterfaceFile parser = file.newParser();
            assertTrue(parser.parse(text, text.length), () -> file.fileName() + " of " + version);
            assertEquals(0, parser.unknownKeys(), () -> file.fileName() + " of " + version);
        }
    }

    @Test
    void onlyTheNewerHasALocalThrottledTime() {
        Set<CgroupFile> missing = new TreeSet<>();
        for (CgroupFile file : CgroupFile.values()) {
            assertTrue(capture("6.12.117", file) != null, file.fileName());
            if (capture("6.1.192", file) == null) {
                missing.add(file);
            }
        }
        assertEquals(Set.of(CgroupFile.CPU_STAT_LOCAL), missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1.192", "6.12.117"})
    void everyLineOfTheFlatKeyedFilesIsAValue(String version) {
        check(version, CgroupFile.CPU_STAT, new FlatKeyed<>(CpuStat.KEYS), CpuStat.values());
        check(version, CgroupFile.MEMORY_STAT, new FlatKeyed<>(MemoryStat.KEYS), MemoryStat.values());
        check(version, CgroupFile.MEMORY_EVENTS, new FlatKeyed<>(MemoryEvents.KEYS), MemoryEvents.values());
        check(version, CgroupFile.MEMORY_SWAP_EVENTS, new FlatKeyed<>(SwapEvents.KEYS), SwapEvents.values());
        check(version, CgroupFile.CGROUP_EVENTS, new FlatKeyed<>(CgroupEvents.KEYS), CgroupEvents.values());
    }

    private static <K extends Enum<K>> void check(String version, CgroupFile file, FlatKeyed<K> parser, K[] keys) {
        byte[] text = capture(version, file);
        assertFalse(text == null, file.fileName());
        if (text != null) {
            parser.parse(text, text.length);
            Set<String> lines = new TreeSet<>();
            for (K key : keys) {
                if (parser.get(key) != Value.ABSENT) {
                    lines.add(key.name().toLowerCase(Locale.ROOT) + " " + parser.get(key));
                }
            }
            assertEquals(
                    new TreeSet<>(
                            new String(text, StandardCharsets.US_ASCII).lines().toList()),
                    lines);
        }
    }
}
