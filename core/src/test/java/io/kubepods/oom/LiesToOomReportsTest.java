package io.kubepods.oom;

import static io.kubepods.oom.KernelSays.CONTAINER;
import static io.kubepods.oom.KernelSays.POD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.Damage;
import io.kubepods.Seed;
import io.kubepods.cgroup.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are cut, too long, or none never make an exception, and never a kill that the whole ones do not have. */
class LiesToOomReportsTest {
    private static final String SUMMARY = "6,392,4393760,-;" + KernelSays.summary(POD, CONTAINER, "hog)ger", 157);
    private static final String KILL = "3,393,4393800,-;Memory cgroup out of memory: Killed process 157 (hog)ger)"
            + " total-vm:33860kB, anon-rss:32384kB, file-rss:41kB, shmem-rss:384kB, UID:1000 pgtables:104kB"
            + " oom_score_adj:992";
    private static final String GROUP = "6,394,4393900,-;" + KernelSays.group(CONTAINER);
    private static final String MEMBER = "3,395,4393950,-;" + KernelSays.killed(158, "sidekick");
    private static final List<String> WHOLE = List.of(SUMMARY, KILL, GROUP, MEMBER);

    /** As one that reads a device: what is no record is skipped. */
    private static List<OomKill> kills(List<byte[]> records) {
        List<OomKill> kills = new ArrayList<>();
        OomReports reports = new OomReports(OomReports.FROM_THE_BEGINNING, kills::add);
        KmsgRecord record = new KmsgRecord();
        for (byte[] bytes : records) {
            if (record.parse(bytes, bytes.length)) {
                reports.accept(record);
            }
        }
        reports.idle();
        return kills;
    }

    private static List<byte[]> bytes(List<String> records) {
        return records.stream().map(LiesToOomReportsTest::bytes).toList();
    }

    private static byte[] bytes(String record) {
        return (record + "\n").getBytes(ISO_8859_1);
    }

    private static List<OomKill> killsWith(int index, String lie) {
        List<String> records = new ArrayList<>(WHOLE);
        records.set(index, lie);
        return kills(bytes(records));
    }

    /** Every field is the truth or absent; which report it is of may be another. */
    private static void hasNothingNew(List<OomKill> kills, String lie) {
        for (OomKill kill : kills) {
            OomKill truth = kills(bytes(WHOLE)).stream()
                    .filter(other -> other.pid() == kill.pid())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(lie));
            assertEquals(truth.command(), kill.command(), lie);
            isTruthOrAbsent(truth.uid(), kill.uid(), lie);
            isTruthOrAbsent(truth.oomScoreAdj(), kill.oomScoreAdj(), lie);
            isTruthOrAbsent(truth.anonRss(), kill.anonRss(), lie);
            isTruthOrAbsent(truth.fileRss(), kill.fileRss(), lie);
            isTruthOrAbsent(truth.shmemRss(), kill.shmemRss(), lie);
            assertTrue(kill.oomMemcg() == null || POD.equals(kill.oomMemcg()), lie);
            assertTrue(kill.taskMemcg() == null || CONTAINER.equals(kill.taskMemcg()), lie);
        }
    }

    private static void isTruthOrAbsent(long truth, long told, String lie) {
        assertTrue(told == truth || told == Value.ABSENT, () -> told + " for " + truth + " in " + lie);
    }

    @Test
    void theTruth() {
        List<OomKill> kills = kills(bytes(WHOLE));
        assertEquals(2, kills.size());
        assertEquals(1_000, kills.get(0).uid());
        assertEquals("hog)ger", kills.get(0).command());
        hasNothingNew(kills, "nothing");
    }

    /** Without its newline no record is one. */
    @Test
    void cutAtEveryOffset() {
        for (int index = 0; index < WHOLE.size(); index++) {
            byte[] whole = bytes(WHOLE.get(index));
            for (int length = 0; length < whole.length; length++) {
                List<byte[]> records = new ArrayList<>(bytes(WHOLE));
                records.set(index, Arrays.copyOf(whole, length));
                hasNothingNew(kills(records), WHOLE.get(index).substring(0, length));
            }
        }
    }

    /** The kernel itself cuts what is longer than 1,024 bytes; of a kill's line only the end may be missing then. */
    @Test
    void aTextThatIsCutInASummaryOrAGroup() {
        for (int index : new int[] {0, 2}) {
            String whole = WHOLE.get(index);
            for (int length = whole.indexOf(';') + 1; length < whole.length(); length++) {
                hasNothingNew(killsWith(index, whole.substring(0, length)), whole.substring(0, length));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551615",
                "18446744073709551616",
                "-9223372036854775808",
                "99999999999999999999999999999999999999999999999999",
                "9007199254740992",
                "4294967296",
                "2147483648",
                "12a",
                "1.5",
                "+1",
                "0x10",
                "--1",
                "-",
                ""
            })
    void aNumberThatIsNoneIsAbsentAndAPidThatIsNoneIsNoKill(String lie) {
        for (String key : List.of("anon-rss:", "file-rss:", "shmem-rss:")) {
            OomKill kill =
                    killsWith(1, KILL.replaceFirst(key + "[0-9]+", key + lie)).get(0);
            long told = key.startsWith("a") ? kill.anonRss() : key.startsWith("f") ? kill.fileRss() : kill.shmemRss();
            boolean fits = lie.equals("4294967296") || lie.equals("2147483648");
            assertEquals(fits ? Long.parseLong(lie) * 1_024 : Value.ABSENT, told, key);
        }
        for (String key : List.of("UID:", "oom_score_adj:")) {
            OomKill kill =
                    killsWith(1, KILL.replaceFirst(key + "[0-9]+", key + lie)).get(0);
            byte[] number = lie.getBytes(ISO_8859_1);
            long expected = Value.parse(number, 0, number.length);
            long told = key.equals("UID:") ? kill.uid() : kill.oomScoreAdj();
            boolean bySummary = key.equals("UID:") && expected == Value.ABSENT;
            assertEquals(bySummary ? 0 : expected, told, key);
        }
        assertEquals(
                List.of(158),
                killsWith(1, KILL.replace("process 157", "process " + lie)).stream()
                        .map(OomKill::pid)
                        .toList());
        hasNothingNew(killsWith(0, SUMMARY.replace("pid=157", "pid=" + lie)), lie);
        hasNothingNew(killsWith(0, SUMMARY.replace("uid=0", "uid=" + lie)), lie);
        assertEquals(
                List.of(),
                kills(bytes(List.of("3,1,1,-;Killed process 0 (x) total-vm:1kB, anon-rss:1kB, file-rss:1kB"))));
    }

    @Test
    void overlong() {
        for (String filling : List.of("x", "1", " ", ",", ")", "/", "\\x0a", ",task=", ",pid=1", "(")) {
            String tail = filling.repeat(8_000 / filling.length());
            for (int index = 0; index < WHOLE.size(); index++) {
                killsWith(index, WHOLE.get(index) + tail);
            }
            for (String begin : List.of(
                    "oom-kill:constraint=",
                    "Task in /",
                    "Tasks in /",
                    "Killed process 1 (",
                    "Memory cgroup out of memory: Kill process 1 (",
                    "")) {
                kills(bytes(List.of("6,1,1,-;" + begin + tail, "6,2,2,c;" + tail, "6,3,3,c;" + tail, KILL)));
            }
        }
    }

    /** Whole runs, damaged: there is no exception, and what is told can be told. */
    @Test
    void damagedRuns() {
        Random random = Seed.random(getClass());
        List<String> run = KernelSays.capture("6.12.117/oom").stream()
                .filter(record -> record.contains("oom") || record.contains("out of memory"))
                .toList();
        for (int round = 0; round < 2_000; round++) {
            List<byte[]> records = new ArrayList<>();
            for (String record : run) {
                if (random.nextInt(20) != 0) {
                    records.add(bytes(random.nextInt(4) == 0 ? Damage.done(record, random, 4) : record));
                }
            }
            for (OomKill kill : kills(records)) {
                assertTrue(kill.pid() > 0 && kill.report() >= 0 && kill.report() <= kill.sequence());
                assertTrue(kill.anonRss() >= 0 || kill.anonRss() == Value.ABSENT);
                assertTrue(Objects.requireNonNullElse(kill.oomMemcg(), "/").startsWith("/"));
                assertTrue(Objects.requireNonNullElse(kill.taskMemcg(), "/").startsWith("/"));
            }
        }
    }
}
