package io.kubepods.oom;

import io.kubepods.cgroup.Value;

/**
 * One record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg): priority, sequence, microseconds since boot, flags, fields
 * that later kernels add; behind the semicolon the text, one line; behind that a line for each of the record's properties,
 * which are not looked at.
 *
 * <pre>
 * 6,392,4393760,-,caller=T9694;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),…
 * 4,393,4393801,-;usb 1-1: reset
 *  SUBSYSTEM=usb
 * </pre>
 *
 * <p>The text is escaped: see {@link EscapedText}. One object serves all records.
 */
final class KmsgRecord {
    /** The levels of one facility; the kernel's own is facility 0. What user space writes never has that one. */
    private static final int LEVELS = 8;

    private byte[] bytes = {};
    private long priority;
    private long sequence;
    private long timestampUsec;
    private boolean isFragment;
    private int from;
    private int to;

    /**
     * Takes the record in the first {@code length} bytes, which are used until the next is parsed.
     *
     * @return false when it is none, or not whole
     */
    boolean parse(byte[] record, int length) {
        bytes = record;
        from = 0;
        to = 0;
        int priorityEnd = find(',', 0, length);
        int sequenceEnd = find(',', priorityEnd + 1, length);
        int timestampEnd = find(',', sequenceEnd + 1, length);
        int headerEnd = find(';', timestampEnd + 1, length);
        int textEnd = find('\n', headerEnd + 1, length);
        if (textEnd >= length || timestampEnd + 1 >= headerEnd) {
            return false;
        }
        priority = Value.parse(record, 0, priorityEnd);
        sequence = Value.parse(record, priorityEnd + 1, sequenceEnd);
        timestampUsec = Value.parse(record, sequenceEnd + 1, timestampEnd);
        // c: a fragment of a line. Until Linux 4.8 the fragments that followed the first had a + instead.
        isFragment = record[timestampEnd + 1] != '-';
        if (priority < 0 || sequence < 0 || timestampUsec < 0) {
            return false;
        }
        from = headerEnd + 1;
        to = textEnd;
        return true;
    }

    private int find(char sought, int start, int length) {
        for (int at = start; at < length; at++) {
            if (bytes[at] == sought || (bytes[at] == '\n' && sought != '\n')) {
                return bytes[at] == sought ? at : length;
            }
        }
        return length;
    }

    /** Whether the kernel wrote it, and not a process: any container that may write /dev/kmsg can write any text. */
    boolean isTheKernels() {
        return priority < LEVELS;
    }

    long priority() {
        return priority;
    }

    /** One more for each record since boot. */
    long sequence() {
        return sequence;
    }

    /** Since boot, without the time suspended; close to CLOCK_MONOTONIC, and not the same. */
    long timestampUsec() {
        return timestampUsec;
    }

    /** Whether it goes on with a line that another record began. Others may be between the two. */
    boolean isFragment() {
        return isFragment;
    }

    /** What {@link #from} and {@link #to} are in. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the text begins. */
    int from() {
        return from;
    }

    /** Where it ends, without the newline. */
    int to() {
        return to;
    }
}
