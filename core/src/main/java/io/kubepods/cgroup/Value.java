package io.kubepods.cgroup;

/**
 * The numbers of interface files are {@code long}s in the kernel's own units, with two values apart: {@link #ABSENT} where
 * the kernel says nothing, and {@link #MAX} where it says {@code max}.
 */
public final class Value {
    /** No value: the file, the key or the controller is not there, or what is there is no number. Never 0. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** The word {@code max}: no limit. */
    public static final long MAX = Long.MAX_VALUE;

    private Value() {}

    /** Whether there is a number: neither absent nor {@code max}. */
    public static boolean isNumber(long value) {
        return value != ABSENT && value != MAX;
    }

    /**
     * Reads a decimal number with an optional minus, all of {@code from} to {@code to}.
     *
     * @return {@link #ABSENT} when it is empty, holds anything else, or does not fit into 63 bits
     */
    public static long parse(byte[] bytes, int from, int to) {
        int at = from;
        boolean negative = at < to && bytes[at] == '-';
        if (negative) {
            at++;
        }
        if (at == to || to - at > 19) {
            return ABSENT;
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                return ABSENT;
            }
            value = value * 10 + digit;
        }
        // 19 digits overflow at most once, into the sign.
        if (value < 0) {
            return ABSENT;
        }
        return negative ? -value : value;
    }

    /** As {@link #parse}, and {@code max} gives {@link #MAX}. */
    static long parseLimit(byte[] bytes, int from, int to) {
        return to - from == 3 && bytes[from] == 'm' && bytes[from + 1] == 'a' && bytes[from + 2] == 'x'
                ? MAX
                : parse(bytes, from, to);
    }
}
