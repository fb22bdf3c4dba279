package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SingleValueTest extends LiesToTheParser {
    private final SingleValue file = new SingleValue();

    @Override
    String whole() {
        return "33325056\n";
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        file.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        if (file.get() != Value.ABSENT) {
            fields.put("value", file.get());
        }
        return fields;
    }

    @ParameterizedTest
    @CsvSource({
        "0\\n, 0",
        "99999744\\n, 99999744",
        "-1000\\n, -1000",
        "9223372036854775806\\n, 9223372036854775806",
        "max\\n, 9223372036854775807",
    })
    void values(String text, long value) {
        byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.US_ASCII);
        assertEquals(true, file.parse(bytes, bytes.length));
        assertEquals(value, file.get());
    }

    @ParameterizedTest
    @CsvSource({"''", "\\n", "max", "12", "ma\\n", "maxx\\n", "Max\\n", "max \\n", "1 2\\n", "1\\n2\\n", "1\\n\\n"})
    void noValues(String text) {
        byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.US_ASCII);
        assertEquals(false, file.parse(bytes, bytes.length));
        assertEquals(Value.ABSENT, file.get());
    }
}
