package io.kubepods.oom;

import static io.kubepods.oom.EscapedText.endOfDigits;
import static io.kubepods.oom.EscapedText.indexOf;
import static io.kubepods.oom.EscapedText.lastIndexOf;
import static io.kubepods.oom.EscapedText.startsWith;
import static io.kubepods.oom.EscapedText.word;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Scope;

/**
 * The line that says who was killed (mm/oom_kill.c, {@code __oom_kill_process}); since Linux 5.4, since 5.2 without the end,
 * before that in two lines, whose pids differ when a child is taken; RHEL 7 has a form of its own.
 *
 * <pre>
 * Memory cgroup out of memory: Killed process 157 (java) total-vm:33860kB, anon-rss:32384kB, file-rss:0kB, shmem-rss:384kB, UID:0 pgtables:104kB oom_score_adj:0
 * Memory cgroup out of memory: Kill process 31877 (java) score 0 or sacrifice child
 * Killed process 31902 (java) total-vm:19877712kB, anon-rss:471020kB, file-rss:12988kB
 * Killed process 31902 (java), UID 0, total-vm:19877712kB, anon-rss:471020kB, file-rss:12988kB, shmem-rss:0kB
 * </pre>
 *
 * <p>The process chose its name, which is between the first parenthesis and the last that fits. One object serves all lines.
 */
final class KillLine {
    /** What a line says. */
    enum Kind {
        /** Nothing of an OOM's end. */
        OTHER,
        /** This process was killed. */
        KILLED,
        /** This process was chosen, or a child of it will be; before Linux 5.2. */
        CHOSEN,
        /** Nobody was there to be killed. */
        NOBODY
    }

    private static final byte[] CGROUP = word("Memory cgroup out of memory");
    private static final byte[] NODE = word("Out of memory");
    private static final byte[] COLON = word(": ");
    /** With vm.oom_kill_allocating_task. */
    private static final byte[] ALLOCATING = word(" (oom_kill_allocating_task): ");

    private static final byte[] NO_PROCESSES = word(" and no killable processes");
    private static final byte[] KILLED = word("Killed process ");
    private static final byte[] CHOSEN = word("Kill process ");
    private static final byte[] SCORE = word(") score ");
    private static final byte[] COMMAND = word(" (");
    private static final byte[] TOTAL_VM = word(" total-vm:");
    private static final byte[] RHEL_UID = word("), UID ");
    private static final byte[] ANON_RSS = word(" anon-rss:");
    private static final byte[] FILE_RSS = word(" file-rss:");
    private static final byte[] SHMEM_RSS = word(" shmem-rss:");
    private static final byte[] UID = word(" UID:");
    private static final byte[] OOM_SCORE_ADJ = word(" oom_score_adj:");
    private static final byte[] KILOBYTES = word("kB");

    private static final long MOST_KILOBYTES = Long.MAX_VALUE / 1_024;

    private byte[] text = {};
    private int commandFrom;
    private int commandTo;
    private Scope scope = Scope.UNKNOWN;
    private int pid;
    private long uid;
    private long oomScoreAdj;
    private long anonRss;
    private long fileRss;
    private long shmemRss;

    /** Takes a line, which is used until the next is parsed. The fields are its own if it is {@code KILLED} or {@code CHOSEN}. */
    Kind parse(byte[] line, int from, int to) {
        text = line;
        int at = from;
        scope = Scope.UNKNOWN;
        if (startsWith(line, at, to, CGROUP)) {
            scope = Scope.CGROUP;
            at += CGROUP.length;
        } else if (startsWith(line, at, to, NODE)) {
            scope = Scope.NODE;
            at += NODE.length;
        }
        if (scope == Scope.UNKNOWN) {
            return startsWith(line, at, to, KILLED) && killed(at + KILLED.length, to) ? Kind.KILLED : Kind.OTHER;
        }
        if (startsWith(line, at, to, NO_PROCESSES)) {
            return Kind.NOBODY;
        }
        if (startsWith(line, at, to, ALLOCATING)) {
            at += ALLOCATING.length;
        } else if (startsWith(line, at, to, COLON)) {
            at += COLON.length;
        } else {
            return Kind.OTHER;
        }
        if (startsWith(line, at, to, KILLED)) {
            return killed(at + KILLED.length, to) ? Kind.KILLED : Kind.OTHER;
        }
        return startsWith(line, at, to, CHOSEN) && chosen(at + CHOSEN.length, to) ? Kind.CHOSEN : Kind.OTHER;
    }

    private boolean killed(int from, int to) {
        int sizes = lastIndexOf(text, from, to, TOTAL_VM);
        if (sizes < 0 || !pidAndCommandBegin(from, sizes)) {
            return false;
        }
        uid = number(UID, sizes, to);
        if (text[sizes - 1] == ')') {
            commandTo = sizes - 1;
        } else {
            int rhel = lastIndexOf(text, commandFrom, sizes, RHEL_UID);
            if (rhel < 0) {
                return false;
            }
            commandTo = rhel;
            uid = number(RHEL_UID, rhel, sizes);
        }
        if (commandTo < commandFrom) {
            return false;
        }
        anonRss = bytes(ANON_RSS, sizes, to);
        fileRss = bytes(FILE_RSS, sizes, to);
        shmemRss = bytes(SHMEM_RSS, sizes, to);
        oomScoreAdj = number(OOM_SCORE_ADJ, sizes, to);
        return true;
    }

    private boolean chosen(int from, int to) {
        int score = lastIndexOf(text, from, to, SCORE);
        return score >= 0 && pidAndCommandBegin(from, score);
    }

    private boolean pidAndCommandBegin(int from, int to) {
        int end = endOfDigits(text, from, to);
        long number = Value.parse(text, from, end);
        if (number <= 0 || number > Integer.MAX_VALUE || !startsWith(text, end, to, COMMAND)) {
            return false;
        }
        pid = (int) number;
        commandFrom = end + COMMAND.length;
        return true;
    }

    private long bytes(byte[] key, int from, int to) {
        int at = indexOf(text, from, to, key);
        if (at < 0) {
            return Value.ABSENT;
        }
        int end = endOfDigits(text, at + key.length, to);
        long kilobytes = Value.parse(text, at + key.length, end);
        return startsWith(text, end, to, KILOBYTES) && kilobytes <= MOST_KILOBYTES && kilobytes >= 0
                ? kilobytes * 1_024
                : Value.ABSENT;
    }

    /** A number up to the next blank or comma. */
    private long number(byte[] key, int from, int to) {
        int at = indexOf(text, from, to, key);
        if (at < 0) {
            return Value.ABSENT;
        }
        int begin = at + key.length;
        int end = begin;
        while (end < to && text[end] != ' ' && text[end] != ',') {
            end++;
        }
        return Value.parse(text, begin, end);
    }

    /** UNKNOWN where the line does not say it. */
    Scope scope() {
        return scope;
    }

    int pid() {
        return pid;
    }

    String command() {
        return EscapedText.unescaped(text, commandFrom, commandTo);
    }

    long uid() {
        return uid;
    }

    long oomScoreAdj() {
        return oomScoreAdj;
    }

    long anonRss() {
        return anonRss;
    }

    long fileRss() {
        return fileRss;
    }

    long shmemRss() {
        return shmemRss;
    }
}
