package io.kubepods.kubelet;

/**
 * From CPU in a spec to cpu.max and cpu.weight, as the kubelet, the container runtimes and systemd compute them. All numbers
 * are whole, and cut off, not rounded, where nothing else is said.
 */
public final class Cpu {
    /** In microseconds; the kubelet's setting cpuCFSQuotaPeriod changes it. */
    public static final long DEFAULT_PERIOD = 100_000;

    /** The least quota that the kernel takes, in microseconds. */
    public static final long MIN_QUOTA = 1_000;

    public static final long MIN_SHARES = 2;
    public static final long MAX_SHARES = 262_144;

    private static final long SHARES_PER_CPU = 1_024;
    private static final long MILLI = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /** systemd keeps a quota as CPU time per second, in steps of 10 ms. */
    private static final long SYSTEMD_STEP = 10_000;

    private static final long MAX_WEIGHT = 10_000;

    private Cpu() {}

    /**
     * MilliCPUToShares of pkg/kubelet/cm/helpers_linux.go (1.25 to 1.36).
     *
     * @param milliCpu thousandths of a core
     * @return shares of cgroup v1, which are what the CRI speaks of
     */
    public static long shares(long milliCpu) {
        return milliCpu <= 0
                ? MIN_SHARES
                : Math.min(MAX_SHARES, Math.max(MIN_SHARES, saturated(milliCpu, SHARES_PER_CPU) / MILLI));
    }

    /**
     * MilliCPUToQuota, in the same file.
     *
     * @param period in microseconds
     * @return microseconds of CPU time in each period; 0 for no limit
     */
    public static long quota(long milliCpu, long period) {
        return milliCpu <= 0 ? 0 : Math.max(MIN_QUOTA, saturated(milliCpu, period) / MILLI);
    }

    /**
     * What systemd makes of a quota: rounded up to one percent of a CPU (addCPUQuota of opencontainers/cgroups
     * systemd/common.go). The kubelet from 1.33.8 on, and runc from 1.3.2 on, write that to cpu.max; those before write the
     * quota itself, which systemd may change at its next daemon-reload.
     *
     * @param quota in microseconds, more than 0
     * @param period in microseconds
     */
    public static long systemdQuota(long quota, long period) {
        long perSecond = saturated(quota, MICROS_PER_SECOND) / period;
        long steps = perSecond / SYSTEMD_STEP + (perSecond % SYSTEMD_STEP == 0 ? 0 : 1);
        return saturated(steps * SYSTEMD_STEP, period) / MICROS_PER_SECOND;
    }

    /** The formula by which shares become cpu.weight. */
    public enum WeightFormula {
        /** Of KEP-2254: runc up to 1.3.1, and the kubelet itself, which makes the pods' and the slices' cgroups. */
        LINEAR,
        /** runc from 1.3.2 and crun from 1.23 on, for containers. */
        QUADRATIC;

        /** cpu.weight, from 1 to 10000, for shares of at least 2. */
        public long weight(long shares) {
            if (shares <= MIN_SHARES) {
                return 1;
            }
            if (shares >= MAX_SHARES) {
                return MAX_WEIGHT;
            }
            if (this == LINEAR) {
                return 1 + (shares - MIN_SHARES) * (MAX_WEIGHT - 1) / (MAX_SHARES - MIN_SHARES);
            }
            double log = Math.log((double) shares) / Math.log(2);
            return (long) Math.ceil(Math.pow(10, (log * log + 125 * log) / 612.0 - 7.0 / 34.0));
        }
    }

    /** A product that is too large becomes the largest number. */
    private static long saturated(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        return high == 0 && low >= 0 ? low : Long.MAX_VALUE;
    }
}
