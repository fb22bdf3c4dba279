package io.kubepods.cgroup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.kubepods.Damage;
import io.kubepods.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every parser stands: a text that is cut, too long, or no text at all never makes an exception, and never a value
 * that the whole text does not have.
 */
abstract class LiesToTheParser {
    private static final int LONGEST = 64 * 1024;

    /** A text as a kernel writes it. Every number in it is another one, of several digits where the file allows that. */
    abstract String whole();

    /** What the parser takes from the first {@code length} bytes: its fields that are not absent, by name. One parser for all. */
    abstract Map<String, Object> parsed(byte[] text, int length);

    final Map<String, Object> parsed(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return parsed(bytes, bytes.length);
    }

    private void hasNothingNew(Map<String, Object> fields, String lie) {
        Map<String, Object> truth = parsed(whole());
        fields.forEach((field, value) -> assertEquals(truth.get(field), value, () -> field + " of " + quoted(lie)));
    }

    private static String quoted(String text) {
        String shown = text.replace("\n", "\\n");
        return shown.length() < 2_000 ? shown : shown.substring(0, 2_000) + "…";
    }

    @Test
    void theTruthHasFields() {
        assertFalse(parsed(whole()).isEmpty());
    }

    @Test
    void cutAtEveryOffset() {
        String whole = whole();
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            hasNothingNew(parsed(cut), cut);
        }
    }

    @Test
    void bytesBehindTheLengthAreNotRead() {
        byte[] whole = whole().getBytes(ISO_8859_1);
        for (int length = 0; length <= whole.length; length++) {
            byte[] digits = Arrays.copyOf(whole, whole.length + 100);
            Arrays.fill(digits, length, digits.length, (byte) '7');
            byte[] lines = Arrays.copyOf(whole, whole.length + 100);
            Arrays.fill(lines, length, lines.length, (byte) '\n');
            Map<String, Object> exact = parsed(Arrays.copyOf(whole, length), length);

            assertEquals(exact, parsed(digits, length));
            assertEquals(exact, parsed(lines, length));
            assertEquals(exact, parsed(Arrays.copyOf(whole, LONGEST), length));
        }
    }

    @Test
    void nothingIsKeptFromTheTextBefore() {
        parsed(whole());
        assertEquals(Map.of(), parsed(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "18446744073709551615",
                "18446744073709551616",
                "-9223372036854775808",
                "-9223372036854775809",
                "9999999999999999999",
                "99999999999999999999999999999999999999999999999999",
                "12a",
                "1.5",
                "+1",
                "0x10",
                "--1",
                "-",
                "\0"
            })
    void aNumberThatIsNoneIsAbsent(String lie) {
        eachNumberReplaced(lie, false);
    }

    @Test
    void theLargestNumberIsItselfOrAbsent() {
        eachNumberReplaced("9223372036854775807", true);
    }

    /** One number at a time, as they stand behind a blank or an equals sign, or at the beginning of a line. */
    private void eachNumberReplaced(String lie, boolean mayBeTaken) {
        String whole = whole();
        for (int from = 0; from < whole.length(); from++) {
            boolean begins = Character.isDigit(whole.charAt(from))
                    && (from == 0 || "\n\t =".indexOf(whole.charAt(from - 1)) >= 0);
            if (begins) {
                int to = from;
                while (to < whole.length() && Character.isDigit(whole.charAt(to))) {
                    to++;
                }
                String text = whole.substring(0, from) + lie + whole.substring(to);
                Map<String, Object> fields = parsed(text);
                if (mayBeTaken) {
                    fields.values().removeIf(value -> value.equals(Long.MAX_VALUE));
                }
                hasNothingNew(fields, text);
            }
        }
    }

    @Test
    void blankLinesEverywhere() {
        String whole = whole();
        hasNothingNew(parsed("\n" + whole), "\n" + whole);
        hasNothingNew(parsed(whole + "\n\n"), whole + "\n\n");
        String doubled = whole.replace("\n", "\n\n");
        hasNothingNew(parsed(doubled), doubled);
        assertEquals(Map.of(), parsed("\n"));
        assertEquals(Map.of(), parsed(" \n \n"));
    }

    @Test
    void overlong() {
        for (char filling : new char[] {'x', '1', ' ', '\t', '-', '\0', '\u00ff'}) {
            String tail = String.valueOf(filling).repeat(LONGEST - whole().length());
            hasNothingNew(parsed(whole() + tail), whole() + tail);
            parsed(tail + whole());
            parsed(tail);
        }
        assertEquals(Map.of(), parsed("\n".repeat(LONGEST)));
    }

    @Test
    void randomBytes() {
        Random random = Seed.random(getClass());
        for (int round = 0; round < 2_000; round++) {
            byte[] text = round % 2 == 0
                    ? noise(random)
                    : Damage.done(whole(), random, 6).getBytes(ISO_8859_1);
            int length = random.nextInt(text.length + 1);
            Map<String, Object> fields = parsed(text, length);
            assertEquals(fields, parsed(Arrays.copyOf(text, length), length));
            fields.values().forEach(value -> assertFalse(value.equals(Value.ABSENT)));
        }
    }

    private static byte[] noise(Random random) {
        byte[] text = new byte[random.nextInt(300)];
        random.nextBytes(text);
        return text;
    }
}
