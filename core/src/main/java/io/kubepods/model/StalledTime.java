package io.kubepods.model;

import io.kubepods.cgroup.Value;

/**
 * For how long a container wanted to run and a quota held it, its own or any above. Since Linux 6.6 the kernel says so
 * (cpu.stat.local). Before, it is the larger of what the container and its pod booked, the pod since the container was made, if
 * that was seen: where both have a quota, either may book the larger part of one and the same wait. It only grows.
 *
 * <p>Written by the thread that holds the sampler's lock.
 */
final class StalledTime {
    private final Total local = new Total();
    private final Total own = new Total();
    private final Total pod = new Total();

    /** A counter of the kernel, which may begin anew. */
    private static final class Total {
        private long last = Value.ABSENT;
        private long sum = Value.ABSENT;

        /** @param before whether what was counted before the first reading is of it too */
        void read(long value, boolean before) {
            if (value == Value.ABSENT) {
                return;
            }
            if (sum == Value.ABSENT) {
                sum = before ? value : 0;
            } else if (last != Value.ABSENT) {
                sum += value < last ? value : value - last;
            }
            last = value;
        }
    }

    /**
     * Takes what was read; {@link Value#ABSENT} where there was nothing.
     *
     * @param podMicros by the pod's own quota
     * @param podIsOlder whether the pod may have been held before the container was there
     */
    void read(long localMicros, long ownMicros, long podMicros, boolean podIsOlder) {
        local.read(localMicros, true);
        own.read(ownMicros, true);
        pod.read(podMicros, !podIsOlder);
    }

    /** What comes next is counted elsewhere, and no difference to what came before. */
    void beginAnew() {
        local.last = Value.ABSENT;
        own.last = Value.ABSENT;
    }

    /** In microseconds, summed over CPUs; {@link Value#ABSENT} when nothing was ever read. */
    long micros() {
        // ABSENT is less than any value.
        return local.sum != Value.ABSENT ? local.sum : Math.max(own.sum, pod.sum);
    }
}
