package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The kernel lab's comparison sees what it is there to see; this needs no kernel. */
class KernelLabComparisonTest {
    private static final List<KernelLabCgroup> CGROUPS =
            KernelLabCgroup.parse("slice\t-\t-\tburstable\tkubepods.slice/kubepods-burstable.slice\t-");
    private static final String FILES = """
            /sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/cpu.weight:20
            /sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/memory.max:max
            /sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/cpu.pressure:some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000
            """;
    private static final String EXPOSITION = """
            # HELP kubepods_slice_cpu_weight Share of the CPU beside its siblings.
            # TYPE kubepods_slice_cpu_weight gauge
            kubepods_slice_cpu_weight{slice="burstable"} 20.0
            # TYPE kubepods_slice_pressure_waiting_seconds_total counter
            kubepods_slice_pressure_waiting_seconds_total{slice="burstable",resource="cpu"} 2.25
            # TYPE kubepods_agent_cgroups gauge
            kubepods_agent_cgroups 1
            """;

    @Test
    void equalAndBetweenAreRight() {
        assertEquals(List.of(), complaints(EXPOSITION));
    }

    @Test
    void otherValuesAreSeen() {
        assertOneComplaint("is not what the file says, 20.0 before", EXPOSITION.replace(" 20.0", " 21.0"));
        assertOneComplaint("is not what the file says, 1.5 before and 2.5 after", EXPOSITION.replace(" 2.25", " 2.6"));
        assertOneComplaint("is not what the file says, 1.5 before and 2.5 after", EXPOSITION.replace(" 2.25", " 1.4"));
    }

    @Test
    void missingAndUnmappedSeriesAreSeen() {
        String weight = "kubepods_slice_cpu_weight{slice=\"burstable\"} 20.0\n";
        assertOneComplaint("is missing: kubepods_slice_cpu_weight", EXPOSITION.replace(weight, ""));
        String limit = """
                # TYPE kubepods_slice_memory_limit_bytes gauge
                kubepods_slice_memory_limit_bytes{slice="burstable"} 9.223372036854771712E18
                """;
        assertOneComplaint("no file says: kubepods_slice_memory_limit_bytes", EXPOSITION + limit);
    }

    @Test
    void badExpositionsAreSeen() {
        assertOneComplaint("comes twice", EXPOSITION + "kubepods_slice_cpu_weight{slice=\"burstable\"} 20.0\n");
        assertOneComplaint("is no sample", EXPOSITION + "kubepods_agent_cgroups 1 1700000000000\n");
        assertOneComplaint("has the type gauge", EXPOSITION.replace("total counter", "total gauge"));
    }

    @Test
    void responsesAreJoinedFromTheirChunks() {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        byte[] bytes = (head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        assertEquals("abcde", KernelLabResponse.parse(bytes).body());
    }

    private static List<String> complaints(String exposition) {
        Map<String, Double> before = KernelLabContract.of(KernelLabDump.parse(FILES), CGROUPS);
        Map<String, Double> after =
                KernelLabContract.of(KernelLabDump.parse(FILES.replace("1500000", "2500000")), CGROUPS);
        return KernelLabComparison.complaints(KernelLabExposition.parse(exposition), before, after);
    }

    private static void assertOneComplaint(String start, String exposition) {
        List<String> complaints = complaints(exposition);
        assertEquals(1, complaints.size(), complaints.toString());
        assertTrue(complaints.get(0).startsWith(start), complaints.get(0));
    }
}
