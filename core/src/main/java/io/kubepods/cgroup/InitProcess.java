package io.kubepods.cgroup;

import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.PosixFiles;

/**
 * A container's first process, whose oom_score_adj is the one the runtime was told to set, and how the kernel's OOM killer
 * sees it now (Documentation/filesystems/proc.rst, "Process-Specific Subdirectories").
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class InitProcess {
    private static final KernelFile.Name OOM_SCORE_ADJ = new KernelFile.Name("oom_score_adj");
    private static final KernelFile.Name OOM_SCORE = new KernelFile.Name("oom_score");
    private static final KernelFile.Name STAT = new KernelFile.Name("stat");

    private final int pid;
    private String command;
    int commandsRead;
    private final long startTime;
    final KernelDirectory directory;
    final KernelFile adjustmentFile;
    final KernelFile scoreFile;
    final SingleValue adjustment = new SingleValue();
    final SingleValue score = new SingleValue();

    InitProcess(KernelDirectory directory, int pid, String command, long startTime) {
        this.pid = pid;
        this.command = command;
        this.startTime = startTime;
        this.directory = directory;
        adjustmentFile = new KernelFile(directory, OOM_SCORE_ADJ, KernelFile.Use.EVERY_SCRAPE);
        scoreFile = new KernelFile(directory, OOM_SCORE, KernelFile.Use.EVERY_SCRAPE);
    }

    public int pid() {
        return pid;
    }

    /** The process's name, at most 15 bytes of its own choosing. */
    public String command() {
        return command;
    }

    long startTime() {
        return startTime;
    }

    /** The runtime makes the process under its own name; it has the container's from its first exec on. */
    void renamed(String now) {
        command = now;
    }

    /** -1000 to 1000; {@link Value#ABSENT} if it could not be read. */
    public long oomScoreAdj() {
        return adjustment.get();
    }

    /** 0 to about 2000; the highest is killed first. {@link Value#ABSENT} if it could not be read. */
    public long oomScore() {
        return score.get();
    }

    /**
     * When a process began, in clock ticks after boot: field 22 of /proc/PID/stat, counted behind the last parenthesis,
     * because the name in parentheses may hold any.
     *
     * @return {@link Value#ABSENT} when there is no such process
     */
    static long startTime(KernelFiles files, KernelDirectory process, byte[] text) {
        int length = files.read(new KernelFile(process, STAT, KernelFile.Use.ONCE), 0, text);
        int at = length - 1;
        while (at >= 0 && text[at] != ')') {
            at--;
        }
        if (at < 0) {
            return Value.ABSENT;
        }
        at += 2; // field 3, the state
        for (int field = 3; field < 22; field++) {
            at = InterfaceFile.endOfWord(text, at, length) + 1;
        }
        int end = InterfaceFile.endOfWord(text, at, length);
        return end < length ? Value.parse(text, at, end) : Value.ABSENT; // at the end of the text it would be cut
    }

    public void close(PosixFiles files) {
        files.close(adjustmentFile);
        files.close(scoreFile);
    }
}
