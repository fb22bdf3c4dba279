package io.kubepods.cgroup;

/**
 * cpu.max: how much CPU time the cgroup gets in each period (Documentation/admin-guide/cgroup-v2.rst, "CPU Interface
 * Files"; since Linux 4.15).
 *
 * <pre>
 * 20000 100000
 * max 100000
 * </pre>
 *
 * <p>The kernel itself doubles quota and period together when its period timer cannot keep up, so the quotient is the limit.
 */
public final class CpuMax extends InterfaceFile {
    private long quota = Value.ABSENT;
    private long period = Value.ABSENT;

    CpuMax() {}

    /** Microseconds of CPU time in a period; {@link Value#MAX} without a limit. */
    public long quotaMicros() {
        return quota;
    }

    /** Microseconds of wall time. */
    public long periodMicros() {
        return period;
    }

    /** Whether there is a limit. */
    public boolean hasQuota() {
        return Value.isNumber(quota);
    }

    /** The limit in cores; NaN without one. */
    public double cores() {
        return hasQuota() ? (double) quota / period : Double.NaN;
    }

    @Override
    public void clear() {
        quota = Value.ABSENT;
        period = Value.ABSENT;
    }

    @Override
    public boolean parse(byte[] text, int length) {
        clear();
        int end = endOfLine(text, 0, length);
        int middle = endOfWord(text, 0, end);
        if (end != length - 1 || middle == end) {
            return false;
        }
        long parsedQuota = Value.parseLimit(text, 0, middle);
        long parsedPeriod = Value.parse(text, middle + 1, end);
        if (parsedQuota < 0 || parsedPeriod <= 0) {
            return false;
        }
        quota = parsedQuota;
        period = parsedPeriod;
        return true;
    }
}
