package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packaged jar on real kernels: {@code ./mvnw -Pkernel-lab verify}, as root on Debian 12. */
class KernelLabLiveTest {
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"6.12, kubeadm", "6.12, kind", "6.1, kubeadm", "6.1, kind"})
    void everyNumberIsWhatTheFilesSay(String kernel, String layout) throws Exception {
        KernelLab lab = KernelLab.boot(kernel, "compare.sh", layout);
        List<KernelLabCgroup> cgroups = KernelLabCgroup.parse(lab.text("cgroups.tsv"));
        KernelLabDump first = KernelLabDump.parse(lab.text("dump.0"));
        KernelLabDump second = KernelLabDump.parse(lab.text("dump.1"));
        KernelLabDump third = KernelLabDump.parse(lab.text("dump.2"));
        assertTheGuestIsWorthComparing(cgroups, first, second);

        KernelLabResponse scrape = KernelLabResponse.parse(lab.bytes("metrics.http"));
        assertEquals("HTTP/1.1 200 OK", scrape.status());
        assertTrue(scrape.head().contains("content-type: text/plain; version=0.0.4"), scrape.head());
        assertSaysWhatTheFilesSay(scrape.body(), first, second, cgroups);
        assertSaysWhatTheFilesSay(lab.text("snapshot.txt"), second, third, cgroups);
    }

    @Test
    void cgroupsThatComeAndGoLeaveNoTrace() throws Exception {
        KernelLab lab = KernelLab.boot("6.12", "churn.sh");
        KernelLabDump churn = KernelLabDump.parse(lab.text("churn.txt"));
        String log = lab.text("agent.out") + lab.text("agent.err");

        assertTrue(note(churn, "made") >= 2_000, lab.text("churn.txt"));
        assertTrue(note(churn, "scrapes") >= 3, lab.text("churn.txt"));
        assertTrue(log.lines().noneMatch(line -> line.contains("Exception") || line.startsWith("\tat ")), log);
        assertTrue(note(churn, "log_lines_after") - note(churn, "log_lines_before") <= 5, log);
        assertTrue(note(churn, "descriptors_after") <= note(churn, "descriptors_before") + 3, lab.text("churn.txt"));
        assertEquals(seriesOfContainers(lab, "first.http"), seriesOfContainers(lab, "last.http"));
    }

    @Test
    void namespacesThatHideTheNodeAreSaidOnce() throws Exception {
        KernelLab lab = KernelLab.boot("6.12", "hidden.sh");
        for (String namespace : List.of("cgroup_namespace", "pid_namespace")) {
            KernelLabResponse scrape = KernelLabResponse.parse(lab.bytes(namespace + ".http"));
            String series = KernelLabExposition.series("kubepods_agent_hidden", Map.of("by", namespace));
            assertEquals(1.0, KernelLabExposition.parse(scrape.body()).values().get(series), series);
            String log = lab.text(namespace + ".out") + lab.text(namespace + ".err");
            assertEquals(
                    1, log.lines().filter(line -> line.contains("namespace")).count(), log);
        }
    }

    /** Else the comparison would be one of zeros: the kernel has throttled, killed and held memory. */
    private static void assertTheGuestIsWorthComparing(
            List<KernelLabCgroup> cgroups, KernelLabDump first, KernelLabDump second) {
        String spinner = container(cgroups, "spinner").file("cpu.stat");
        String throttled = container(cgroups, "neighbour").parentFile("cpu.stat");
        String hog = container(cgroups, "hog").file("memory.events");
        String leaker = container(cgroups, "leaker").file("memory.events");
        String store = container(cgroups, "store").file("memory.stat");
        for (String file : List.of(spinner, throttled)) {
            double before = first.value(file, "nr_throttled").orElseThrow();
            double after = second.value(file, "nr_throttled").orElseThrow();
            assertTrue(before > 0 && after > before, file);
        }
        assertEquals(1, first.value(hog, "oom_group_kill").orElseThrow());
        assertTrue(first.value(hog, "oom_kill").orElseThrow() > 1);
        assertEquals(1, first.value(leaker, "oom_kill").orElseThrow());
        for (String type : List.of("anon", "shmem", "inactive_file")) {
            assertTrue(first.value(store, type).orElseThrow() > 1 << 20, type);
        }
    }

    private static KernelLabCgroup container(List<KernelLabCgroup> cgroups, String name) {
        return cgroups.stream()
                .filter(cgroup ->
                        cgroup.role().equals("container") && cgroup.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double note(KernelLabDump churn, String name) {
        return churn.value(name).orElseThrow();
    }

    private static void assertSaysWhatTheFilesSay(
            String exposition, KernelLabDump before, KernelLabDump after, List<KernelLabCgroup> cgroups) {
        List<String> complaints = KernelLabComparison.complaints(
                KernelLabExposition.parse(exposition),
                KernelLabContract.of(before, cgroups),
                KernelLabContract.of(after, cgroups));
        assertEquals("", String.join("\n", complaints));
    }

    private static Set<String> seriesOfContainers(KernelLab lab, String scrape) throws Exception {
        Set<String> series = new TreeSet<>(KernelLabExposition.parse(
                        KernelLabResponse.parse(lab.bytes(scrape)).body())
                .values()
                .keySet());
        series.removeIf(name -> !name.startsWith("kubepods_container_"));
        return series;
    }
}
