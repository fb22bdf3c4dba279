package io.kubepods.kubelet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.kubepods.kubelet.Cpu.WeightFormula;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From CPU in a spec to the kernel's files. */
class CpuTest {
    @ParameterizedTest
    @CsvSource({
        // millicores, shares, linear, quadratic
        "0, 2, 1, 1",
        "1, 2, 1, 1",
        "5, 5, 1, 2",
        "10, 10, 1, 4",
        "50, 51, 2, 11",
        "100, 102, 4, 17",
        "200, 204, 8, 29",
        "250, 256, 10, 35",
        "500, 512, 20, 59",
        "1000, 1024, 39, 100",
        "1500, 1536, 59, 138",
        "2000, 2048, 79, 174",
        "4000, 4096, 157, 303",
        "8000, 8192, 313, 532",
        "16000, 16384, 625, 942",
        "64000, 65536, 2500, 3023",
        "256000, 262144, 10000, 10000",
        "300000, 262144, 10000, 10000",
        "9223372036854775807, 262144, 10000, 10000",
    })
    void sharesAndWeights(long milliCpu, long shares, long linear, long quadratic) {
        assertEquals(shares, Cpu.shares(milliCpu));
        assertEquals(linear, WeightFormula.LINEAR.weight(shares));
        assertEquals(quadratic, WeightFormula.QUADRATIC.weight(shares));
    }

    /** So that one container with a CPU request tells which the runtime uses. */
    @Test
    void theFormulasMeetAtTheirEndsOnly() {
        assertEquals(WeightFormula.LINEAR.weight(2), WeightFormula.QUADRATIC.weight(2));
        for (long shares = 3; shares < Cpu.MAX_SHARES; shares++) {
            assertNotEquals(WeightFormula.LINEAR.weight(shares), WeightFormula.QUADRATIC.weight(shares));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // millicores, period, quota
        "0, 100000, 0",
        "1, 100000, 1000",
        "9, 100000, 1000",
        "10, 100000, 1000",
        "11, 100000, 1100",
        "50, 100000, 5000",
        "200, 100000, 20000",
        "600, 100000, 60000",
        "2000, 100000, 200000",
        "333, 10000, 3330",
        "5, 1000000, 5000",
        "9223372036854775807, 100000, 9223372036854775",
    })
    void quotas(long milliCpu, long period, long quota) {
        assertEquals(quota, Cpu.quota(milliCpu, period));
    }

    @ParameterizedTest
    @CsvSource({
        // quota, period, as systemd keeps it
        "1000, 100000, 1000",
        "1100, 100000, 2000",
        "1500, 100000, 2000",
        "3300, 100000, 4000",
        "12300, 100000, 13000",
        "33300, 100000, 34000",
        "20000, 100000, 20000",
        "3330, 10000, 3400",
        "5000, 1000000, 10000",
    })
    void systemdRoundsUpToOnePercentOfACpu(long quota, long period, long rounded) {
        assertEquals(rounded, Cpu.systemdQuota(quota, period));
        assertEquals(rounded, Cpu.systemdQuota(rounded, period), "which it leaves as it is");
    }

    @ParameterizedTest
    @CsvSource({"1, 39", "2, 79", "4, 157", "8, 313", "16, 625", "32, 1250", "64, 2500", "96, 3750", "128, 5000"})
    void kubepodsWeightByCpus(long cpus, long weight) {
        assertEquals(weight, WeightFormula.LINEAR.weight(Cpu.shares(cpus * 1_000)));
    }
}
