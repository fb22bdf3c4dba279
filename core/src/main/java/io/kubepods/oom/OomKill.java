package io.kubepods.oom;

import io.kubepods.cgroup.Value;
import org.jspecify.annotations.Nullable;

/**
 * One line of the kernel's log that says a process was killed, with what the lines before it say. Bytes, and
 * {@link Value#ABSENT} for a number that the kernel did not print.
 *
 * <p>The kernel prints at most ten reports in five seconds, but every kill: then there are no paths, unless the whole cgroup
 * was killed (memory.oom.group).
 *
 * @param sequence the record's number, unique for one boot
 * @param report the number of the report's first record: the same for all kills of one OOM, another for every other
 * @param timestampUsec since boot, by the log's own clock
 * @param pid as the first pid namespace knows it
 * @param command the process's name, which it chose itself: anything, up to 15 bytes
 * @param uid as it was printed, from Linux 5.4 in the kill's own line, before that in the summary; may be negative there
 * @param oomScoreAdj since Linux 5.4
 * @param shmemRss since Linux 4.5
 * @param oomMemcg the cgroup whose limit was hit, by its path from the root of the hierarchy; null when it was the node's
 *     memory, or is not known
 * @param taskMemcg the process's cgroup, or for one killed with its group, that group's, which is the same or above; null
 *     when it is not known
 * @param memory what was charged to {@code oomMemcg}; null when it is not known
 */
public record OomKill(
        long sequence,
        long report,
        long timestampUsec,
        Role role,
        Scope scope,
        int pid,
        String command,
        long uid,
        long oomScoreAdj,
        long anonRss,
        long fileRss,
        long shmemRss,
        @Nullable String oomMemcg,
        @Nullable String taskMemcg,
        @Nullable OomMemory memory) {

    /** Why this process. */
    public enum Role {
        /** The kernel chose it. */
        VICTIM,
        /**
         * It went with the victim, by memory.oom.group. It is told by the order of lines: while the kernel holds back reports, a
         * victim without a group may look like a member of the group killed just before. Its pid knows better.
         */
        MEMBER,
        /** It was killed before, in the same report: a group kill prints its victim, mostly, twice. No other process. */
        AGAIN
    }

    /** What ran out of memory. */
    public enum Scope {
        /** A cgroup, at its memory.max or an ancestor's. */
        CGROUP,
        /** The node, or a part of it: CONSTRAINT_CPUSET, CONSTRAINT_MEMORY_POLICY. */
        NODE,
        /** Before Linux 5.2 the line that says so is another, and may be lost. */
        UNKNOWN
    }

    OomKill inCgroup(String path) {
        return as(report, role, oomMemcg, path, memory);
    }

    /** The same process as the victim of a report of its own. */
    OomKill asVictim(String path) {
        return as(sequence, Role.VICTIM, null, path, null);
    }

    private OomKill as(
            long newReport, Role newRole, @Nullable String newOomMemcg, String path, @Nullable OomMemory newMemory) {
        return new OomKill(
                sequence,
                newReport,
                timestampUsec,
                newRole,
                scope,
                pid,
                command,
                uid,
                oomScoreAdj,
                anonRss,
                fileRss,
                shmemRss,
                newOomMemcg,
                path,
                newMemory);
    }
}
