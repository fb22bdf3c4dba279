package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every flat-keyed file stands, and how its keys are read: by name, in any order. */
abstract class FlatKeyedLies<K extends Enum<K>> extends LiesToTheParser {
    private final Class<K> keys;
    private final FlatKeyed<K> file;

    FlatKeyedLies(Class<K> keys, FlatKeyed.Keys<K> names) {
        this.keys = keys;
        file = new FlatKeyed<>(names);
    }

    /** Every key, the first 1001, the next 1002, and so on. */
    @Override
    final String whole() {
        StringBuilder text = new StringBuilder();
        for (K key : keys.getEnumConstants()) {
            text.append(key.name().toLowerCase(Locale.ROOT))
                    .append(' ')
                    .append(number(key))
                    .append('\n');
        }
        return text.toString();
    }

    private static long number(Enum<?> key) {
        return 1_001L + key.ordinal();
    }

    @Override
    final Map<String, Object> parsed(byte[] text, int length) {
        file.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        for (K key : keys.getEnumConstants()) {
            if (file.get(key) != Value.ABSENT) {
                fields.put(key.name(), file.get(key));
            }
        }
        return fields;
    }

    /** Parses, and tells whether the text was well-formed. */
    final boolean parses(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return file.parse(bytes, bytes.length);
    }

    /** What a kernel wrote gives exactly these values; all other keys are absent. */
    final void gives(String text, Map<K, Long> values) {
        assertTrue(parses(text), text);
        Map<K, Long> found = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            if (file.get(key) != Value.ABSENT) {
                found.put(key, file.get(key));
            }
        }
        assertEquals(values, found);
    }

    @Test
    void everyKeyHasItsValue() {
        Map<String, Object> fields = parsed(whole());
        for (K key : keys.getEnumConstants()) {
            assertEquals(number(key), fields.get(key.name()));
        }
        assertTrue(parses(whole()));
        assertEquals(0, file.unknownKeys());
    }

    @Test
    void anyOrder() {
        Map<String, Object> truth = parsed(whole());
        List<String> lines = List.of(whole().split("\n", -1));
        StringBuilder backwards = new StringBuilder();
        for (int i = lines.size() - 2; i >= 0; i--) {
            backwards.append(lines.get(i)).append('\n');
        }
        assertEquals(truth, parsed(backwards.toString()));
    }

    @Test
    void unknownKeysInTheMiddleAreSkippedAndCounted() {
        Map<String, Object> truth = parsed(whole());
        String text = whole().replace("\n", "\nfuture_key 7\nanother.key 8 9\n");
        assertEquals(truth, parsed(text));
        assertTrue(parses(text));
        assertEquals(2 * keys.getEnumConstants().length, file.unknownKeys());
        parses(whole());
        assertEquals(0, file.unknownKeys(), "of the last text only");
    }

    @Test
    void aKeyThatBeginsOrEndsLikeAKnownOneIsAnother() {
        for (K key : keys.getEnumConstants()) {
            String name = key.name().toLowerCase(Locale.ROOT);
            assertEquals(Map.of(), parsed(name + "_x 7\nx_" + name + " 8\n" + name.toUpperCase(Locale.ROOT) + " 9\n"));
        }
    }

    /** No kernel writes a key twice; if one does, the last counts, as if the first were not there. */
    @Test
    void ofADuplicatedKeyTheLastCounts() {
        for (K key : keys.getEnumConstants()) {
            String name = key.name().toLowerCase(Locale.ROOT);
            assertEquals(Map.of(key.name(), 8L), parsed(name + " 7\n" + name + " 8\n"));
            assertEquals(Map.of(), parsed(name + " 7\n" + name + " x\n"));
        }
    }

    @Test
    void aMalformedLineCostsItsOwnFieldOnly() {
        for (K key : keys.getEnumConstants()) {
            String text = whole().replace(" " + number(key) + "\n", " broken\n");
            Map<String, Object> truth = parsed(whole());
            truth.remove(key.name());
            assertEquals(truth, parsed(text));
            assertFalse(parses(text));
        }
    }

    @Test
    void anythingThatIsNoLineIsSaid() {
        String last = keys.getEnumConstants()[keys.getEnumConstants().length - 1]
                .name()
                .toLowerCase(Locale.ROOT);
        assertFalse(parses(last + " 7"), "no newline at the end");
        assertFalse(parses(last + "\n"), "no value");
        assertFalse(parses(last + " \n"), "an empty value");
        assertFalse(parses(last + "  7\n"), "two blanks");
        assertFalse(parses(last + " 7 \n"), "a blank at the end");
        assertFalse(parses(last + "\t7\n"), "a tab");
        assertFalse(parses(" 7\n"), "no key");
        assertFalse(parses("\n"), "a blank line");
        assertFalse(parses("word\n"), "a word alone");
        assertTrue(parses(""), "an empty file is legal");
    }

    @Test
    void zeroAndNegativeAreValues() {
        for (K key : keys.getEnumConstants()) {
            String name = key.name().toLowerCase(Locale.ROOT);
            assertEquals(Map.of(key.name(), 0L), parsed(name + " 0\n"));
            assertEquals(Map.of(key.name(), -5L), parsed(name + " -5\n"));
        }
    }
}
