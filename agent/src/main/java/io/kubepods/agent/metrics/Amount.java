package io.kubepods.agent.metrics;

import io.kubepods.cgroup.Value;

/** From the kernel's units to Prometheus' base units. Absent becomes NaN, which is no series. */
final class Amount {
    private static final double MICROS_PER_SECOND = 1e6;

    private Amount() {}

    /** A count or bytes. A count that is negative is none. */
    static double of(long value) {
        return value < 0 ? Double.NaN : value;
    }

    /** Microseconds as seconds. */
    static double seconds(long micros) {
        return micros < 0 ? Double.NaN : micros / MICROS_PER_SECOND;
    }

    /** A limit: {@code max} is no limit, and no series. */
    static double limit(long value) {
        return value == Value.MAX ? Double.NaN : of(value);
    }

    /** A number that may be negative. */
    static double signed(long value) {
        return value == Value.ABSENT ? Double.NaN : value;
    }
}
