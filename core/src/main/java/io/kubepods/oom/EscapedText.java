package io.kubepods.oom;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of a record: printable ASCII, in which every other byte and the backslash are {@code \xHH}. It is searched as it
 * is, so that no name in it can have a line end or a byte of its own; what is found is then unescaped.
 */
final class EscapedText {
    /** A process's name: TASK_COMM_LEN, without the zero. */
    private static final int LONGEST_COMMAND = 15;

    private static final int ESCAPE = 4;

    private EscapedText() {}

    static byte[] word(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    static boolean startsWith(byte[] text, int from, int to, byte[] word) {
        return to - from >= word.length && Arrays.equals(text, from, from + word.length, word, 0, word.length);
    }

    /** Where {@code word} is first, or -1. */
    static int indexOf(byte[] text, int from, int to, byte[] word) {
        for (int at = from; at <= to - word.length; at++) {
            if (startsWith(text, at, to, word)) {
                return at;
            }
        }
        return -1;
    }

    /** Where {@code word} is last, or -1. */
    static int lastIndexOf(byte[] text, int from, int to, byte[] word) {
        for (int at = to - word.length; at >= from; at--) {
            if (startsWith(text, at, to, word)) {
                return at;
            }
        }
        return -1;
    }

    /** Where the decimal digits end that begin at {@code from}. */
    static int endOfDigits(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }

    /** Whether it can be a process's name: an unescaped text that is not longer than the kernel's. */
    static boolean canBeCommand(byte[] text, int from, int to) {
        int length = 0;
        for (int at = from; at < to && length <= LONGEST_COMMAND; length++) {
            at += escaped(text, at, to) < 0 ? 1 : ESCAPE;
        }
        return length <= LONGEST_COMMAND;
    }

    static String unescaped(byte[] text, int from, int to) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(to - from);
        for (int at = from; at < to; ) {
            int escaped = escaped(text, at, to);
            bytes.write(escaped < 0 ? text[at] : escaped);
            at += escaped < 0 ? 1 : ESCAPE;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The byte that is escaped at {@code at}, or -1. */
    private static int escaped(byte[] text, int at, int to) {
        if (to - at < ESCAPE || text[at] != '\\' || text[at + 1] != 'x') {
            return -1;
        }
        int high = Character.digit(text[at + 2], 16);
        int low = Character.digit(text[at + 3], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
