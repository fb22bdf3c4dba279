package io.kubepods.oom;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Role;
import io.kubepods.oom.OomKill.Scope;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the kernel log's OOM kills, record by record. The kernel prints one report at a time, under a lock; other lines may
 * come between its own:
 *
 * <pre>
 * java invoked oom-killer: …                       begins a report; at most ten reports in five seconds
 * memory: usage …, limit …                         of the cgroup whose limit was hit, and the beginning of its memory.stat
 * oom-kill:… (before Linux 5.0: Task in …)         where, and which limit; held back together with the line above
 * Memory cgroup out of memory: Kill process …      before Linux 5.2
 * Memory cgroup out of memory: Killed process …    never held back
 * Tasks in … are going to be killed …              memory.oom.group; never held back
 * Memory cgroup out of memory: Killed process …    one for each process of the group
 * </pre>
 *
 * <p>A kill is given to the consumer when the next of these lines is read, or when there is none: {@link #idle}. Only then is
 * it known whether its whole group was killed; that line names a victim's cgroup when its summary was held back.
 *
 * <p>Not thread-safe. Used by the thread that holds the sampler's lock.
 */
public final class OomReports {
    /** What {@link #OomReports(long, Consumer)} takes for "all of them". */
    public static final long FROM_THE_BEGINNING = -1;

    /** A report that has gone on for so many records without a kill has none. */
    private static final long LONGEST_REPORT = 10_000;

    /**
     * A group's processes are killed in one loop, 40 to 240 µs apart on a slow machine. Printing to a slow serial console
     * takes some 20 ms a line.
     */
    private static final long GROUP_PAUSES_USEC = 500_000;

    private static final long NONE = -1;

    private final long after;
    private final Consumer<OomKill> each;
    private final KillLine kill = new KillLine();
    private long expected = NONE;
    private long lost;

    /** The report that is being read, by its first record; NONE between two. */
    private long report = NONE;

    private final MemoryLines memory = new MemoryLines();
    private final SplitLine line = new SplitLine();
    private boolean hasSummary;
    private @Nullable OomSummary summary;
    /** The process of "Kill process"; 0 without that line. */
    private int chosen;

    private Scope scope = Scope.UNKNOWN;
    private final Set<Integer> killed = new HashSet<>();
    private @Nullable String group;
    private long killedAtUsec;
    /** The last kill, not yet given out. */
    private @Nullable OomKill held;

    /**
     * @param after only kills in records behind this one, of the same boot, are given out; the records up to it are read all
     *     the same, for a report may have begun among them
     */
    public OomReports(long after, Consumer<OomKill> each) {
        this.after = after;
        this.each = each;
    }

    /** How many records were overwritten, or skipped, before they were read: by the gaps in their numbers. */
    public long lost() {
        return lost;
    }

    /** The last record that is done with: where another may go on, in the same boot. */
    public long position() {
        if (held != null) {
            return Math.max(after, held.sequence() - 1);
        }
        return expected == NONE ? after : Math.max(after, expected - 1);
    }

    /** There is no record now: what is held is given out. */
    public void idle() {
        giveOut();
    }

    void accept(KmsgRecord record) {
        long sequence = record.sequence();
        if (expected != NONE && sequence < expected) {
            return; // read before: the log was opened again
        }
        if (expected == NONE) {
            expected = after == FROM_THE_BEGINNING ? sequence : Math.min(sequence, after + 1);
        }
        if (sequence > expected) {
            lost += sequence - expected;
            end();
        }
        expected = sequence + 1;
        if (record.isTheKernels()) {
            read(record);
        }
    }

    private void read(KmsgRecord record) {
        byte[] text = record.bytes();
        int from = record.from();
        int to = record.to();
        if (record.isFragment()) {
            // A kill's line is printed by one call: what looks like one here is a piece of some cgroup's name.
            if (line.goOn(record)) {
                lineGrew(record);
            } else if (OomSummary.begins(text, from, to)) {
                summaryBegins(record); // up to Linux 4.8 the first piece is flagged too
            }
            return;
        }
        if (InvokedLine.is(text, from, to)) {
            end();
            begin(record.sequence());
            return;
        }
        switch (kill.parse(text, from, to)) {
            case KILLED -> killed(record);
            case CHOSEN -> chosen(record.sequence());
            case NOBODY -> end();
            case OTHER -> {
                if (OomSummary.begins(text, from, to)) {
                    summaryBegins(record);
                } else if (GroupLine.begins(text, from, to)) {
                    line.begin(record);
                    lineGrew(record);
                } else if (isOpen(record.sequence())) {
                    memory.take(text, from, to);
                }
            }
        }
    }

    private void summaryBegins(KmsgRecord record) {
        giveOut();
        if (hasSummary || chosen != 0 || !isOpen(record.sequence())) {
            begin(record.sequence());
        }
        hasSummary = true;
        line.begin(record);
        lineGrew(record);
    }

    /** Takes the line if it is whole; if not, its other pieces are still to come. */
    private void lineGrew(KmsgRecord record) {
        String path = GroupLine.path(line.bytes(), line.length());
        OomSummary whole = path == null ? OomSummary.parse(line.bytes(), line.length()) : null;
        if (path != null) {
            line.clear();
            groupIsKilled(path, record);
        } else if (whole != null) {
            line.clear();
            summary = whole;
        }
    }

    /** Before Linux 5.2: the process that was chosen, of which a child may be taken instead. */
    private void chosen(long sequence) {
        giveOut();
        boolean another = summary != null && !summary.isOld() && summary.pid() != kill.pid();
        if (another || chosen != 0 || !isOpen(sequence)) {
            begin(sequence);
        }
        chosen = kill.pid();
        scope = kill.scope();
    }

    private void killed(KmsgRecord record) {
        giveOut();
        boolean inGroup = group != null
                && report != NONE
                && (kill.scope() == scope || kill.scope() == Scope.UNKNOWN || scope == Scope.UNKNOWN)
                && record.timestampUsec() - killedAtUsec <= GROUP_PAUSES_USEC;
        if (inGroup) {
            takeScope();
            Role role = killed.contains(kill.pid()) ? Role.AGAIN : Role.MEMBER;
            hold(record, role, summary == null ? null : summary.oomMemcg(), group);
            return;
        }
        if (!isOpen(record.sequence()) || isAnothers(summary)) {
            begin(record.sequence());
        }
        takeScope();
        OomSummary found = summary;
        hold(record, Role.VICTIM, found == null ? null : found.oomMemcg(), found == null ? null : cgroupOf(found));
    }

    /** Before Linux 5.2 the kill's line does not say it; "Kill process" does, or the summary. */
    private void takeScope() {
        if (kill.scope() != Scope.UNKNOWN) {
            scope = kill.scope();
        } else if (scope == Scope.UNKNOWN && summary != null) {
            scope = summary.scope();
        }
    }

    /** Whether there is a report that this may belong to: one without a kill, that has not gone on for too long. */
    private boolean isOpen(long sequence) {
        return report != NONE && killed.isEmpty() && group == null && sequence - report <= LONGEST_REPORT;
    }

    /** Whether the summary is of another kill than the line just read. */
    private boolean isAnothers(@Nullable OomSummary found) {
        if (found == null) {
            return false;
        }
        Scope said = kill.scope() == Scope.UNKNOWN ? scope : kill.scope();
        boolean sameScope = said == Scope.UNKNOWN || said == found.scope();
        boolean sameProcess = found.isOld() || found.pid() == kill.pid() || found.pid() == chosen;
        return !sameScope || !sameProcess;
    }

    /**
     * The summary is about the process that was chosen. A child taken instead is below the same limit, but not always in the
     * same cgroup: a shim's children are containers.
     */
    private @Nullable String cgroupOf(OomSummary found) {
        boolean childTaken = chosen != 0 && chosen != kill.pid();
        return !childTaken || found.taskMemcg().equals(found.oomMemcg()) ? found.taskMemcg() : null;
    }

    private long uidBy(@Nullable OomSummary found) {
        return kill.uid() == Value.ABSENT && found != null && found.pid() == kill.pid() ? found.uid() : kill.uid();
    }

    private void hold(KmsgRecord record, Role role, @Nullable String oomMemcg, @Nullable String taskMemcg) {
        killed.add(kill.pid());
        killedAtUsec = record.timestampUsec();
        line.clear();
        held = new OomKill(
                record.sequence(),
                report,
                record.timestampUsec(),
                role,
                scope,
                kill.pid(),
                kill.command(),
                uidBy(summary),
                kill.oomScoreAdj(),
                kill.anonRss(),
                kill.fileRss(),
                kill.shmemRss(),
                oomMemcg,
                taskMemcg,
                memory.memory());
    }

    /** The line before was the victim's, unless that ended by itself: then there is only its summary. */
    private void groupIsKilled(String path, KmsgRecord record) {
        OomKill victim = held;
        if (victim != null && victim.role() == Role.MEMBER) {
            // It was not of the group before; that its own report was held back is seen only now.
            begin(victim.sequence());
            scope = victim.scope();
            killed.add(victim.pid());
            held = victim.asVictim(path);
        } else if (victim != null && victim.role() == Role.VICTIM && victim.taskMemcg() == null) {
            held = victim.inCgroup(path);
        } else if (report == NONE || group != null || (killed.isEmpty() && !hasSummary)) {
            giveOut();
            begin(record.sequence()); // the victim's line was lost, or given out before this one came
        }
        group = path;
        killedAtUsec = record.timestampUsec();
    }

    private void giveOut() {
        OomKill given = held;
        held = null;
        if (given != null && given.sequence() > after) {
            each.accept(given);
        }
    }

    /** There is no report any more. */
    private void end() {
        giveOut();
        begin(NONE);
    }

    private void begin(long sequence) {
        report = sequence;
        line.clear();
        memory.clear();
        hasSummary = false;
        summary = null;
        chosen = 0;
        scope = Scope.UNKNOWN;
        killed.clear();
        group = null;
    }
}
