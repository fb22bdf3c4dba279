package io.kubepods.oom;

import static io.kubepods.oom.EscapedText.startsWith;
import static io.kubepods.oom.EscapedText.word;

import org.jspecify.annotations.Nullable;

/**
 * The line between the victim's and those of the others that go with it (mm/memcontrol.c, {@code
 * mem_cgroup_print_oom_group}, since Linux 4.19). It is always printed, however many reports are held back.
 *
 * <pre>
 * Tasks in /a/c are going to be killed due to memory.oom.group set
 * </pre>
 */
final class GroupLine {
    private static final byte[] BEGIN = word("Tasks in /");
    private static final byte[] END = word(" are going to be killed due to memory.oom.group set");

    private GroupLine() {}

    /** Whether it is this line, or the beginning of one. */
    static boolean begins(byte[] line, int from, int to) {
        return startsWith(line, from, to, BEGIN);
    }

    /** The cgroup whose processes are killed; null when it is another line, or not whole. */
    static @Nullable String path(byte[] line, int length) {
        int end = length - END.length;
        return begins(line, 0, end) && startsWith(line, end, length, END)
                ? EscapedText.unescaped(line, BEGIN.length - 1, end)
                : null;
    }
}
