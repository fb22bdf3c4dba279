package io.kubepods.cgroup;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The machine's /proc/meminfo, of which two lines are used (Documentation/filesystems/proc.rst).
 *
 * <pre>
 * MemTotal:        8129684 kB
 * MemAvailable:    6879790 kB
 * </pre>
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class MemInfo {
    private static final KernelFile.Name NAME = new KernelFile.Name("meminfo");
    private static final byte[] TOTAL = "MemTotal:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AVAILABLE = "MemAvailable:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNIT = " kB\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST = 16 * 1024;

    private final KernelFile file;
    private final byte[] text = new byte[LONGEST];
    private long total = Value.ABSENT;
    private long available = Value.ABSENT;

    public MemInfo(Path procfs) {
        file = new KernelFile(new KernelDirectory(procfs), NAME, KernelFile.Use.EVERY_SCRAPE);
    }

    /** Reads it; where there is none, nothing is known. */
    public void read(KernelFiles files, ErrorCounts readErrors, ErrorCounts malformed, long now) {
        int length = files.read(file, 0, text);
        total = length < 0 ? Value.ABSENT : bytes(TOTAL, length);
        available = length < 0 ? Value.ABSENT : bytes(AVAILABLE, length);
        if (length < 0 && length != -Errno.ENOENT) {
            readErrors.count(file.name(), Errno.name(-length), file, now);
        } else if (length >= 0 && total == Value.ABSENT) {
            malformed.count(file.name(), "malformed", file, now);
        }
    }

    /** Of the line that begins with a key; a line without its end is cut. */
    private long bytes(byte[] key, int length) {
        for (int line = 0; line < length; ) {
            int end = line;
            while (end < length && text[end] != '\n') {
                end++;
            }
            if (is(key, line, end)) {
                int from = line + key.length;
                while (from < end && text[from] == ' ') {
                    from++;
                }
                int to = end + 1 - UNIT.length;
                long kilobytes = to > from && end < length && is(UNIT, to, end + 1) ? Value.parse(text, from, to) : -1;
                return kilobytes < 0 || kilobytes > Long.MAX_VALUE / 1_024 ? Value.ABSENT : kilobytes * 1_024;
            }
            line = end + 1;
        }
        return Value.ABSENT;
    }

    private boolean is(byte[] word, int from, int to) {
        return to - from >= word.length && Arrays.equals(word, 0, word.length, text, from, from + word.length);
    }

    /** Bytes of memory that the kernel has; {@link Value#ABSENT} when it is not known. */
    public long total() {
        return total;
    }

    /** Bytes that new processes could have, as the kernel estimates; {@link Value#ABSENT} likewise. */
    public long available() {
        return available;
    }
}
