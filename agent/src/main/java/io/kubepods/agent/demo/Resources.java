package io.kubepods.agent.demo;

/**
 * CPU (in thousandths) and memory (in bytes) of a container's or a pod's spec, 0 where it says nothing; and what the
 * kubelet and runc write for them.
 */
record Resources(long requestMilli, long limitMilli, long requestMemory, long limitMemory) {
    static final Resources NONE = new Resources(0, 0, 0, 0);
    static final long PERIOD_USEC = 100_000;
    static final long PAGE = 4096;

    private static final long MIN_SHARES = 2;
    private static final long MAX_SHARES = 262_144;

    static Resources of(long requestMilli, long limitMilli, long requestMi, long limitMi) {
        return new Resources(requestMilli, limitMilli, requestMi << 20, limitMi << 20);
    }

    /** The sum for a pod, which has a limit only where every container has one. */
    Resources plus(Resources other) {
        return new Resources(
                requestMilli + other.requestMilli,
                limitMilli == 0 || other.limitMilli == 0 ? 0 : limitMilli + other.limitMilli,
                requestMemory + other.requestMemory,
                limitMemory == 0 || other.limitMemory == 0 ? 0 : limitMemory + other.limitMemory);
    }

    boolean isGuaranteed() {
        return limitMilli > 0 && limitMemory > 0 && limitMilli == requestMilli && limitMemory == requestMemory;
    }

    /** Of cpu.max, per 100 ms; 0 is none. The demo's limits are multiples of 10m, which systemd does not round up. */
    long quotaUsec() {
        return limitMilli == 0 ? 0 : Math.max(limitMilli * PERIOD_USEC / 1000, 1000);
    }

    /** Of memory.max, which the kernel truncates to pages; 0 is none. */
    long memoryMax() {
        return limitMemory / PAGE * PAGE;
    }

    /** cpu.weight of a pod, QoS or kubepods slice: the kubelet converts shares linearly. */
    long sliceWeight() {
        return 1 + (shares() - MIN_SHARES) * 9999 / (MAX_SHARES - MIN_SHARES);
    }

    /** cpu.weight of a scope: runc from 1.3.2 on has a curve through (2, 1), (1024, 100) and (262144, 10000). */
    long scopeWeight() {
        if (shares() == MIN_SHARES) {
            return 1;
        }
        double log = Math.log((double) shares()) / Math.log(2);
        return (long) Math.ceil(Math.pow(10, (log * log + 125 * log) / 612 - 7.0 / 34));
    }

    private long shares() {
        return Math.max(MIN_SHARES, Math.min(MAX_SHARES, requestMilli * 1024 / 1000));
    }
}
