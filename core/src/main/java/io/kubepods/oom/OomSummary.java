package io.kubepods.oom;

import static io.kubepods.oom.EscapedText.indexOf;
import static io.kubepods.oom.EscapedText.lastIndexOf;
import static io.kubepods.oom.EscapedText.startsWith;
import static io.kubepods.oom.EscapedText.unescaped;
import static io.kubepods.oom.EscapedText.word;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Scope;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The line that says where the victim was and which limit was hit: since Linux 5.0 (mm/oom_kill.c, {@code
 * dump_oom_summary}), and before that, for a cgroup's limit only (mm/memcontrol.c, {@code mem_cgroup_print_oom_info}).
 *
 * <pre>
 * oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=c,mems_allowed=0-1,oom_memcg=/a,task_memcg=/a/c,task=java,pid=157,uid=0
 * oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=c,mems_allowed=0-1,global_oom,task_memcg=/a/c,task=java,pid=157,uid=0
 * Task in /a/c killed as a result of limit of /a
 * </pre>
 *
 * <p>The constraint is not looked at: Linux 5.0 and 5.1 print CONSTRAINT_NONE for a cgroup's limit too. The cpuset is that
 * of whoever asked for memory. Names of processes and cgroups may hold anything, this line's own words too, so:
 *
 * <ul>
 *   <li>the pid and the uid are the last; the process's name begins where it is not too long for one;
 *   <li>the cpuset is one name, without a slash, and a path begins with one: the first keyword with a slash is real;
 *   <li>of several ways to tell the two paths apart, the one counts in which the process is below the limit. No cgroup can be
 *       named so that the process seems to be in another's.
 * </ul>
 *
 * @param oomMemcg null when it was not a cgroup's limit
 * @param pid 0 where the line does not say it
 * @param uid {@link Value#ABSENT} where the line does not say it
 */
record OomSummary(Scope scope, @Nullable String oomMemcg, String taskMemcg, int pid, long uid) {
    private static final byte[] BEGIN = word("oom-kill:constraint=");
    private static final byte[] OOM_MEMCG = word(",oom_memcg=/");
    private static final byte[] GLOBAL = word(",global_oom,task_memcg=/");
    private static final byte[] TASK_MEMCG = word(",task_memcg=/");
    private static final byte[] TASK = word(",task=");
    private static final byte[] PID = word(",pid=");
    private static final byte[] UID = word(",uid=");

    private static final byte[] OLD_BEGIN = word("Task in /");
    private static final byte[] OLD_LIMIT = word(" killed as a result of limit of /");

    /** Whether a line is a summary, or the beginning of one. */
    static boolean begins(byte[] line, int from, int to) {
        return startsWith(line, from, to, BEGIN) || startsWith(line, from, to, OLD_BEGIN);
    }

    /** @return null when it is none, or not whole */
    static @Nullable OomSummary parse(byte[] line, int length) {
        if (startsWith(line, 0, length, OLD_BEGIN)) {
            return parseOld(line, length);
        }
        return startsWith(line, 0, length, BEGIN) ? parseNew(line, length) : null;
    }

    /** Whether this is the form that does not say which process. */
    boolean isOld() {
        return pid == 0;
    }

    private static @Nullable OomSummary parseNew(byte[] line, int length) {
        int uidAt = lastIndexOf(line, 0, length, UID);
        int pidAt = lastIndexOf(line, 0, uidAt, PID);
        int oomAt = indexOf(line, 0, length, OOM_MEMCG);
        int globalAt = indexOf(line, 0, length, GLOBAL);
        boolean isGlobal = globalAt >= 0 && (oomAt < 0 || globalAt < oomAt);
        int pathsAt = isGlobal ? globalAt : oomAt;
        if (pidAt < 0 || pathsAt < 0) {
            return null;
        }
        long uid = Value.parse(line, uidAt + UID.length, length);
        long pid = Value.parse(line, pidAt + PID.length, uidAt);
        if (uid == Value.ABSENT || pid <= 0 || pid > Integer.MAX_VALUE) {
            return null;
        }
        int firstTaskMemcg = indexOf(line, pathsAt, pidAt, TASK_MEMCG);
        int taskAt = firstTaskMemcg < 0 ? -1 : commandAt(line, firstTaskMemcg, pidAt);
        if (taskAt < 0) {
            return null;
        }
        if (isGlobal) {
            String task = unescaped(line, firstTaskMemcg + TASK_MEMCG.length - 1, taskAt);
            return new OomSummary(Scope.NODE, null, task, (int) pid, uid);
        }
        int oomFrom = oomAt + OOM_MEMCG.length - 1;
        int split = split(line, oomFrom, taskAt, TASK_MEMCG, true);
        if (split < 0) {
            return null;
        }
        String oom = unescaped(line, oomFrom, split);
        String task = unescaped(line, split + TASK_MEMCG.length - 1, taskAt);
        return new OomSummary(Scope.CGROUP, oom, task, (int) pid, uid);
    }

    private static @Nullable OomSummary parseOld(byte[] line, int length) {
        int from = OLD_BEGIN.length - 1;
        int split = split(line, from, length, OLD_LIMIT, false);
        if (split < 0) {
            return null;
        }
        String task = unescaped(line, from, split);
        String oom = unescaped(line, split + OLD_LIMIT.length - 1, length);
        return new OomSummary(Scope.CGROUP, oom, task, 0, Value.ABSENT);
    }

    private static int commandAt(byte[] line, int from, int to) {
        int at = indexOf(line, from, to, TASK);
        while (at >= 0 && !EscapedText.canBeCommand(line, at + TASK.length, to)) {
            at = indexOf(line, at + 1, to, TASK);
        }
        return at;
    }

    /**
     * Where the word is that divides two paths, of which one is the other's or below it; the word's end is the second's slash.
     */
    private static int split(byte[] line, int from, int to, byte[] word, boolean limitIsFirst) {
        int at = indexOf(line, from, to, word);
        while (at >= 0) {
            int second = at + word.length - 1;
            boolean fits = limitIsFirst ? isBelow(line, second, to, from, at) : isBelow(line, from, at, second, to);
            if (fits) {
                return at;
            }
            at = indexOf(line, at + 1, to, word);
        }
        return -1;
    }

    private static boolean isBelow(byte[] line, int from, int to, int limitFrom, int limitTo) {
        int length = limitTo - limitFrom;
        if (to - from < length || !Arrays.equals(line, from, from + length, line, limitFrom, limitTo)) {
            return false;
        }
        return from + length == to || line[from + length] == '/' || length == 1;
    }
}
