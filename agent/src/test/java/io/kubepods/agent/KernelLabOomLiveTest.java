package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The OOM ledger on real kernels: {@code ./mvnw -Pkernel-lab verify}, as root on Debian 12. */
class KernelLabOomLiveTest {
    private static final List<String> CAUSES =
            List.of("container_limit", "pod_limit", "qos_limit", "node_allocatable", "node", "unknown");

    /** A row of the guest's cases.tsv. */
    private record Case(String name, String cause, String uid, String id, double kills) {
        static Case parse(String line) {
            String[] row = line.split("\t", -1);
            return new Case(row[0], row[1], row[2], row[3], Double.parseDouble(row[4]));
        }

        double value(Map<String, Double> values, String family, Map<String, String> more) {
            Map<String, String> labels = new TreeMap<>(more);
            labels.putAll(Map.of("namespace", "", "pod", uid, "container", id.substring(0, 12)));
            return values.getOrDefault(KernelLabExposition.series(family, labels), Double.NaN);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"6.12, /dev/kmsg", "6.12, /nowhere", "6.1, /dev/kmsg"})
    void everyOomHasItsCause(String kernel, String kmsg) throws Exception {
        KernelLab lab = KernelLab.boot(kernel, "oom.sh", kmsg);
        Map<String, Double> values = KernelLabExposition.parse(
                        KernelLabResponse.parse(lab.bytes("metrics.http")).body())
                .values();
        String json = KernelLabResponse.parse(lab.bytes("oom.http")).body();
        List<String> wrong = new ArrayList<>();
        List<Case> cases = lab.text("cases.tsv").lines().map(Case::parse).toList();
        for (Case each : cases) {
            double kills = each.value(values, "kubepods_container_oom_kills_total", Map.of());
            if (kills != each.kills()) {
                wrong.add(each + " has " + kills + " kills");
            }
            for (String cause : CAUSES) {
                double found = each.value(values, "kubepods_container_oom_incidents_total", Map.of("cause", cause));
                if (found != (cause.equals(each.cause()) ? 1 : 0)) {
                    wrong.add(each + " has " + found + " of " + cause);
                }
            }
            assertEquals(each.cause().equals("none"), each.kills() == 0, each + " is not what it should be");
        }
        assertEquals("", String.join("\n", wrong), json);
        assertEquals(12, cases.size());
        assertFalse(json.contains("forged"), json);
        assertEquals(!kmsg.equals("/nowhere"), json.contains("\"victim\""), json);
        double up = values.getOrDefault("kubepods_agent_kmsg_up", -1.0);
        assertEquals(kmsg.equals("/nowhere") ? 0.0 : 1.0, up);
        assertTrue(values.getOrDefault(
                        KernelLabExposition.series("kubepods_slice_oom_kills_total", Map.of("slice", "kubepods")), 0.0)
                > 0);
    }
}
