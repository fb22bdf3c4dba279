package io.kubepods.cgroup;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import java.nio.file.Path;

/**
 * The machine's /proc/vmstat, of which one count is used (mm/vmstat.c, Linux 6.12).
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class VmStat {
    private static final KernelFile.Name NAME = new KernelFile.Name("vmstat");
    private static final FlatKeyed.Keys<Key> KEYS = new FlatKeyed.Keys<>(Key.class);
    private static final int LONGEST = 64 * 1024;

    private enum Key {
        OOM_KILL
    }

    private final KernelFile file;
    private final FlatKeyed<Key> values = new FlatKeyed<>(KEYS);
    private final byte[] text = new byte[LONGEST];

    public VmStat(Path procfs) {
        file = new KernelFile(new KernelDirectory(procfs), NAME, KernelFile.Use.EVERY_SCRAPE);
    }

    /** Reads it; where there is none, nothing is known. */
    public void read(KernelFiles files, ErrorCounts readErrors, ErrorCounts malformed, long now) {
        int length = files.read(file, 0, text);
        if (length < 0) {
            values.clear();
            if (length != -Errno.ENOENT) {
                readErrors.count(file.name(), Errno.name(-length), file, now);
            }
        } else if (!values.parse(text, length)) {
            malformed.count(file.name(), "malformed", file, now);
        }
    }

    /** Processes killed by the OOM killer since boot, in any cgroup; {@link Value#ABSENT} before Linux 4.13. */
    public long oomKills() {
        return values.get(Key.OOM_KILL);
    }
}
