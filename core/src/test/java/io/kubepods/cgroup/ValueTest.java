package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTest {
    /** Parses a number that stands between other digits. */
    private static long parse(String text) {
        byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.ISO_8859_1);
        return Value.parse(bytes, 1, bytes.length - 1);
    }

    private static long parseLimit(String text) {
        byte[] bytes = ("m" + text + "x").getBytes(StandardCharsets.ISO_8859_1);
        return Value.parseLimit(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7, 7",
        "00012, 12",
        "-0, 0",
        "-2147483640, -2147483640",
        "4294967296, 4294967296",
        "9223372036854775806, 9223372036854775806",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775807, -9223372036854775807",
    })
    void numbers(String text, long value) {
        assertEquals(value, parse(text));
        assertEquals(value, parseLimit(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "--1",
                "+1",
                " 1",
                "1 ",
                "1\n",
                "1.0",
                "1e3",
                "0x1",
                "max",
                "٣",
                "/",
                ":",
                "1/",
                "1:",
                "9223372036854775808",
                "-9223372036854775808",
                "9999999999999999999",
                "10000000000000000000",
                "18446744073709551615",
                "18446744073709551616",
                "99999999999999999999999999"
            })
    void noNumbers(String text) {
        assertEquals(Value.ABSENT, parse(text));
    }

    @Test
    void theWordMaxIsALimit() {
        assertEquals(Value.MAX, parseLimit("max"));
        assertEquals(Value.ABSENT, parseLimit("ma"));
        assertEquals(Value.ABSENT, parseLimit("may"));
        assertEquals(Value.ABSENT, parseLimit("mux"));
        assertEquals(Value.ABSENT, parseLimit("lax"));
        assertEquals(Value.ABSENT, parseLimit("max "));
        assertEquals(Value.ABSENT, parseLimit("MAX"));
    }

    @Test
    void neitherAbsentNorMaxIsANumber() {
        assertFalse(Value.isNumber(Value.ABSENT));
        assertFalse(Value.isNumber(Value.MAX));
        assertTrue(Value.isNumber(0));
        assertTrue(Value.isNumber(-1));
    }

    @Test
    void asTheJdkReadsThem() {
        Random random = Seed.random(getClass());
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            if (value != Long.MIN_VALUE) {
                assertEquals(value, parse(Long.toString(value)));
            }
        }
    }
}
