package io.kubepods.cgroup;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;

/**
 * Fills the samples of cgroups, and says what each errno means:
 *
 * <ul>
 *   <li>ENOENT: the controller or the kernel's feature is not there, or the cgroup has gone; a fact.
 *   <li>ENODEV on a kept descriptor: the file has gone, perhaps for another of the same name (a controller switched off and
 *       on); it is opened again. After that as ENOENT.
 *   <li>EOPNOTSUPP on *.pressure: PSI is off (Linux up to 5.15; later kernels do not make the files); a fact.
 *   <li>anything else: trouble, counted.
 * </ul>
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class CgroupReader {
    private static final KernelFile.Name CGROUP_PROCS = new KernelFile.Name("cgroup.procs");
    private static final CgroupFile[] FILES = CgroupFile.values();

    private final KernelFiles files;
    private final ErrorCounts readErrors;
    private final ErrorCounts malformed;
    private final byte[] text = new byte[64 * 1024];
    private final int[] unknownKeys = new int[FILES.length];

    public CgroupReader(KernelFiles files, ErrorCounts readErrors, ErrorCounts malformed) {
        this.files = files;
        this.readErrors = readErrors;
        this.malformed = malformed;
    }

    /**
     * Reads the given files of a cgroup into its sample.
     *
     * @param now {@link System#nanoTime()}
     * @return false when the cgroup has gone meanwhile: its sample is not to be used
     */
    public boolean read(Cgroup cgroup, CgroupFile[] which, long now) {
        boolean there = true;
        for (CgroupFile file : which) {
            boolean found = read(cgroup.sample(), file, now);
            boolean inEveryCgroup = file == CgroupFile.CPU_STAT || file == CgroupFile.CGROUP_EVENTS;
            if (inEveryCgroup && !found) {
                there &= isThere(cgroup);
            }
        }
        return there;
    }

    /** The most keys in one text of the file that {@link CgroupSample} has no field for. */
    public int unknownKeys(CgroupFile file) {
        return unknownKeys[file.ordinal()];
    }

    /** Whether there was a file. */
    private boolean read(CgroupSample sample, CgroupFile which, long now) {
        KernelFile file = sample.file(which);
        InterfaceFile value = sample.value(which);
        int length = files.read(file, 0, text);
        if (length == -Errno.ENODEV) {
            length = files.read(file, 0, text);
        }
        if (length >= 0) {
            if (!value.parse(text, length)) {
                malformed.count(file.name(), "malformed", file, now);
            }
            if (value.unknownKeys() > unknownKeys[which.ordinal()]) {
                unknownKeys[which.ordinal()] = value.unknownKeys();
            }
            return true;
        }
        value.clear();
        if (length == -Errno.ENOENT || length == -Errno.ENODEV) {
            return false;
        }
        boolean psiIsOff = length == -Errno.EOPNOTSUPP && value instanceof Pressure;
        if (!psiIsOff) {
            readErrors.count(file.name(), Errno.name(-length), file, now);
        }
        return true;
    }

    /** cpu.stat and cgroup.events, read first and last, are in every cgroup; cgroup.procs has the last word. */
    private boolean isThere(Cgroup cgroup) {
        int length = files.read(new KernelFile(cgroup.directory, CGROUP_PROCS, KernelFile.Use.ONCE), 0, text);
        return length != -Errno.ENOENT && length != -Errno.ENODEV;
    }
}
