package io.kubepods.agent;

import static io.kubepods.agent.KernelLabExposition.series;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The OOM ledger on real kernels: {@code ./mvnw -Pkernel-lab verify}, as root on Debian 12. */
class KernelLabOomLiveTest {
    private static final List<String> CAUSES =
            List.of("container_limit", "pod_limit", "qos_limit", "node_allocatable", "node", "unknown");

    /** A row of the guest's cases.tsv. */
    private record Case(String name, String cause, String limitMib, String uid, String id, double kills) {
        static Case parse(String line) {
            String[] row = line.split("\t", -1);
            return new Case(row[0], row[1], row[2], row[3], row[4], Double.parseDouble(row[5]));
        }

        boolean isOom() {
            return !cause.equals("none");
        }

        /** What {@code /api/v1/oom} must say of it, if anything. */
        List<String> told() {
            String limit = limitMib.equals("-") ? "none" : String.valueOf(Long.parseLong(limitMib) << 20);
            return isOom() ? List.of(cause + ", kills " + (long) kills + ", limit " + limit) : List.of();
        }

        double value(Map<String, Double> values, String family, Map<String, String> more) {
            Map<String, String> labels = new TreeMap<>(more);
            labels.putAll(Map.of("namespace", "", "pod", uid, "container", id.substring(0, 12)));
            return values.getOrDefault(series(family, labels), Double.NaN);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"6.12, /dev/kmsg", "6.12, /nowhere", "6.1, /dev/kmsg"})
    void everyOomHasItsCause(String kernel, String kmsg) throws Exception {
        KernelLab lab = KernelLab.boot(kernel, "oom.sh", kmsg);
        Map<String, Double> values = KernelLabExposition.parse(
                        KernelLabResponse.parse(lab.bytes("metrics.http")).body())
                .values();
        JsonNode incidents = new ObjectMapper()
                .readTree(KernelLabResponse.parse(lab.bytes("oom.http")).body())
                .path("incidents");
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
            if (!each.told().equals(told(incidents, each.id()))) {
                wrong.add(each + " is told as " + told(incidents, each.id()));
            }
            assertEquals(each.isOom(), each.kills() > 0, each + " is not what it should be");
        }
        assertEquals("", String.join("\n", wrong), incidents.toString());
        assertEquals(13, cases.size());
        assertEquals(cases.stream().filter(Case::isOom).count(), incidents.size(), incidents.toString());
        boolean hasLog = !kmsg.equals("/nowhere");
        for (JsonNode incident : incidents) {
            String victim = incident.path("victim").path("command").asString("");
            assertTrue(hasLog ? victim.matches("dd|bash") : victim.isEmpty(), incident.toString());
        }
        assertEquals(hasLog ? 1.0 : 0.0, values.get(series("kubepods_agent_kmsg_up", Map.of())));
        assertSlicesAddUp(values, KernelLabDump.parse(lab.text("slices.txt")), cases);
        // They did reach the log, and were not the kernel's there.
        List<String> forged = lab.text("forged.txt").lines().toList();
        assertEquals(8, forged.size(), forged.toString());
        assertTrue(forged.stream().allMatch(line -> line.matches("<1\\d>.*")), forged.toString());
    }

    /** What is told of a container's OOMs. */
    private static List<String> told(JsonNode incidents, String id) {
        List<String> told = new ArrayList<>();
        for (JsonNode incident : incidents) {
            if (incident.path("containerId").asString("").equals(id)) {
                told.add(incident.path("cause").asString("") + ", kills "
                        + incident.path("kills").asString("") + ", limit "
                        + incident.path("limitBytes").asString("none"));
            }
        }
        return told;
    }

    /** All cases are below both slices. */
    private static void assertSlicesAddUp(Map<String, Double> values, KernelLabDump files, List<Case> cases) {
        Map<String, String> paths =
                Map.of("kubepods", "kubepods.slice", "burstable", "kubepods.slice/kubepods-burstable.slice");
        paths.forEach((slice, path) -> {
            double kills = files.value(path + "/memory.events", "oom_kill").orElseThrow();
            assertEquals(kills, values.get(series("kubepods_slice_oom_kills_total", Map.of("slice", slice))));
            for (String cause : CAUSES) {
                double ooms = cases.stream()
                        .filter(each -> each.cause().equals(cause))
                        .count();
                Map<String, String> labels = Map.of("slice", slice, "cause", cause);
                assertEquals(ooms, values.get(series("kubepods_slice_oom_incidents_total", labels)), slice + cause);
            }
        });
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"6.12, /dev/kmsg", "6.12, /nowhere", "6.1, /dev/kmsg", "6.1, /nowhere"})
    void aStormLosesNothing(String kernel, String kmsg) throws Exception {
        KernelLab lab = KernelLab.boot(kernel, "storm.sh", kmsg);
        Map<String, Double> storm = assertNothingIsLost(lab, "storm", 300);
        Map<String, Double> named = assertNothingIsLost(lab, "named", 360);

        double rightContainer = 0;
        for (int pod = 0; pod < 10; pod++) {
            for (String container : List.of("api", "log", "mesh")) {
                Map<String, String> labels = Map.of("namespace", "storm", "pod", "pod-" + pod, "container", container);
                // Each is killed twice: what one has beyond that is another's.
                double found = incidents(named, "kubepods_container_oom_incidents_total", labels);
                rightContainer += Math.min(2, found);
            }
        }
        assertTrue(rightContainer >= 57, rightContainer + " of 60 carry the right container");
        double ofContainersLimits = values(named, "container_limit") - values(storm, "container_limit");
        assertEquals(60, ofContainersLimits, "of containers' limits");
    }

    @Test
    void anAgentKilledInTheStormLosesNothing() throws Exception {
        assertNothingIsLost(KernelLab.boot("6.12", "storm.sh", "/dev/kmsg", "restart"), "storm", 300);
    }

    /** Kills and OOMs, in total and by pod, are what the kernel counts where nothing is ever removed. */
    private static Map<String, Double> assertNothingIsLost(KernelLab lab, String phase, int ooms) throws Exception {
        Map<String, Double> values = KernelLabExposition.parse(
                        KernelLabResponse.parse(lab.bytes(phase + ".http")).body())
                .values();
        KernelLabDump truth = KernelLabDump.parse(lab.text("truth." + phase));
        String kubepods = "kubepods.slice/memory.events";
        assertEquals(ooms, truth.value(kubepods, "oom_group_kill").orElseThrow());
        Map<String, String> slice = Map.of("slice", "kubepods");
        assertEquals(
                truth.value(kubepods, "oom_kill").orElseThrow(),
                values.getOrDefault(series("kubepods_slice_oom_kills_total", slice), -1.0));
        assertEquals(ooms, incidents(values, "kubepods_slice_oom_incidents_total", slice));
        for (int pod = 0; pod < 10; pod++) {
            String file = "kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod11111111_2222_4333_8444_"
                    + String.format(Locale.ROOT, "%012d", 200 + pod) + ".slice/memory.events";
            String uid = String.format(Locale.ROOT, "11111111-2222-4333-8444-%012d", 200 + pod);
            String label = phase.equals("storm") ? uid : "pod-" + pod;
            double kills = 0;
            double incidents = 0;
            for (Map.Entry<String, Double> series : values.entrySet()) {
                if (series.getKey().contains("pod=\"" + label + "\"")) {
                    String name = series.getKey();
                    kills += name.matches("kubepods_(container|pod_unattributed)_oom_kills_total.*")
                            ? series.getValue()
                            : 0;
                    incidents += name.matches("kubepods_(container|pod_unattributed)_oom_incidents_total.*")
                            ? series.getValue()
                            : 0;
                }
            }
            assertEquals(truth.value(file, "oom_kill").orElseThrow(), kills, label);
            assertEquals(truth.value(file, "oom_group_kill").orElseThrow(), incidents, label);
        }
        return values;
    }

    private static double values(Map<String, Double> values, String cause) {
        return values.getOrDefault(
                series("kubepods_slice_oom_incidents_total", Map.of("slice", "kubepods", "cause", cause)), Double.NaN);
    }

    private static double incidents(Map<String, Double> values, String family, Map<String, String> labels) {
        double sum = 0;
        for (String cause : CAUSES) {
            Map<String, String> all = new TreeMap<>(labels);
            all.put("cause", cause);
            sum += values.getOrDefault(series(family, all), Double.NaN);
        }
        return sum;
    }
}
