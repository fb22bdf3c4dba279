package io.kubepods.oom;

import static io.kubepods.oom.EscapedText.endOfDigits;
import static io.kubepods.oom.EscapedText.indexOf;
import static io.kubepods.oom.EscapedText.startsWith;
import static io.kubepods.oom.EscapedText.word;

import io.kubepods.cgroup.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a report that say what was charged to the cgroup whose limit was hit (mm/memcontrol.c, {@code
 * mem_cgroup_print_oom_meminfo}), and the beginning of its memory.stat: up to Linux 6.2 in one record, cut off after some
 * 1,000 bytes; later a record for each.
 *
 * <pre>
 * memory: usage 32768kB, limit 32768kB, failcnt 85
 * anon 33079296\x0afile 0\x0akernel 229376\x0a…
 * </pre>
 */
final class MemoryLines {
    private static final byte[] USAGE = word("memory: usage ");
    private static final byte[] LIMIT = word("kB, limit ");
    private static final byte[] FAILURES = word("kB, failcnt ");
    private static final byte[] LINE_END = word("\\x0a");
    private static final byte[][] KEYS = {word("anon "), word("file "), word("shmem "), word("kernel ")};

    /** What is printed for no limit is more: the largest number of pages there can be. */
    private static final long MOST_KILOBYTES = Long.MAX_VALUE / 1_024 / 2;

    private long usage = Value.ABSENT;
    private long limit = Value.ABSENT;
    private final long[] stat = new long[KEYS.length];

    void clear() {
        usage = Value.ABSENT;
    }

    /** Takes a line of a report. */
    void take(byte[] text, int from, int to) {
        if (startsWith(text, from, to, USAGE)) {
            takeUsage(text, from + USAGE.length, to);
        } else if (usage != Value.ABSENT) {
            takeStat(text, from, to);
        }
    }

    private void takeUsage(byte[] text, int from, int to) {
        int endOfUsage = endOfDigits(text, from, to);
        if (!startsWith(text, endOfUsage, to, LIMIT)) {
            return;
        }
        int limitFrom = endOfUsage + LIMIT.length;
        int endOfLimit = endOfDigits(text, limitFrom, to);
        if (startsWith(text, endOfLimit, to, FAILURES)) {
            usage = bytes(text, from, endOfUsage);
            limit = bytes(text, limitFrom, endOfLimit);
            Arrays.fill(stat, Value.ABSENT);
        }
    }

    private static long bytes(byte[] text, int from, int to) {
        long kilobytes = Value.parse(text, from, to);
        return kilobytes >= 0 && kilobytes < MOST_KILOBYTES ? kilobytes * 1_024 : Value.ABSENT;
    }

    private void takeStat(byte[] text, int from, int to) {
        int at = from;
        int end = indexOf(text, at, to, LINE_END);
        if (end < 0) {
            takeKey(text, at, to);
            return;
        }
        while (end >= 0) { // what is behind the last line's end may be cut off
            takeKey(text, at, end);
            at = end + LINE_END.length;
            end = indexOf(text, at, to, LINE_END);
        }
    }

    private void takeKey(byte[] text, int from, int to) {
        for (int i = 0; i < KEYS.length; i++) {
            if (stat[i] == Value.ABSENT && startsWith(text, from, to, KEYS[i])) {
                stat[i] = Value.parse(text, from + KEYS[i].length, to);
            }
        }
    }

    /** What was said; null when nothing was. */
    @Nullable
    OomMemory memory() {
        return usage == Value.ABSENT ? null : new OomMemory(usage, limit, stat[0], stat[1], stat[2], stat[3]);
    }
}
