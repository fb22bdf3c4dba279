package io.kubepods.kernel;

/** The records of the kernel's log, one after the other, or why there is none: the seam through which tests say what the kernel said. */
@FunctionalInterface
public interface KernelLog {
    /** A record is never longer: the kernel's own buffer for one is 8 KiB (2 KiB since Linux 6.x). */
    int LONGEST_RECORD = 8 * 1024;

    /**
     * Reads the next record, without waiting for it.
     *
     * @param into room for {@link #LONGEST_RECORD}
     * @return how many bytes are now in {@code into}, or the negative errno: -{@link Errno#EAGAIN} when there is none now,
     *     -{@link Errno#EPIPE} when records were overwritten before they were read, -{@link Errno#EINVAL} when this one was
     *     longer than {@code into}. After the last two the next read gives the next record
     */
    int next(byte[] into);
}
