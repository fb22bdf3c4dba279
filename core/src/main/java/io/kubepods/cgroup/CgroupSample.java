package io.kubepods.cgroup;

import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.PosixFiles;
import org.jspecify.annotations.Nullable;

/**
 * One cgroup at one instant: what each of its interface files said when it was last read. Files that were never read, are
 * not there, or could not be read have every field {@link Value#ABSENT}.
 *
 * <p>Made once for a cgroup and filled again and again. Used by the thread that holds the sampler's lock.
 */
public final class CgroupSample {
    private static final CgroupFile[] FILES = CgroupFile.values();

    private final KernelDirectory directory;
    private final @Nullable InterfaceFile[] values = new @Nullable InterfaceFile[FILES.length];
    private final @Nullable KernelFile[] files = new @Nullable KernelFile[FILES.length];

    CgroupSample(KernelDirectory directory) {
        this.directory = directory;
    }

    KernelFile file(CgroupFile which) {
        KernelFile file = files[which.ordinal()];
        if (file == null) {
            file = new KernelFile(directory, which.kernelName(), which.use());
            files[which.ordinal()] = file;
        }
        return file;
    }

    /** Made when first asked for: most cgroups outside the kubepods trees are never read. */
    InterfaceFile value(CgroupFile which) {
        InterfaceFile value = values[which.ordinal()];
        if (value == null) {
            value = which.newParser();
            values[which.ordinal()] = value;
        }
        return value;
    }

    void close(PosixFiles posix) {
        for (KernelFile file : files) {
            if (file != null) {
                posix.close(file);
            }
        }
    }

    /**
     * cpu.stat. The kernel prints its counts of periods as a C int, which turns negative after 2^31 of them (6.8 years of
     * 100 ms periods, 25 days of 1 ms); here they go on to 2^32, and only then begin anew.
     */
    public long cpuStat(CpuStat key) {
        long value = flatKeyed(CgroupFile.CPU_STAT, key);
        return value < 0 && value >= Integer.MIN_VALUE ? value & 0xffff_ffffL : value;
    }

    public long cpuStatLocal(CpuStatLocal key) {
        return flatKeyed(CgroupFile.CPU_STAT_LOCAL, key);
    }

    public long memoryStat(MemoryStat key) {
        return flatKeyed(CgroupFile.MEMORY_STAT, key);
    }

    /** memory.events: this cgroup and its descendants. */
    public long memoryEvents(MemoryEvents key) {
        return flatKeyed(CgroupFile.MEMORY_EVENTS, key);
    }

    /** memory.events.local: this cgroup alone. */
    public long memoryEventsLocal(MemoryEvents key) {
        return flatKeyed(CgroupFile.MEMORY_EVENTS_LOCAL, key);
    }

    public long swapEvents(SwapEvents key) {
        return flatKeyed(CgroupFile.MEMORY_SWAP_EVENTS, key);
    }

    public long cgroupEvents(CgroupEvents key) {
        return flatKeyed(CgroupFile.CGROUP_EVENTS, key);
    }

    public CpuMax cpuMax() {
        return (CpuMax) value(CgroupFile.CPU_MAX);
    }

    /** @param file {@link CgroupFile#CPU_PRESSURE}, {@link CgroupFile#MEMORY_PRESSURE} or {@link CgroupFile#IO_PRESSURE} */
    public Pressure pressure(CgroupFile file) {
        return (Pressure) value(file);
    }

    /** @param file one that holds a single value */
    public long single(CgroupFile file) {
        return ((SingleValue) value(file)).get();
    }

    /**
     * memory.current less the page cache that was not used lately, as the kubelet computes it for eviction and for
     * {@code kubectl top} (cAdvisor's working set): what is hard to reclaim, floored at 0. Bytes, or {@link Value#ABSENT}
     * when one of the two is.
     */
    public long workingSet() {
        long current = single(CgroupFile.MEMORY_CURRENT);
        long inactiveFile = memoryStat(MemoryStat.INACTIVE_FILE);
        return current == Value.ABSENT || inactiveFile == Value.ABSENT
                ? Value.ABSENT
                : Math.max(0, current - inactiveFile);
    }

    @SuppressWarnings("unchecked") // CgroupFile pairs every flat-keyed file with its own key type
    private <K extends Enum<K>> long flatKeyed(CgroupFile file, K key) {
        return ((FlatKeyed<K>) value(file)).get(key);
    }
}
