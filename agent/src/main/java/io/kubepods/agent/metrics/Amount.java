package io.kubepods.agent.metrics;

import io.kubepods.cgroup.Value;
import io.kubepods.kubelet.Quantities;

/** From the kernel's units to Prometheus' base units. Absent becomes NaN, which is no series. */
final class Amount {
    private static final double MILLIS_PER_CORE = 1e3;
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

    /** Thousandths of a core as cores. */
    static double cores(Quantities amounts) {
        return amounts.cpuMillis() < 0 ? Double.NaN : amounts.cpuMillis() / MILLIS_PER_CORE;
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
