package io.kubepods.kernel;

/**
 * The bytes of a pseudo-file, or why there are none. The one seam between this agent and the kernel's files: tests fail
 * one file on purpose through it.
 */
@FunctionalInterface
public interface KernelFiles {
    /**
     * Reads from {@code offset} as far as one {@code pread(2)} goes. A single-value or flat-keyed file comes whole in the
     * first read; {@code cgroup.procs} comes in pieces, until a read gives 0.
     *
     * @return how many bytes are now in {@code into}, or the negative errno. A file as long as {@code into} gives
     *     -{@link Errno#EFBIG}, unless it is read in pieces: a cut file is not a value
     */
    int read(KernelFile file, long offset, byte[] into);
}
