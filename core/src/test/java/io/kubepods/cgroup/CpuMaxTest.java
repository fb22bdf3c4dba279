package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuMaxTest extends LiesToTheParser {
    private final CpuMax file = new CpuMax();

    @Override
    String whole() {
        return "20000 100000\n";
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        file.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        if (file.quotaMicros() != Value.ABSENT) {
            fields.put("quota", file.quotaMicros());
        }
        if (file.periodMicros() != Value.ABSENT) {
            fields.put("period", file.periodMicros());
        }
        assertEquals(fields.containsKey("quota"), fields.containsKey("period"), "both or none");
        return fields;
    }

    private boolean parses(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return file.parse(bytes, bytes.length);
    }

    @ParameterizedTest
    @CsvSource({
        "20000 100000, 20000, 100000, 0.2",
        "400000 200000, 400000, 200000, 2.0",
        "1000 1000000, 1000, 1000000, 0.001"
    })
    void limited(String text, long quota, long period, double cores) {
        assertTrue(parses(text + "\n"));
        assertTrue(file.hasQuota());
        assertEquals(quota, file.quotaMicros());
        assertEquals(period, file.periodMicros());
        assertEquals(cores, file.cores());
    }

    @ParameterizedTest
    @CsvSource({"max 100000, 100000", "max 10000, 10000"})
    void unlimited(String text, long period) {
        assertTrue(parses(text + "\n"));
        assertFalse(file.hasQuota());
        assertEquals(Value.MAX, file.quotaMicros());
        assertEquals(period, file.periodMicros());
        assertEquals(Double.NaN, file.cores());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "max\n",
                "20000\n",
                "20000 \n",
                " 100000\n",
                "20000 0\n",
                "20000 -1\n",
                "-1 100000\n",
                "20000 max\n",
                "20000 100000 1\n",
                "20000  100000\n",
                "20000 100000",
                "20000 100000\n\n",
                "max 100000\nmax 100000\n"
            })
    void noLimitIsKnown(String text) {
        assertFalse(parses(text));
        assertFalse(file.hasQuota());
        assertEquals(Value.ABSENT, file.quotaMicros());
        assertEquals(Value.ABSENT, file.periodMicros());
        assertEquals(Double.NaN, file.cores());
    }

    @Test
    void absentUntilItIsReadAndAfterItIsCleared() {
        assertFalse(file.hasQuota());
        assertTrue(parses("20000 100000\n"));
        file.clear();
        assertFalse(file.hasQuota());
        assertEquals(Value.ABSENT, file.periodMicros());
    }
}
