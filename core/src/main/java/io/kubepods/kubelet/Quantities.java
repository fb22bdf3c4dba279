package io.kubepods.kubelet;

/**
 * Amounts of CPU and memory in whole units, each {@link #ABSENT} where none is said: that is not zero.
 *
 * @param cpuMillis thousandths of a core
 */
public record Quantities(long cpuMillis, long memoryBytes) {
    public static final long ABSENT = -1;
    public static final Quantities NONE = new Quantities(ABSENT, ABSENT);
}
