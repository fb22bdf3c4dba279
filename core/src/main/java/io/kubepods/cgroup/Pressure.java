package io.kubepods.cgroup;

/**
 * cpu.pressure, memory.pressure, io.pressure: pressure stall information (Documentation/accounting/psi.rst; since Linux
 * 4.20; cpu.pressure has its {@code full} line since 5.13).
 *
 * <pre>
 * some avg10=37.27 avg60=8.04 avg300=1.73 total=6315536
 * full avg10=37.27 avg60=8.04 avg300=1.73 total=6315536
 * </pre>
 *
 * <p>Only the totals are taken: an average over a window of the kernel's choosing cannot be averaged again.
 */
public final class Pressure extends InterfaceFile {
    private long some = Value.ABSENT;
    private long full = Value.ABSENT;

    Pressure() {}

    /** Microseconds in which at least one task waited. */
    public long someMicros() {
        return some;
    }

    /** Microseconds in which all tasks that were not idle waited at once. */
    public long fullMicros() {
        return full;
    }

    @Override
    public void clear() {
        some = Value.ABSENT;
        full = Value.ABSENT;
    }

    @Override
    public boolean parse(byte[] text, int length) {
        clear();
        boolean wellFormed = true;
        for (int line = 0; line < length; ) {
            int end = endOfLine(text, line, length);
            boolean isSome = startsWith(text, line, end, SOME);
            if (isSome || startsWith(text, line, end, FULL)) {
                long total = end < length ? total(text, line, end) : Value.ABSENT;
                if (isSome) {
                    some = total;
                } else {
                    full = total;
                }
                wellFormed &= total != Value.ABSENT;
            } else {
                wellFormed = false;
            }
            line = end + 1;
        }
        return wellFormed && length > 0;
    }

    private static final byte[] SOME = {'s', 'o', 'm', 'e', ' '};
    private static final byte[] FULL = {'f', 'u', 'l', 'l', ' '};
    private static final byte[] TOTAL = {'t', 'o', 't', 'a', 'l', '='};

    private static long total(byte[] text, int from, int to) {
        for (int word = from; word < to; word = endOfWord(text, word, to) + 1) {
            if (startsWith(text, word, to, TOTAL)) {
                long total = Value.parse(text, word + TOTAL.length, endOfWord(text, word, to));
                return total < 0 ? Value.ABSENT : total;
            }
        }
        return Value.ABSENT;
    }

    private static boolean startsWith(byte[] text, int from, int to, byte[] prefix) {
        if (to - from < prefix.length) {
            return false;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (text[from + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
