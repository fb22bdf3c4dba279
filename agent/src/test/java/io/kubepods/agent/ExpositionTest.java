package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parser refuses what it is there to refuse. */
class ExpositionTest {
    private static final String A = "# HELP a b\n# TYPE a gauge\n";

    @Test
    void readsSamples() {
        assertEquals(
                List.of(
                        new Exposition.Sample("a", Map.of("x", "1", "y", "\\\""), 1.5e3),
                        new Exposition.Sample("a", Map.of(), Double.POSITIVE_INFINITY)),
                Exposition.parse(A + "a{x=\"1\",y=\"\\\"\"} 1.5E3\na +Inf\n"));
        assertEquals(List.of(), Exposition.parse(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a 1\n",
                A + "a 1",
                A + "b 1\n",
                A + "a 1\na 1\n",
                A + "a{x=\"1\"} 1\na{x=\"1\"} 2\n",
                A + "a{x=\"1\",x=\"2\"} 1\n",
                A + "a{x=1} 1\n",
                A + "a{x=\"1\" y=\"2\"} 1\n",
                A + "a 1 1700000000000\n",
                A + "a one\n",
                A + "\na 1\n",
                A + A + "a 1\n",
                "# TYPE a gauge\na 1\n",
                "# HELP a b\na 1\n",
                "# HELP a_total b\n# TYPE a_total gauge\n",
                "# HELP a b\n# TYPE a thing\n"
            })
    void refusesWhatIsWrong(String text) {
        assertThrows(IllegalArgumentException.class, () -> Exposition.parse(text));
    }
}
