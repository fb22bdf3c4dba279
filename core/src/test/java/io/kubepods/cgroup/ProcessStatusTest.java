package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessStatusTest extends LiesToTheParser {

    @Override
    String whole() {
        return """
                Name:\tjava
                Umask:\t0022
                State:\tS (sleeping)
                Tgid:\t4711
                Pid:\t4711
                PPid:\t4690
                Uid:\t0\t0\t0\t0
                NStgid:\t4711\t12
                NSpid:\t4711\t12
                NSpgid:\t4711\t12
                """;
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        ProcessStatus status = ProcessStatus.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        if (!status.name().isEmpty()) {
            fields.put("name", status.name());
        }
        if (status.parentPid() != ProcessStatus.UNKNOWN) {
            fields.put("parent", status.parentPid());
        }
        if (status.innermostPid() != ProcessStatus.UNKNOWN) {
            fields.put("innermost", status.innermostPid());
        }
        return fields;
    }

    private static ProcessStatus status(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ProcessStatus.parse(bytes, bytes.length);
    }

    @Test
    void threeLines() {
        assertEquals(new ProcessStatus("java", 4_690, 12, 2), status(whole()));
    }

    @ParameterizedTest
    @CsvSource({
        "4711\\t1, true",
        "4711\\t8\\t1, true",
        "4711\\t12, false",
        "1, false", // the node's own first process
        "4711, false",
        "4711\\t1\\t7, false",
        "4711\\t11, false",
        "4711\\tx, false",
        "'', false",
    })
    void initIsNumberOneBelowOurNamespace(String nsPids, boolean isInit) {
        assertEquals(
                isInit, status("NSpid:\t" + nsPids.replace("\\t", "\t") + "\n").isInit());
    }

    @ParameterizedTest
    @CsvSource({"pause", "a b", "x) S 1", "ünïcode", "'a\ttab'", "back\\\\slash", "new\\nline", "NSpid:"})
    void namesAreTheProcesssOwnChoice(String name) {
        assertEquals(
                name, status("Name:\t" + name + "\nPPid:\t1\nNSpid:\t7\t1\n").name());
    }

    @ParameterizedTest
    @CsvSource({"''", "x", "-1", "99999999999", "2147483648"})
    void aParentThatIsNoneIsUnknown(String parent) {
        assertEquals(ProcessStatus.UNKNOWN, status("PPid:\t" + parent + "\n").parentPid());
    }

    @Test
    void withoutTheLines() {
        ProcessStatus status = status("Pid:\t1\nName\nPPid\nNSpid:\n");
        assertEquals("", status.name());
        assertEquals(ProcessStatus.UNKNOWN, status.parentPid());
        assertEquals(ProcessStatus.UNKNOWN, status.innermostPid());
        assertFalse(status.isInit());
        assertTrue(status("NSpid:\t2\t1\n").isInit());
    }
}
