package io.kubepods.oom;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KmsgRecordTest {
    private final KmsgRecord record = new KmsgRecord();

    private boolean parses(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return record.parse(bytes, bytes.length);
    }

    private String text() {
        return EscapedText.unescaped(record.bytes(), record.from(), record.to());
    }

    @ParameterizedTest
    @CsvSource({
        "'6,392,4393760,-;oom-kill:x', 6, 392, 4393760, false, true, oom-kill:x",
        "'4,462,6007535,c;/a,task=x', 4, 462, 6007535, true, true, '/a,task=x'",
        "'6,462,1,+;old', 6, 462, 1, true, true, old",
        // V19, and fields that are still to come
        "'6,3057,12345678,-,caller=T9694;oom-kill:x', 6, 3057, 12345678, false, true, oom-kill:x",
        "'6,3057,12345678,c,caller=C0,future=1;x;y', 6, 3057, 12345678, true, true, x;y",
        "'12,368,4626953,-;plain user message', 12, 368, 4626953, false, false, plain user message",
        "'8,370,4627165,-;fac0?', 8, 370, 4627165, false, false, fac0?",
        "'7,0,0,-;x', 7, 0, 0, false, true, x",
        "'6,9223372036854775807,1,-;', 6, 9223372036854775807, 1, false, true, ''",
    })
    void fields(
            String line,
            long priority,
            long sequence,
            long usec,
            boolean isFragment,
            boolean isTheKernels,
            String text) {
        assertTrue(parses(line + "\n"));
        assertEquals(priority, record.priority());
        assertEquals(sequence, record.sequence());
        assertEquals(usec, record.timestampUsec());
        assertEquals(isFragment, record.isFragment());
        assertEquals(isTheKernels, record.isTheKernels());
        assertEquals(text, text());
    }

    @Test
    void propertiesBehindTheTextAreIgnored() {
        assertTrue(parses("6,1,2,-;cpu 0 is up\n SUBSYSTEM=cpu\n DEVICE=+cpu:0\n"));
        assertEquals("cpu 0 is up", text());
    }

    @ParameterizedTest
    @CsvSource({
        "'tab\\x09here back\\x5cslash', 'tab\there back\\slash'",
        "'utf8 \\xc3\\xa9', 'utf8 é'",
        "'\\x5cx2d', '\\x2d'",
        "'cut \\x0', 'cut \\x0'",
        "'not hex \\xzz', 'not hex \\xzz'",
        "'\\', '\\'",
        "'not UTF-8 \\xff', 'not UTF-8 \ufffd'",
        "'upper \\xC3\\xA9', 'upper é'",
    })
    void escapes(String escaped, String text) {
        assertTrue(parses("6,1,2,-;" + escaped + "\n"));
        assertEquals(text, text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                ";\n",
                "6,1,2,-;no newline",
                "6,1,2,-",
                "6,1,2;x\n",
                "6,1,2,;x\n",
                "6,1;x\n",
                "6;x\n",
                "6,1,2,-\n;x\n",
                "x,1,2,-;x\n",
                "6,x,2,-;x\n",
                "6,1,x,-;x\n",
                "-6,1,2,-;x\n",
                "6,-1,2,-;x\n",
                "6,1,-2,-;x\n",
                "6,,2,-;x\n",
                "6,18446744073709551615,2,-;x\n",
                "99999999999999999999,1,2,-;x\n",
                " 6,1,2,-;x\n",
                "\0\0\0\n"
            })
    void whatIsNoRecord(String text) {
        assertFalse(parses(text));
        assertEquals("", text(), "nothing of the one before");
    }

    @Test
    void cutAtEveryOffset() {
        String whole = "6,392,4393760,-,caller=T1;the text\n SUBSYSTEM=cpu\n";
        for (int length = 0; length < whole.length(); length++) {
            byte[] bytes = Arrays.copyOf(whole.getBytes(ISO_8859_1), whole.length() + 10);
            Arrays.fill(bytes, length, bytes.length, (byte) '\n');
            boolean isWhole = length > whole.indexOf('\n');
            assertEquals(isWhole, record.parse(bytes, length), whole.substring(0, length));
            if (isWhole) {
                assertEquals("the text", text());
                assertEquals(392, record.sequence());
            }
        }
    }

    @Test
    void randomBytes() {
        Random random = Seed.random(getClass());
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(3) == 0
                        ? (byte) random.nextInt()
                        : (byte) "0123456789,;-c\\x\n ".charAt(random.nextInt(18));
            }
            int length = random.nextInt(bytes.length + 1);
            if (record.parse(bytes, length)) {
                assertTrue(record.from() <= record.to() && record.to() < length);
                assertTrue(record.sequence() >= 0 && record.timestampUsec() >= 0 && record.priority() >= 0);
                assertFalse(text().length() > length);
            }
        }
    }
}
