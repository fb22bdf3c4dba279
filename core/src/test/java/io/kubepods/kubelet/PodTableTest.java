package io.kubepods.kubelet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Pods of every shape: their QoS class, what they request, and what limits their cgroups get. The table was computed by another
 * program from the kubelet's rules.
 */
class PodTableTest {
    private static String amount(long value) {
        return value == Quantities.ABSENT ? "-" : Long.toString(value);
    }

    @Test
    void everyPodOfTheTable() throws IOException {
        List<String> wrong = new ArrayList<>();
        int pods = 0;
        for (String line : lines()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            pods++;
            String[] cells = line.split(" \\| ", -1);
            PodSpec pod = PodText.pod(cells[0]);
            PodResources resources = PodResources.of(pod);
            String computed = String.join(
                    " | ",
                    cells[0],
                    PodQos.of(pod).name(),
                    amount(resources.requests().cpuMillis()),
                    amount(resources.requests().memoryBytes()),
                    amount(resources.limits().cpuMillis()),
                    amount(resources.limits().memoryBytes()));
            if (!computed.equals(line)) {
                wrong.add("expected " + line + "\n but was " + computed);
            }
        }
        assertEquals(List.of(), wrong);
        assertEquals(64, pods);
    }

    private static List<String> lines() throws IOException {
        try (InputStream text = Objects.requireNonNull(PodTableTest.class.getResourceAsStream("/pods/resources.txt"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
