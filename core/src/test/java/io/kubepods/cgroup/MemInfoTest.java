package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two lines of /proc/meminfo; what is not there is not zero. */
class MemInfoTest {
    private final MemInfo memInfo = new MemInfo(Path.of("/proc"));
    private final ErrorCounts readErrors = new ErrorCounts("read");
    private final ErrorCounts malformed = new ErrorCounts("malformed");

    private void says(String text) {
        memInfo.read(
                (file, offset, into) -> {
                    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                    System.arraycopy(bytes, 0, into, 0, bytes.length);
                    return bytes.length;
                },
                readErrors,
                malformed,
                0);
    }

    private int errors() {
        int[] count = {0};
        readErrors.forEach((kind, errors) -> count[0]++);
        malformed.forEach((kind, errors) -> count[0]++);
        return count[0];
    }

    @Test
    void twoLines() {
        says("MemTotal:        8129684 kB\nMemFree:         6281980 kB\nMemAvailable:    6879790 kB\nBuffers: 1 kB\n");
        assertEquals(8_129_684L * 1_024, memInfo.total());
        assertEquals(6_879_790L * 1_024, memInfo.available());
        says("MemTotal:        8129684 kB\nMemFree:         6281980 kB\n");
        assertEquals(Value.ABSENT, memInfo.available());
        assertEquals(0, errors());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MemTotal:        8129684 kB",
                "MemTotal:        8129684\n",
                "MemTotal: kB\n",
                "MemTotal:\n",
                "MemTotal: -5 kB\n",
                "MemTotal: 9223372036854775807 kB\n",
                "MemTotal: x kB\n",
                "XMemTotal: 5 kB\n",
            })
    void whatIsNoAmount(String text) {
        says("MemTotal: 1 kB\n");
        says(text);
        assertEquals(Value.ABSENT, memInfo.total());
        assertEquals(1, errors());
    }

    @Test
    void trouble() {
        memInfo.read((file, offset, into) -> -Errno.ENOENT, readErrors, malformed, 0);
        assertEquals(0, errors());
        memInfo.read((file, offset, into) -> -Errno.EACCES, readErrors, malformed, 0);
        assertEquals(1, errors());
        assertEquals(Value.ABSENT, memInfo.total());
    }
}
