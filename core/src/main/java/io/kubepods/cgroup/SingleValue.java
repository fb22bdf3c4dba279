package io.kubepods.cgroup;

/** A file of one number or the word {@code max}: memory.current, memory.max, cpu.weight, pids.current, … */
public final class SingleValue extends InterfaceFile {
    private long value = Value.ABSENT;

    SingleValue() {}

    /** The number in the file's unit, {@link Value#MAX} for {@code max}, or {@link Value#ABSENT}. */
    public long get() {
        return value;
    }

    @Override
    public void clear() {
        value = Value.ABSENT;
    }

    @Override
    public boolean parse(byte[] text, int length) {
        int end = endOfLine(text, 0, length);
        value = end == length - 1 ? Value.parseLimit(text, 0, end) : Value.ABSENT;
        return value != Value.ABSENT;
    }
}
