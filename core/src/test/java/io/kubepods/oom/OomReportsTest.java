package io.kubepods.oom;

import static io.kubepods.oom.KernelSays.group;
import static io.kubepods.oom.KernelSays.invoked;
import static io.kubepods.oom.KernelSays.killed;
import static io.kubepods.oom.KernelSays.killsIn;
import static io.kubepods.oom.KernelSays.summary;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs together and what does not. The records begin with number 100. */
class OomReportsTest {
    private static final String OLD = "Task in /a/c killed as a result of limit of /a";

    /** pid, role, report, the limit's cgroup, the process's. */
    private static List<String> told(List<OomKill> kills) {
        return kills.stream()
                .map(kill -> kill.pid() + " " + kill.role() + " " + kill.report() + " " + kill.oomMemcg() + " "
                        + kill.taskMemcg())
                .toList();
    }

    private static List<String> told(String... texts) {
        return told(killsIn(texts));
    }

    @Test
    void oneReportIsOneIncident() {
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c"),
                told(invoked("java"), "Call Trace:", summary("/a", "/a/c", "java", 7), "noise", killed(7, "java")));
    }

    @Test
    void whatIsHeldBackLeavesTheKill() {
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c", "8 VICTIM 103 null null", "9 VICTIM 104 null null"),
                told(
                        invoked("java"),
                        summary("/a", "/a/c", "java", 7),
                        killed(7, "java"),
                        killed(8, "java"),
                        killed(9, "java")));
    }

    @Test
    void aSummaryOfAnotherProcessIsNotUsed() {
        assertEquals(
                List.of("8 VICTIM 102 null null"),
                told(invoked("java"), summary("/a", "/a/c", "java", 7), killed(8, "java"), "noise"));
        assertEquals(
                List.of("7 VICTIM 101 null null"),
                told(summary("/a", "/a/c", "java", 7), "Out of memory: Killed process 7 (java) total-vm:1kB"),
                "nor one of another kind of OOM");
    }

    @Test
    void aSummaryIsUsedOnce() {
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c", "7 VICTIM 102 null null"),
                told(summary("/a", "/a/c", "java", 7), killed(7, "java"), killed(7, "java")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"java invoked oom-killer: gfp_mask=0xd0", "Out of memory and no killable processes...", OLD})
    void theNextReportDropsASummary(String next) {
        List<OomKill> kills = killsIn(summary("/x", "/x", "java", 7), next, killed(7, "java"));
        assertEquals(1, kills.size());
        assertEquals(next.equals(OLD) ? "/a" : null, kills.get(0).oomMemcg());
    }

    @Test
    void aSummaryAfterASummaryIsAnotherReport() {
        assertEquals(
                List.of("8 VICTIM 101 /b /b/c"),
                told(summary("/a", "/a/c", "java", 7), summary("/b", "/b/c", "java", 8), killed(8, "java")));
    }

    @Test
    void aSummaryDoesNotLastForEver() {
        KernelSays kernel = new KernelSays().says(OLD);
        for (int i = 0; i < 10_000; i++) {
            kernel.says("noise");
        }
        assertNull(kernel.says(killed(7, "java")).kills().get(0).taskMemcg());
    }

    @Test
    void beforeLinux5TheOrderTells() {
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c", "9 VICTIM 104 null null"),
                told(
                        invoked("java"),
                        OLD,
                        "Memory cgroup out of memory: Kill process 7 (java) score 1 or sacrifice child",
                        "Killed process 7 (java) total-vm:1kB, anon-rss:1kB, file-rss:1kB",
                        "Memory cgroup out of memory: Kill process 9 (java) score 1 or sacrifice child",
                        "Killed process 9 (java) total-vm:1kB, anon-rss:1kB, file-rss:1kB"));
    }

    /** The process ended between the two lines. */
    @Test
    void aChosenProcessThatWasNotKilledTakesItsSummaryAlong() {
        assertEquals(
                List.of("9 VICTIM 102 null null"),
                told(
                        OLD,
                        "Memory cgroup out of memory: Kill process 7 (java) score 1 or sacrifice child",
                        "Memory cgroup out of memory: Kill process 9 (java) score 1 or sacrifice child",
                        "Killed process 9 (java) total-vm:1kB, anon-rss:1kB, file-rss:1kB"));
    }

    @Test
    void aChildIsBelowTheLimitAndPerhapsElsewhere() {
        String chosen = "Memory cgroup out of memory: Kill process 7 (sh) score 1 or sacrifice child";
        String child = "Killed process 8 (java) total-vm:1kB, anon-rss:1kB, file-rss:1kB";
        assertEquals(List.of("8 VICTIM 100 /a null"), told(OLD, chosen, child));
        assertEquals(List.of("8 VICTIM 100 /a null"), told(summary("/a", "/a/c", "sh", 7), chosen, child));
        assertEquals(List.of("8 VICTIM 100 /a/c /a/c"), told(summary("/a/c", "/a/c", "sh", 7), chosen, child));
        OomKill kill = killsIn(summary("/a/c", "/a/c", "sh", 7), chosen, child).get(0);
        assertEquals(Value.ABSENT, kill.uid(), "the summary's uid is its parent's");
        assertEquals(
                List.of("9 VICTIM 101 null null"),
                told(summary("/a", "/a", "sh", 7), chosen.replace("7", "9"), child.replace("8", "9")),
                "another one was chosen");
    }

    @Test
    void whatRanOutBeforeLinux52IsInTheLineBefore() {
        String child = "Killed process 8 (java) total-vm:1kB, anon-rss:1kB, file-rss:1kB";
        assertEquals(Scope.UNKNOWN, killsIn(child).get(0).scope());
        assertEquals(
                Scope.NODE,
                killsIn("Out of memory: Kill process 7 (sh) score 1 or sacrifice child", child)
                        .get(0)
                        .scope());
        assertEquals(
                Scope.NODE,
                killsIn(
                                "Out of memory (oom_kill_allocating_task): Kill process 8 (java) score 0 or sacrifice child",
                                child)
                        .get(0)
                        .scope());
        assertEquals(Scope.CGROUP, killsIn(OLD, child).get(0).scope());
    }

    @Test
    void aGroup() {
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c", "8 MEMBER 100 /a /a", "7 AGAIN 100 /a /a", "9 MEMBER 100 /a /a"),
                told(
                        summary("/a", "/a/c", "java", 7),
                        killed(7, "java"),
                        "oom_reaper: reaped process 7 (java), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
                        group("/a"),
                        killed(8, "sh"),
                        "Memory cgroup out of memory: OOM victim 6 (x) is already exiting. Skip killing the task",
                        killed(7, "java"),
                        killed(9, "sh")));
    }

    /** What a busy node prints: of more than ten OOMs in five seconds the kills, and the groups. */
    @Test
    void groupsOneBehindTheOtherWithoutReports() {
        assertEquals(
                List.of(
                        "7 VICTIM 100 null /a",
                        "8 MEMBER 100 null /a",
                        "7 AGAIN 100 null /a",
                        "17 VICTIM 104 null /b",
                        "18 MEMBER 104 null /b",
                        "17 AGAIN 104 null /b",
                        "27 VICTIM 108 null /a",
                        "27 AGAIN 108 null /a"),
                told(
                        killed(7, "x"),
                        group("/a"),
                        killed(8, "y"),
                        killed(7, "x"),
                        killed(17, "x"),
                        group("/b"),
                        killed(18, "y"),
                        killed(17, "x"),
                        killed(27, "x"),
                        group("/a"),
                        killed(27, "x")));
    }

    @Test
    void aGroupEndsWithTheNextReportOrAPauseOrAnotherKindOfOom() {
        List<String> alone = List.of("7 VICTIM 100 null /a", "9 VICTIM 102 null null");
        assertEquals(
                alone,
                told(new KernelSays()
                        .says(killed(7, "x"), group("/a"))
                        .waits(600_000)
                        .says(killed(9, "y"))
                        .kills()));
        assertEquals(alone, told(killed(7, "x"), group("/a"), killed(9, "y").replace("Memory cgroup out", "Out")));
        assertEquals(alone, told(killed(7, "x"), group("/a"), invoked("y"), killed(9, "y")));
        assertEquals(
                List.of("7 VICTIM 100 null /a", "9 VICTIM 102 /b /b"),
                told(killed(7, "x"), group("/a"), summary("/b", "/b", "y", 9), killed(9, "y")));
        assertEquals(
                List.of("7 VICTIM 100 null /a", "9 VICTIM 112 null null"),
                told(new KernelSays()
                        .says(killed(7, "x"), group("/a"))
                        .loses(10)
                        .says(killed(9, "y"))
                        .kills()));
    }

    @Test
    void aGroupOfLinux419() {
        List<OomKill> kills = killsIn(
                OLD,
                "Memory cgroup out of memory: Kill process 7 (x) score 1 or sacrifice child",
                "Killed process 7 (x) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB",
                group("/a/c"),
                "Killed process 8 (y) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB");
        assertEquals(List.of("7 VICTIM 100 /a /a/c", "8 MEMBER 100 /a /a/c"), told(kills));
        assertEquals(Scope.CGROUP, kills.get(1).scope());
    }

    @Test
    void aGroupWhoseVictimWasNotSeen() {
        List<OomKill> kills = killsIn(group("/a"), killed(8, "y"), killed(9, "y"));
        assertEquals(List.of("8 MEMBER 100 null /a", "9 MEMBER 100 null /a"), told(kills));
        assertEquals(Scope.CGROUP, kills.get(0).scope());
    }

    @Test
    void aGroupWhoseVictimEndedByItself() {
        assertEquals(
                List.of("8 MEMBER 100 /a /a"),
                told(
                        summary("/a", "/a/c", "x", 7),
                        "Memory cgroup out of memory: OOM victim 7 (x) is already exiting. Skip killing the task",
                        group("/a"),
                        killed(8, "y")));
    }

    @Test
    void aKillIsHeldUntilItIsKnownWhetherItsGroupIsKilled() {
        KernelSays kernel = new KernelSays().says(killed(7, "x"), "noise", "noise");
        assertEquals(List.of(), kernel.givenOut());
        assertEquals(99, kernel.reports().position());
        kernel.idle();
        assertEquals(List.of("7 VICTIM 100 null null"), told(kernel.givenOut()));
        assertEquals(102, kernel.reports().position());
        kernel.says(group("/a"), killed(8, "y"), killed(7, "x"));
        assertEquals(
                List.of("7 VICTIM 100 null null", "8 MEMBER 100 null /a", "7 AGAIN 100 null /a"), told(kernel.kills()));
        assertEquals(105, kernel.reports().position());
    }

    @Test
    void aSummaryInPiecesWithOthersBetween() {
        KernelSays kernel = new KernelSays()
                .says("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)", "eth0: link is up")
                .goesOn(",cpuset=c,mems_allowed=0,2-3")
                .says("eth0: link is down")
                .line("12", "-", "user text")
                .goesOn(",oom_memcg=/a")
                .goesOn(",task_memcg=/a/c,task=x,pid=7,uid=0")
                .goesOn(" somebody else's piece")
                .says(killed(7, "x"));
        assertEquals(List.of("7 VICTIM 100 /a /a/c"), told(kernel.kills()));
    }

    /** Up to Linux 4.8 the first piece is flagged too, and a + the others. */
    @Test
    void otherLinesInPieces() {
        KernelSays kernel = new KernelSays()
                .line("6", "c", "Task in /a/c killed")
                .line("6", "+", " as a result of limit of /a")
                .line("6", "+", " cache:0KB rss:3KB")
                .says("Killed process 7 (x) total-vm:1kB, anon-rss:1kB", "Tasks in /a", "noise")
                .goesOn(" are going to be killed due to memory.oom.group set")
                .says("Killed process 8 (x) total-vm:1kB, anon-rss:1kB");
        assertEquals(List.of("7 VICTIM 100 /a /a/c", "8 MEMBER 100 /a /a"), told(kernel.kills()));
    }

    @Test
    void aLineWithoutItsEndIsNothing() {
        String begin = "oom-kill:constraint=CONSTRAINT_MEMCG,cpuset=c,oom_memcg=/a,task_memcg=/a";
        assertNull(killsIn(begin, killed(7, "x")).get(0).taskMemcg());
        assertNull(new KernelSays()
                .says(begin)
                .goesOn("x".repeat(5_000))
                .goesOn(",task=x,pid=7,uid=0")
                .says(killed(7, "x"))
                .kills()
                .get(0)
                .taskMemcg());
        KernelSays late = new KernelSays().says(begin);
        for (int i = 0; i < 200; i++) {
            late.says("noise");
        }
        assertNull(late.goesOn(",task=x,pid=7,uid=0")
                .says(killed(7, "x"))
                .kills()
                .get(0)
                .taskMemcg());
        assertNull(new KernelSays()
                .says(begin)
                .loses(1)
                .goesOn(",task=x,pid=7,uid=0")
                .says(killed(7, "x"))
                .kills()
                .get(0)
                .taskMemcg());
    }

    /** A cgroup may be called anything without a slash; a line in pieces may begin one with its name. */
    @Test
    void aPieceIsNeverAKill() {
        assertEquals(
                List.of(),
                new KernelSays()
                        .says("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=")
                        .goesOn(killed(1, "init"))
                        .goesOn(invoked("x"))
                        .kills());
    }

    @Test
    void lossesAreCountedByTheNumbers() {
        KernelSays kernel = new KernelSays();
        assertEquals(OomReports.FROM_THE_BEGINNING, kernel.reports().position());
        kernel.says("x")
                .loses(3)
                .says("y")
                .loses(1)
                .line("12", "-", "user text")
                .says("z");
        assertEquals(4, kernel.reports().lost());
        kernel.record("6,100,1,-;x");
        assertEquals(4, kernel.reports().lost(), "opened again");
        assertEquals(107, kernel.reports().position());
    }

    @Test
    void aReportWithALossIsNotPutTogether() {
        assertEquals(
                List.of("7 VICTIM 102 null null"),
                told(new KernelSays()
                        .says(summary("/a", "/a/c", "x", 7))
                        .loses(1)
                        .says(killed(7, "x"))
                        .kills()));
        assertEquals(
                List.of("7 VICTIM 100 /a /a/c", "8 VICTIM 103 null null"),
                told(new KernelSays()
                        .says(summary("/a", "/a/c", "x", 7), killed(7, "x"))
                        .loses(1)
                        .says(killed(8, "x"))
                        .kills()));
    }

    @Test
    void openedAgainNothingIsToldTwice() {
        KernelSays kernel = new KernelSays().says(killed(7, "x"));
        kernel.record("3,100,5001000,-;" + killed(7, "x"));
        assertEquals(1, kernel.kills().size());
    }

    @ParameterizedTest
    @CsvSource({"-1, 4", "99, 4", "101, 4", "102, 3", "103, 3", "104, 2", "105, 1", "106, 0", "500, 0"})
    void afterARestart(long after, int kills) {
        String[] texts = {
            invoked("x"),
            summary("/a", "/a/c", "x", 7),
            killed(7, "x"),
            group("/a"),
            killed(8, "y"),
            killed(7, "x"),
            killed(9, "z")
        };
        List<OomKill> all = killsIn(texts);
        KernelSays kernel = new KernelSays(after).says(texts);
        assertEquals(all.subList(4 - kills, 4), kernel.kills(), "what came before is known, and not told again");
        assertEquals(0, kernel.reports().lost());
        assertEquals(Math.max(after, 106), kernel.reports().position());
    }

    @Test
    void whatWasOverwrittenBeforeARestartIsLost() {
        assertEquals(49, new KernelSays(50).says("x").reports().lost());
        assertEquals(0, new KernelSays(99).says("x").reports().lost());
        assertEquals(100, new KernelSays(0).says("x").reports().lost() + 1);
    }
}
