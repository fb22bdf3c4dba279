package io.kubepods.agent.demo;

import java.util.List;

/** The content of a flat-keyed interface file: keys in the kernel's order, a number each. */
final class FlatKeyed {
    private final List<String> keys;
    private final long[] values;

    FlatKeyed(List<String> keys) {
        this.keys = keys;
        values = new long[keys.size()];
    }

    long get(String key) {
        return values[keys.indexOf(key)];
    }

    void set(String key, long value) {
        values[keys.indexOf(key)] = value;
    }

    void add(String key, long delta) {
        values[keys.indexOf(key)] += delta;
    }

    /** Adds the other's values of the keys number from (inclusive) to to (exclusive). */
    void addRange(FlatKeyed other, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] += other.values[i];
        }
    }

    void copyFrom(FlatKeyed other) {
        System.arraycopy(other.values, 0, values, 0, values.length);
    }

    /** All keys with their values: {@code nr_periods 21\n} in most files, {@code rios=192 } in io.stat. */
    String text(char separator, char end) {
        StringBuilder text = new StringBuilder(values.length * 24);
        for (int i = 0; i < values.length; i++) {
            text.append(keys.get(i)).append(separator).append(values[i]).append(end);
        }
        return text.toString();
    }
}
