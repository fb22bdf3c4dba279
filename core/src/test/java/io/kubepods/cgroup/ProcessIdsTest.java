package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessIdsTest extends LiesToTheParser {
    private final ProcessIds pids = new ProcessIds();

    @Override
    String whole() {
        return "4711\n8231\n2147483647\n1\n95012\n";
    }

    @Override
    Map<String, Object> parsed(byte[] text, int length) {
        pids.clear();
        pids.parse(text, length);
        Map<String, Object> fields = new HashMap<>();
        for (int pid : found()) {
            fields.put("process " + pid, pid);
        }
        return fields;
    }

    private List<Integer> found() {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < pids.size(); i++) {
            found.add(pids.get(i));
        }
        return found;
    }

    private void piece(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        pids.parse(bytes, bytes.length);
    }

    @Test
    void oneALine() {
        pids.clear();
        piece(whole());
        assertTrue(pids.end());
        assertEquals(List.of(4_711, 8_231, Integer.MAX_VALUE, 1, 95_012), found());
        assertTrue(pids.contains(8_231));
        assertFalse(pids.contains(471));
        assertFalse(pids.isOutsideOurNamespace());
    }

    @Test
    void inPiecesCutAnywhere() {
        String whole = whole();
        for (int first = 0; first <= whole.length(); first++) {
            for (int second = first; second <= whole.length(); second++) {
                pids.clear();
                piece(whole.substring(0, first));
                piece(whole.substring(first, second));
                piece(whole.substring(second));
                assertTrue(pids.end());
                assertEquals(List.of(4_711, 8_231, Integer.MAX_VALUE, 1, 95_012), found());
            }
        }
    }

    @Test
    void thousands() {
        pids.clear();
        List<Integer> expected = new ArrayList<>();
        for (int pid = 1; pid <= 5_000; pid++) {
            piece(pid + "\n");
            expected.add(pid);
        }
        assertTrue(pids.end());
        assertEquals(expected, found());
    }

    @Test
    void zeroIsAProcessOutsideOurNamespace() {
        pids.clear();
        piece("0\n0\n0\n");
        assertTrue(pids.end());
        assertEquals(List.of(), found());
        assertTrue(pids.isOutsideOurNamespace());
        pids.clear();
        assertFalse(pids.isOutsideOurNamespace());
    }

    @Test
    void aSecondFileAddsToTheFirst() {
        pids.clear();
        piece("12\n");
        assertTrue(pids.end());
        piece("34\n");
        assertTrue(pids.end());
        assertEquals(List.of(12, 34), found());
    }

    @Test
    void whatOneFileLeftUnfinishedIsNoPartOfTheNext() {
        pids.clear();
        piece("12");
        assertFalse(pids.end());
        piece("34\n");
        assertTrue(pids.end());
        assertEquals(List.of(34), found());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "99999999999", "12345678901234567890", "x", "-7", "", " 7", "7 8", "12x34"})
    void aLineThatIsNoProcessIdIsSkippedAndSaid(String line) {
        pids.clear();
        piece("4711\n" + line + "\n8231\n");
        assertFalse(pids.end());
        assertEquals(List.of(4_711, 8_231), found());
    }

    @Test
    void bytesBehindTheLengthAreNoProcesses() {
        byte[] text = new byte[64];
        Arrays.fill(text, (byte) '9');
        text[0] = '7';
        text[1] = '\n';
        pids.clear();
        pids.parse(text, 2);
        assertTrue(pids.end());
        assertEquals(List.of(7), found());
    }
}
