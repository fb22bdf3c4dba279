package io.kubepods.cgroup;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelDirectories;
import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first process of a container among those its cgroup lists, and reads it again and again.
 *
 * <p>It is the one that is number 1 of its pid namespace. Where the pod shares one namespace there is none; then it is one
 * whose parent is not in the container (the runtime's shim, or conmon), and of several the one that began first.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class InitProcesses {
    /** So many processes of one cgroup are looked at; the first one is early in the list in practice. */
    private static final int LOOKED_AT = 1_024;

    /** So often a name is read again: a minute of scrapes. */
    private static final int READS_OF_A_COMMAND = 5;

    /** So many cgroups below a container that has no process itself. */
    private static final int CGROUPS_LOOKED_AT = 128;

    private static final KernelFile.Name CGROUP_PROCS = new KernelFile.Name("cgroup.procs");
    private static final KernelFile.Name STATUS = new KernelFile.Name("status");

    private final KernelFiles files;
    private final KernelDirectories directories;
    private final Path procfs;
    private final ErrorCounts readErrors;
    private final ErrorCounts malformed;
    private final byte[] text = new byte[64 * 1024];
    private final ProcessIds pids = new ProcessIds();
    private boolean hidden;

    public InitProcesses(
            KernelFiles files,
            KernelDirectories directories,
            Path procfs,
            ErrorCounts readErrors,
            ErrorCounts malformed) {
        this.files = files;
        this.directories = directories;
        this.procfs = procfs;
        this.readErrors = readErrors;
        this.malformed = malformed;
    }

    /** Whether some cgroup listed all its processes as 0: this agent has a pid namespace of its own and cannot name them. */
    public boolean areHidden() {
        return hidden;
    }

    /**
     * Reads oom_score_adj and oom_score of a process found earlier.
     *
     * @return false when it has ended, or another has its number
     */
    public boolean read(InitProcess process, long now) {
        // A kept descriptor is bound to the process and answers ESRCH after its end; a path is not.
        if (!process.adjustmentFile.isKept()
                && process.startTime() != InitProcess.startTime(files, process.directory, text)) {
            return false;
        }
        return read(process.adjustmentFile, process.adjustment, now) && read(process.scoreFile, process.score, now);
    }

    /** False when there is no such process. */
    private boolean read(KernelFile file, SingleValue value, long now) {
        int length = files.read(file, 0, text);
        value.clear();
        if (length == -Errno.ESRCH || length == -Errno.ENOENT) {
            return false;
        }
        if (length < 0) {
            readErrors.count(file.name(), Errno.name(-length), file, now);
        } else if (!value.parse(text, length)) {
            malformed.count(file.name(), "malformed", file, now);
        }
        return true;
    }

    /** Reads the process's name again, which is another after an exec; a few times, while it is young. */
    public void readCommand(InitProcess process, long now) {
        if (process.commandsRead++ >= READS_OF_A_COMMAND) {
            return;
        }
        ProcessStatus status = readStatus(process.directory, now);
        if (status != null && !status.name().isEmpty()) {
            process.renamed(status.name());
        }
    }

    /** Null when there is no such process, or its status cannot be read. */
    private @Nullable ProcessStatus readStatus(KernelDirectory process, long now) {
        KernelFile file = new KernelFile(process, STATUS, KernelFile.Use.ONCE);
        int length = files.read(file, 0, text);
        if (length < 0) {
            if (length != -Errno.ESRCH && length != -Errno.ENOENT) {
                readErrors.count(file.name(), Errno.name(-length), file, now);
            }
            return null;
        }
        return ProcessStatus.parse(text, length);
    }

    /** Forgets whether processes are hidden, until the next cgroup is looked at. */
    public void lookAgain() {
        hidden = false;
    }

    /** @return null when the cgroup has no process that can be seen */
    public @Nullable InitProcess find(Cgroup cgroup, long now) {
        if (!readPids(cgroup, now)) {
            return null;
        }
        InitProcess best = null;
        boolean bestIsInit = false;
        int bestDepth = 0;
        for (int i = 0; i < Math.min(pids.size(), LOOKED_AT); i++) {
            KernelDirectory directory = new KernelDirectory(procfs.resolve(Integer.toString(pids.get(i))));
            ProcessStatus status = readStatus(directory, now);
            if (status == null || !status.isComplete()) {
                continue;
            }
            long startTime = InitProcess.startTime(files, directory, text);
            boolean isInit = status.isInit();
            if (startTime == Value.ABSENT || (!isInit && pids.contains(status.parentPid()))) {
                continue;
            }
            // A container in the container has a number 1 too, in a deeper namespace.
            boolean better = best == null
                    || (isInit && !bestIsInit)
                    || (isInit == bestIsInit
                            && (status.namespaces() < bestDepth
                                    || (status.namespaces() == bestDepth && startTime < best.startTime())));
            if (better) {
                best = new InitProcess(directory, pids.get(i), status.name(), startTime);
                bestIsInit = isInit;
                bestDepth = status.namespaces();
            }
        }
        return best;
    }

    /** The processes of the cgroup, or where it has none itself (systemd in a container), of those below it. */
    private boolean readPids(Cgroup cgroup, long now) {
        pids.clear();
        if (!readPids(cgroup.directory, now)) {
            return false;
        }
        if (pids.size() == 0 && !pids.isOutsideOurNamespace()) {
            List<KernelDirectory> below = below(cgroup.directory);
            for (int i = 1; i < below.size() && pids.size() < LOOKED_AT; i++) {
                readPids(below.get(i), now); // one that goes meanwhile costs its own processes
            }
        }
        hidden |= pids.size() == 0 && pids.isOutsideOurNamespace();
        return true;
    }

    /** The directory and those below it, nearest first, a bounded number of them. */
    private List<KernelDirectory> below(KernelDirectory top) {
        List<KernelDirectory> found = new ArrayList<>();
        found.add(top);
        for (int i = 0; i < found.size() && found.size() < CGROUPS_LOOKED_AT; i++) {
            KernelDirectory above = found.get(i);
            directories.list(above, (inode, names, from, to) -> {
                if (found.size() < CGROUPS_LOOKED_AT) {
                    found.add(above.passing(new String(names, from, to - from, StandardCharsets.UTF_8)));
                }
            });
        }
        return found;
    }

    private boolean readPids(KernelDirectory directory, long now) {
        KernelFile file = new KernelFile(directory, CGROUP_PROCS, KernelFile.Use.IN_PIECES);
        long offset = 0;
        int length;
        while ((length = files.read(file, offset, text)) > 0) {
            pids.parse(text, length);
            offset += length;
        }
        boolean threaded = length == -Errno.EOPNOTSUPP;
        boolean gone = length == -Errno.ENOENT || length == -Errno.ENODEV;
        if (length < 0 && !threaded && !gone) {
            readErrors.count(file.name(), Errno.name(-length), file, now);
        }
        boolean wellFormed = pids.end();
        if (length == 0 && !wellFormed) {
            malformed.count(file.name(), "malformed", file, now);
        }
        return length == 0;
    }
}
