package io.kubepods.agent.demo;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.UUID;

/** The machine: its size, its clock, and where ids come from. The same steps give the same ids and numbers. */
final class Host {
    static final String NAME = "demo-control-plane";
    static final int CPUS = 4;
    static final long MEMORY = 8_148_520L * 1024;

    private static final long SEED = 20_250_101;
    private static final long BOOT_TO_START_USEC = 60_000_000;

    final Random random = new Random(SEED);
    final Instant bootedAt;
    final String bootId = uuid();
    private long uptimeUsec = BOOT_TO_START_USEC;
    private int lastPid = 400;
    private final StringBuilder kernelLog = new StringBuilder();
    private long logRecords = 1_000;

    Host(Instant startedAt) {
        bootedAt = startedAt.truncatedTo(ChronoUnit.SECONDS).minus(uptimeUsec, ChronoUnit.MICROS);
    }

    void advance(long usec) {
        uptimeUsec += usec;
    }

    long uptimeUsec() {
        return uptimeUsec;
    }

    /** The time as the API server writes it: whole seconds. */
    Instant now() {
        return bootedAt.plusSeconds(uptimeUsec / 1_000_000);
    }

    /** Writes a record to the kernel log. */
    void log(int level, String text) {
        kernelLog
                .append(level)
                .append(',')
                .append(logRecords++)
                .append(',')
                .append(uptimeUsec)
                .append(",-;")
                .append(text)
                .append('\n');
    }

    /** The records written since this was last asked. */
    String takeLog() {
        String records = kernelLog.toString();
        kernelLog.setLength(0);
        return records;
    }

    int nextPid() {
        lastPid += 3 + random.nextInt(30);
        return lastPid;
    }

    String uuid() {
        long version4 = (random.nextLong() & ~0xf000L) | 0x4000L;
        long variant2 = (random.nextLong() >>> 2) | Long.MIN_VALUE;
        return new UUID(version4, variant2).toString();
    }

    String hex(int digits) {
        StringBuilder hex = new StringBuilder(digits);
        while (hex.length() < digits) {
            hex.append(Character.forDigit(random.nextInt(16), 16));
        }
        return hex.toString();
    }
}
