package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.KernelDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** /proc/PID/stat, of which field 22 is taken. */
class StartTimeTest extends LiesToTheParser {
    private static final KernelDirectory PROCESS = new KernelDirectory(Path.of("/proc/4711"));
    private static final String BEFORE = " S 4690 4712 4713 0 -1 4194560 5489 1 70 2 505 338 3 4 20 6 17 8 ";

    @Override
    String whole() {
        return "4711 (java)" + BEFORE + "172631 546897920 21911 18446744073709551615 94563928739840\n";
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        long time = InitProcess.startTime(
                (file, offset, into) -> {
                    // Behind it stands what an earlier read left.
                    System.arraycopy(text, 0, into, 0, text.length);
                    return length;
                },
                PROCESS,
                new byte[64 * 1024]);
        Map<String, Object> fields = new HashMap<>();
        if (time != Value.ABSENT) {
            fields.put("start", time);
        }
        return fields;
    }

    private long startTime(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return (long) parsed(bytes, bytes.length).getOrDefault("start", Value.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "a b", "a) S 1 2 3", "(((", ")", ") ", "", "new\nline"})
    void countedBehindTheLastParenthesis(String command) {
        assertEquals(172_631, startTime("4711 (" + command + ")" + BEFORE + "172631 1 2\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "4711",
                "4711 (java",
                "4711 (java)",
                "4711 (java) ",
                "4711 (java) S 1 2 3\n",
                ")",
                "))))"
            })
    void aLineWithoutItHasNone(String text) {
        assertEquals(Value.ABSENT, startTime(text));
    }

    @Test
    void noProcess() {
        byte[] text = "4711 (java)".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Value.ABSENT, InitProcess.startTime((file, offset, into) -> -Errno.ENOENT, PROCESS, text));
    }
}
