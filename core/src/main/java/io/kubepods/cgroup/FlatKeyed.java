package io.kubepods.cgroup;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A flat-keyed file: lines of {@code KEY VALUE} (Documentation/admin-guide/cgroup-v2.rst, "Format"). The keys are the
 * names of an enum's constants, in lower case; any other key is skipped, because every kernel may add some, in the middle
 * too.
 *
 * <p>A kernel writes its keys always in the same order, so the search begins after the last key found: parsing a
 * memory.stat compares each line with one name.
 */
public final class FlatKeyed<K extends Enum<K>> extends InterfaceFile {
    private final Keys<K> keys;
    private final long[] values;
    private int unknownKeys;

    FlatKeyed(Keys<K> keys) {
        this.keys = keys;
        values = new long[keys.names.length];
        clear();
    }

    /** The value of a key, in the unit of the key's description; {@link Value#ABSENT} if the file did not have it. */
    public long get(K key) {
        return values[key.ordinal()];
    }

    @Override
    public void clear() {
        Arrays.fill(values, Value.ABSENT);
        unknownKeys = 0;
    }

    @Override
    public int unknownKeys() {
        return unknownKeys;
    }

    @Override
    public boolean parse(byte[] text, int length) {
        clear();
        boolean wellFormed = true;
        int next = 0;
        for (int line = 0; line < length; ) {
            int end = endOfLine(text, line, length);
            int keyEnd = endOfWord(text, line, end);
            int key = keys.find(next, text, line, keyEnd);
            if (key >= 0) {
                next = key + 1;
                // A line without its newline is cut: 12 of 1234 is not a value.
                long value = end < length && keyEnd < end ? Value.parse(text, keyEnd + 1, end) : Value.ABSENT;
                values[key] = value;
                wellFormed &= value != Value.ABSENT;
            } else if (keyEnd < end && keyEnd > line) {
                unknownKeys++;
            } else {
                wellFormed = false;
            }
            line = end + 1;
        }
        return wellFormed;
    }

    /** The keys of one kind of file, made once and shared by the files of all cgroups. */
    static final class Keys<K extends Enum<K>> {
        private final byte[][] names;

        Keys(Class<K> keys) {
            K[] constants = keys.getEnumConstants();
            names = new byte[constants.length][];
            for (K constant : constants) {
                names[constant.ordinal()] =
                        constant.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
            }
        }

        /** Looks for a key, first where it is expected, then everywhere; -1 if there is none. */
        int find(int expected, byte[] text, int from, int to) {
            int count = names.length;
            for (int i = 0, at = expected; i < count; i++, at++) {
                if (at >= count) {
                    at -= count;
                }
                byte[] name = names[at];
                if (name.length == to - from && Arrays.equals(name, 0, name.length, text, from, to)) {
                    return at;
                }
            }
            return -1;
        }
    }
}
