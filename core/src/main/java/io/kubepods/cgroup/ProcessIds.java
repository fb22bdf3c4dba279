package io.kubepods.cgroup;

import java.util.Arrays;

/**
 * cgroup.procs: a process id a line, as the reader's own pid namespace knows it, and 0 for a process that is not in it
 * (Documentation/admin-guide/cgroup-v2.rst, "Core Interface Files"). The order means nothing.
 *
 * <pre>
 * 4711
 * 4712
 * </pre>
 *
 * <p>The kernel gives it in pieces of about 4 KiB, which may end in the middle of a number.
 */
final class ProcessIds {
    private int[] pids = new int[16];
    private int size;
    private boolean outside;
    private boolean wellFormed;
    private long number;
    private int digits;
    private boolean skipsLine;

    /** Begins anew. */
    void clear() {
        size = 0;
        outside = false;
        beginLine();
        wellFormed = true;
    }

    private void beginLine() {
        number = 0;
        digits = 0;
        skipsLine = false;
    }

    /** Takes the next piece of the file. A line that is no process id is skipped, and said at the end. */
    void parse(byte[] text, int length) {
        for (int at = 0; at < length; at++) {
            int digit = text[at] - '0';
            if (text[at] == '\n') {
                if (skipsLine || digits == 0) {
                    wellFormed = false;
                } else {
                    add(number);
                }
                beginLine();
            } else if (digit >= 0 && digit <= 9 && digits < 10) {
                number = number * 10 + digit;
                digits++;
            } else {
                skipsLine = true;
            }
        }
    }

    /** Ends one file, so that another may add to it; false when something in it was no process id. */
    boolean end() {
        boolean ended = wellFormed && digits == 0 && !skipsLine;
        beginLine();
        wellFormed = true;
        return ended;
    }

    private void add(long pid) {
        if (pid == 0) {
            outside = true;
        } else if (pid > Integer.MAX_VALUE) {
            wellFormed = false;
        } else {
            if (size == pids.length) {
                pids = Arrays.copyOf(pids, size * 2);
            }
            pids[size++] = (int) pid;
        }
    }

    int size() {
        return size;
    }

    int get(int index) {
        return pids[index];
    }

    boolean contains(int pid) {
        for (int i = 0; i < size; i++) {
            if (pids[i] == pid) {
                return true;
            }
        }
        return false;
    }

    /** Whether some process was 0: this agent's pid namespace does not contain the node's processes. */
    boolean isOutsideOurNamespace() {
        return outside;
    }
}
