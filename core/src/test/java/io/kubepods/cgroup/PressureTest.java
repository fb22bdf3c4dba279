package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PressureTest extends LiesToTheParser {
    private final Pressure file = new Pressure();

    @Override
    String whole() {
        return """
                some avg10=37.27 avg60=8.04 avg300=1.73 total=6315536
                full avg10=12.07 avg60=7.04 avg300=0.73 total=5217431
                """;
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        file.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        if (file.someMicros() != Value.ABSENT) {
            fields.put("some", file.someMicros());
        }
        if (file.fullMicros() != Value.ABSENT) {
            fields.put("full", file.fullMicros());
        }
        return fields;
    }

    private boolean parses(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return file.parse(bytes, bytes.length);
    }

    private void gives(String text, long some, long full) {
        assertEquals(true, parses(text));
        assertEquals(some, file.someMicros());
        assertEquals(full, file.fullMicros());
    }

    @Test
    void bothLines() {
        gives(whole(), 6_315_536, 5_217_431);
    }

    @Test
    void cpuUntilLinux512HasNoFullLine() {
        gives("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", 0, Value.ABSENT);
    }

    @Test
    void irqHasNoSomeLine() {
        gives("full avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n", Value.ABSENT, 1_234);
    }

    @Test
    void aHundredPercent() {
        gives(
                "some avg10=100.00 avg60=100.00 avg300=100.00 total=1\nfull avg10=100.00 avg60=0.00 avg300=0.00 total=2\n",
                1,
                2);
    }

    @Test
    void unknownFieldsAreSkipped() {
        gives("some avg10=0.00 avg900=7.00 subtotal=9 total=5 max=6\n", 5, Value.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "some\n",
                "some \n",
                "some total\n",
                "some total=\n",
                "some total=-1\n",
                "some total=1.5\n",
                "some total=7",
                "somewhat total=7\n",
                " some total=7\n",
                "rest avg10=0.00 total=7\n",
                "some avg10=0.00\n"
            })
    void nothing(String text) {
        assertEquals(false, parses(text));
        assertEquals(Value.ABSENT, file.someMicros());
        assertEquals(Value.ABSENT, file.fullMicros());
    }

    @Test
    void aMalformedLineCostsItsOwnFieldOnly() {
        assertEquals(false, parses("some total=x\nnonsense\nfull avg10=0.00 total=7\n"));
        assertEquals(Value.ABSENT, file.someMicros());
        assertEquals(7, file.fullMicros());
        assertEquals(false, parses("some avg10=0.00 total=7\nfull total=x\n"));
        assertEquals(7, file.someMicros());
        assertEquals(Value.ABSENT, file.fullMicros());
    }
}
