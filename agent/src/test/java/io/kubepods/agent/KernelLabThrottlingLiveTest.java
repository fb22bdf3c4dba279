package io.kubepods.agent;

import static io.kubepods.agent.KernelLabExposition.series;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What quotas do, on real kernels: {@code ./mvnw -Pkernel-lab verify}, as root on Debian 12. */
class KernelLabThrottlingLiveTest {
    private static final String RATIO = "cpu_throttle_ratio";
    private static final String WORST = "cpu_throttle_ratio_max";

    private static Map<String, Double> scrape(KernelLab lab, String file) throws IOException {
        return KernelLabExposition.parse(
                        KernelLabResponse.parse(lab.bytes(file)).body())
                .values();
    }

    private static double of(Map<String, Double> values, String family, String labelled, int pod, String container) {
        Map<String, String> labels = new HashMap<>();
        labels.put("namespace", "");
        labels.put("pod", "11111111-2222-4333-8444-%012d".formatted(300 + pod));
        if (!container.isEmpty()) {
            labels.put("container", container.repeat(12));
        }
        return values.getOrDefault(series("kubepods_" + labelled + "_" + family, labels), Double.NaN);
    }

    private static double container(Map<String, Double> values, String family, int pod, String container) {
        return of(values, family, "container", pod, container);
    }

    private static double pod(Map<String, Double> values, String family, int pod) {
        return of(values, family, "pod", pod, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.12", "6.1"})
    void whatQuotasDo(String kernel) throws Exception {
        KernelLab lab = KernelLab.boot(kernel, "throttle.sh");
        Map<String, Double> last = scrape(lab, "last.http");

        String[] spin = lab.text("spin").strip().split(" ", -1);
        double kept = Double.parseDouble(spin[0]);
        double stalled = container(last, "cpu_stalled_seconds_total", 1, "1");
        assertTrue(Math.abs(stalled - kept) <= 0.1 * kept, stalled + " s stalled, of " + kept + " s kept from running");

        assertTrue(container(last, RATIO, 2, "2") >= 0.9, "a spinner at 50m");

        assertSeenByBoth(lab);
        double periods = container(last, "cpu_periods_total", 3, "3");
        double throttled = container(last, "cpu_throttled_periods_total", 3, "3");
        assertTrue(throttled / periods < 0.05, throttled + " of " + periods + " periods");

        assertEquals(0.5, container(last, "cpu_limit_cores", 4, "4"), 1e-9);
        assertEquals(Double.NaN, container(last, RATIO, 4, "4"), "an idle container");
        assertEquals(Double.NaN, container(last, WORST, 4, "4"), "an idle container");

        for (String unlimited : List.of("5", "6")) {
            assertTrue(container(last, "cpu_stalled_seconds_total", 5, unlimited) > 10, "held by its pod's quota");
            assertEquals(Double.NaN, container(last, RATIO, 5, unlimited), "no quota of its own");
            assertEquals(Double.NaN, container(last, "cpu_limit_cores", 5, unlimited));
            assertEquals(0.1, container(last, "cpu_effective_limit_cores", 5, unlimited), 1e-9);
        }
        assertEquals(0.1, pod(last, "cpu_limit_cores", 5), 1e-9);
        assertTrue(pod(last, RATIO, 5) >= 0.9, "the pod's quota is the one that holds them");
    }

    /** Each of two clients that scrape every 15 s has seen the second in which it hurt, and a calm one before. */
    private static void assertSeenByBoth(KernelLab lab) throws IOException {
        for (String client : List.of("first", "second")) {
            assertFalse(container(scrape(lab, client + ".1"), WORST, 3, "3") >= 0.8, client);
            double most = 0;
            for (int i = 1; i <= 5; i++) {
                double worst = container(scrape(lab, client + "." + i), WORST, 3, "3");
                most = worst > most ? worst : most;
            }
            assertTrue(most >= 0.8, client + " has seen " + most + " at most");
        }
    }
}
