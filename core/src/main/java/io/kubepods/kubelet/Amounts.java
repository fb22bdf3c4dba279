package io.kubepods.kubelet;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Exact amounts of CPU in cores and of memory in bytes, each null where none is said. The kubelet adds up what is written
 * in specs to the last digit, and rounds the sum: two containers that request 0.1Gi request 214748364.8 bytes together.
 */
public record Amounts(
        @Nullable BigDecimal cpuCores, @Nullable BigDecimal memoryBytes) {
    public static final Amounts NONE = new Amounts(null, null);

    private static final int MILLI_DIGITS = 3;
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Rounded up, as the kubelet does. */
    public Quantities rounded() {
        return new Quantities(
                cpuCores == null ? Quantities.ABSENT : rounded(cpuCores.movePointRight(MILLI_DIGITS)),
                memoryBytes == null ? Quantities.ABSENT : rounded(memoryBytes));
    }

    private static long rounded(BigDecimal amount) {
        return amount.setScale(0, RoundingMode.CEILING).min(MOST).longValueExact();
    }

    /** Both together; what only one says is that one's. */
    Amounts plus(Amounts other) {
        return new Amounts(plus(cpuCores, other.cpuCores), plus(memoryBytes, other.memoryBytes));
    }

    /** The larger of each. */
    Amounts max(Amounts other) {
        return new Amounts(max(cpuCores, other.cpuCores), max(memoryBytes, other.memoryBytes));
    }

    /** What the other says, and where it says nothing, this. */
    Amounts replacedBy(Amounts other) {
        return new Amounts(
                other.cpuCores == null ? cpuCores : other.cpuCores,
                other.memoryBytes == null ? memoryBytes : other.memoryBytes);
    }

    /** The other is added only to what is more than zero here. */
    Amounts plusWhereSet(Amounts other) {
        return new Amounts(
                hasCpu() ? plus(cpuCores, other.cpuCores) : cpuCores,
                hasMemory() ? plus(memoryBytes, other.memoryBytes) : memoryBytes);
    }

    /** Without what is not to count. */
    Amounts only(boolean cpu, boolean memory) {
        return new Amounts(cpu ? cpuCores : null, memory ? memoryBytes : null);
    }

    /** Without what is zero. */
    Amounts positive() {
        return only(hasCpu(), hasMemory());
    }

    /** Whether both say the same, to the last digit: 1 and 1.0 are the same. */
    boolean sameAs(Amounts other) {
        return same(cpuCores, other.cpuCores) && same(memoryBytes, other.memoryBytes);
    }

    private static boolean same(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null ? b == null : b != null && a.compareTo(b) == 0;
    }

    /** Whether it says of CPU more than zero. */
    boolean hasCpu() {
        return cpuCores != null && cpuCores.signum() > 0;
    }

    boolean hasMemory() {
        return memoryBytes != null && memoryBytes.signum() > 0;
    }

    private static @Nullable BigDecimal plus(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null ? b : b == null ? a : a.add(b);
    }

    private static @Nullable BigDecimal max(@Nullable BigDecimal a, @Nullable BigDecimal b) {
        return a == null ? b : b == null ? a : a.max(b);
    }
}
