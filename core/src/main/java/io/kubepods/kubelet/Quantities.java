package io.kubepods.kubelet;

/**
 * Amounts of CPU and memory, each {@link #ABSENT} where none is said: that is not zero.
 *
 * @param cpuMillis thousandths of a core
 */
public record Quantities(long cpuMillis, long memoryBytes) {
    public static final long ABSENT = -1;
    public static final Quantities NONE = new Quantities(ABSENT, ABSENT);

    /** Both together; what only one says is that one's. */
    Quantities plus(Quantities other) {
        return new Quantities(plus(cpuMillis, other.cpuMillis), plus(memoryBytes, other.memoryBytes));
    }

    /** The larger of each. */
    Quantities max(Quantities other) {
        // ABSENT is less than any amount.
        return new Quantities(Math.max(cpuMillis, other.cpuMillis), Math.max(memoryBytes, other.memoryBytes));
    }

    /** What the other says, and where it says nothing, this. */
    Quantities replacedBy(Quantities other) {
        return new Quantities(
                other.cpuMillis == ABSENT ? cpuMillis : other.cpuMillis,
                other.memoryBytes == ABSENT ? memoryBytes : other.memoryBytes);
    }

    /** The other is added only to what is more than zero here. */
    Quantities plusWhereSet(Quantities other) {
        return new Quantities(
                cpuMillis > 0 ? plus(cpuMillis, other.cpuMillis) : cpuMillis,
                memoryBytes > 0 ? plus(memoryBytes, other.memoryBytes) : memoryBytes);
    }

    private static long plus(long a, long b) {
        return a == ABSENT ? b : b == ABSENT ? a : a + b;
    }
}
