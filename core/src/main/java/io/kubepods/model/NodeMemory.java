package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupReader;
import io.kubepods.cgroup.MemInfo;
import io.kubepods.cgroup.MemoryStat;
import io.kubepods.cgroup.Value;
import io.kubepods.cgroup.VmStat;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kubelet.Memory;
import java.nio.file.Path;

/**
 * The machine's memory as a whole.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class NodeMemory {
    private static final CgroupFile[] ROOT_FILES = {CgroupFile.MEMORY_STAT, CgroupFile.MEMORY_CURRENT};

    private final VmStat vmStat;
    private final MemInfo memInfo;
    private final Cgroup root;

    NodeMemory(Path procfs, Cgroup root) {
        vmStat = new VmStat(procfs);
        memInfo = new MemInfo(procfs);
        this.root = root;
    }

    void read(KernelFiles files, CgroupReader reader, ErrorCounts readErrors, ErrorCounts malformed, long now) {
        vmStat.read(files, readErrors, malformed, now);
        memInfo.read(files, readErrors, malformed, now);
        reader.read(root, ROOT_FILES, now);
    }

    /** Processes killed by the OOM killer since boot, in any cgroup; {@link Value#ABSENT} when it is not known. */
    public long oomKills() {
        return vmStat.oomKills();
    }

    /** MemAvailable, in bytes: what the kernel estimates that new processes could have. */
    public long available() {
        return memInfo.available();
    }

    /**
     * memory.available, on which the kubelet evicts, in bytes; {@link Value#ABSENT} when it is not known, as where the root
     * that is seen from here is not the machine's.
     */
    public long evictionAvailable() {
        long anon = root.sample().memoryStat(MemoryStat.ANON);
        long file = root.sample().memoryStat(MemoryStat.FILE);
        long inactiveFile = root.sample().memoryStat(MemoryStat.INACTIVE_FILE);
        boolean isMachines = root.sample().single(CgroupFile.MEMORY_CURRENT) == Value.ABSENT;
        boolean isKnown = memInfo.total() >= 0 && anon >= 0 && file >= 0 && inactiveFile >= 0;
        return isMachines && isKnown ? Memory.available(memInfo.total(), anon, file, inactiveFile) : Value.ABSENT;
    }
}
