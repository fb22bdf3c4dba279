package io.kubepods.oom;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.ErrorCounts.Kind;
import io.kubepods.kernel.KernelLog;
import io.kubepods.kernel.KernelLogDevice;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OomWatcherTest {
    private final ErrorCounts readErrors = new ErrorCounts("read_errors");
    private final ErrorCounts malformed = new ErrorCounts("malformed");
    private final List<OomKill> kills = new ArrayList<>();
    private final OomReports reports = new OomReports(OomReports.FROM_THE_BEGINNING, kills::add);
    private final Queue<Object> answers = new ArrayDeque<>();
    private final OomWatcher watcher = watching(this::next);

    private OomWatcher watching(KernelLog log) {
        return new OomWatcher(log, reports, readErrors, malformed);
    }

    /** A text is a record, a number an errno. */
    private int next(byte[] into) {
        Object answer = answers.poll();
        if (answer instanceof String record) {
            byte[] bytes = (record + "\n").getBytes(ISO_8859_1);
            System.arraycopy(bytes, 0, into, 0, bytes.length);
            return bytes.length;
        }
        return answer instanceof Integer errno ? -errno : -Errno.EAGAIN;
    }

    private void reads(Object... next) {
        answers.addAll(List.of(next));
        assertTrue(watcher.read(0));
    }

    private static String kill(int sequence, int pid) {
        return "3," + sequence + ",1,-;" + KernelSays.killed(pid, "x");
    }

    private void noErrors() {
        readErrors.forEach((kind, count) -> assertEquals(0, count, kind.toString()));
        malformed.forEach((kind, count) -> assertEquals(0, count, kind.toString()));
    }

    @Test
    void untilThereIsNoneNow() {
        reads();
        reads("6,1,1,-;x", kill(2, 7));
        assertEquals(1, kills.size());
        assertEquals(2, watcher.records());
        reads(kill(3, 8), kill(4, 9));
        assertEquals(3, kills.size());
        noErrors();
    }

    /** V26. */
    @Test
    void overwrittenRecordsAreLostAndItGoesOn() {
        reads("6,370,1,-;x", Errno.EPIPE, kill(2_230, 7));
        assertEquals(1_859, reports.lost());
        assertEquals(1, kills.size());
        assertEquals(0, watcher.tooLong());
        noErrors();
    }

    @Test
    void aRecordThatIsTooLongIsSkippedAndCounted() {
        reads("6,1,1,-;x", Errno.EINVAL, kill(3, 7));
        assertEquals(1, watcher.tooLong());
        assertEquals(1, reports.lost());
        assertEquals(1, kills.size());
        noErrors();
    }

    @Test
    void troubleIsCountedAndTriedAgain() {
        reads(kill(1, 7), Errno.EIO, kill(2, 8));
        assertEquals(1, kills.size());
        assertEquals(1, readErrors.count(new Kind("kmsg", "EIO")));
        reads();
        assertEquals(2, kills.size());
        assertEquals(0, reports.lost());
    }

    @Test
    void whatIsNoRecordIsCounted() {
        reads("", "no record", kill(1, 7));
        assertEquals(2, malformed.count(new Kind("kmsg", "malformed")));
        assertEquals(3, watcher.records());
        assertEquals(1, kills.size());
    }

    @Test
    void soManyAtATime() {
        int[] sequence = {0};
        OomWatcher endless = watching(into -> {
            byte[] record = kill(++sequence[0], 7).concat("\n").getBytes(ISO_8859_1);
            System.arraycopy(record, 0, into, 0, record.length);
            return record.length;
        });
        assertFalse(endless.read(0));
        assertEquals(OomWatcher.RECORDS_AT_ONCE, sequence[0]);
        assertEquals(OomWatcher.RECORDS_AT_ONCE - 1, kills.size(), "the last may be its group's first");
        assertFalse(endless.read(0));
        assertEquals(2 * OomWatcher.RECORDS_AT_ONCE, endless.records());
    }

    /** Nor do errnos hold it for ever. */
    @Test
    void anEndlessErrno() {
        for (int errno : new int[] {Errno.EPIPE, Errno.EINVAL}) {
            assertFalse(watching(into -> -errno).read(0));
        }
    }

    @Test
    void aRunFromAFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("kmsg");
        Files.write(file, KernelSays.capture("6.1.192/oom"));
        KernelLogDevice device = new KernelLogDevice(file);
        assertEquals(0, device.open());
        OomWatcher ofFile = watching(device);
        assertTrue(ofFile.read(0));
        assertEquals(237, ofFile.records());
        assertEquals(8, kills.size());
        assertEquals(0, device.open());
        assertTrue(ofFile.read(0));
        assertEquals(8, kills.size(), "opened again");
        device.close();
        noErrors();
    }

    @Test
    void recordsWithoutAKillAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<byte[]> report = KernelSays.capture("6.12.117/global").stream()
                .filter(record -> !record.contains("ill"))
                .map(record ->
                        record.substring(record.indexOf(',', 2)).concat("\n").getBytes(ISO_8859_1))
                .toList();
        int[] state = new int[1];
        byte[][] records = report.toArray(new byte[0][]);
        KernelLog log = into -> {
            int number = 10_000_000 + state[0];
            byte[] rest = records[state[0]++ % records.length];
            into[0] = '6';
            into[1] = ',';
            for (int at = 9; at > 1; at--, number /= 10) {
                into[at] = (byte) ('0' + number % 10);
            }
            System.arraycopy(rest, 0, into, 10, rest.length);
            return 10 + rest.length;
        };
        OomWatcher steady = watching(log);
        long least = Long.MAX_VALUE;
        for (int window = 0; window < 12; window++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            steady.read(0);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes for " + OomWatcher.RECORDS_AT_ONCE + " records");
        assertEquals(12L * OomWatcher.RECORDS_AT_ONCE, steady.records());
        assertEquals(0, reports.lost());
        noErrors();
    }
}
