package io.kubepods.kubelet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From memory in a spec to the kernel's files, and the node's own numbers. */
class MemoryTest {
    private static final long KIB = 1_024;
    private static final long MIB = KIB * KIB;
    private static final long GIB = KIB * MIB;

    @ParameterizedTest
    @CsvSource({
        "170000000, 4096, 169996288",
        "178257920, 4096, 178257920",
        "178257920, 16384, 178257920",
        "178257920, 65536, 178257920",
        "170000000, 65536, 169934848",
        "4095, 4096, 0",
    })
    void aLimitReadsBackInWholePages(long bytes, long pageSize, long readBack) {
        assertEquals(readBack, Memory.wholePages(bytes, pageSize));
    }

    @Test
    void memoryHigh() {
        assertEquals(993_210_368, Memory.high(256 * MIB, GIB, 0, Memory.DEFAULT_THROTTLING_FACTOR, 4 * KIB));
        assertEquals(0, Memory.high(GIB, GIB, 4 * GIB, 0.9, 4 * KIB), "a Guaranteed container has none");
        assertEquals(
                Memory.wholePages((long) (256 * MIB + (4 * GIB - 256 * MIB) * 0.9), 4 * KIB),
                Memory.high(256 * MIB, 0, 4 * GIB, 0.9, 4 * KIB),
                "without a limit the node's is taken");
        assertEquals(0, Memory.high(0, 0, 4 * GIB, 0.9, 4 * KIB), "nothing and nothing are the same");
        assertEquals(0, Memory.high(256 * MIB, 0, 0, 0.9, 4 * KIB));
        assertEquals(0, Memory.high(GIB, GIB + 1, 0, 0.9, 4 * KIB), "not above the request");
    }

    @Test
    void limitedSwap() {
        assertEquals(13_850_577, Memory.limitedSwap(64 * MIB, 10_404_995_072L, 2 * GIB));
        assertEquals(0, Memory.limitedSwap(2 * GIB, GIB, GIB));
        assertEquals(0, Memory.limitedSwap(GIB, 0, GIB));
    }

    @Test
    void availableIsWithoutWhatFilesHoldInactively() {
        assertEquals(16 * GIB - 5 * GIB, Memory.available(16 * GIB, 4 * GIB, 3 * GIB, 2 * GIB));
        assertEquals(16 * GIB, Memory.available(16 * GIB, 0, 1, 2), "never more than there is");
    }

    @Test
    void kubepodsLimit() {
        assertEquals(14 * GIB, Memory.kubepodsLimit(16 * GIB, GIB, GIB));
        assertEquals(0, Memory.kubepodsLimit(GIB, GIB, GIB));
    }
}
