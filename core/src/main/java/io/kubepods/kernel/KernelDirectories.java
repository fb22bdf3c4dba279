package io.kubepods.kernel;

/** The subdirectories of a directory, or why there are none: the seam for what is there, as {@link KernelFiles} is for what it says. */
@FunctionalInterface
public interface KernelDirectories {
    /**
     * Tells {@code each} every subdirectory, in the kernel's order, which stays the same while nothing is made or removed.
     *
     * @return 0, or the negative errno; -{@link Errno#ENOENT} when the directory has been removed, also through a kept
     *     descriptor
     */
    int list(KernelDirectory directory, Subdirectory each);

    /** Receives one subdirectory. */
    @FunctionalInterface
    interface Subdirectory {
        /**
         * @param inode the directory's inode, which on cgroup2 is the cgroup's id, unique for one boot
         * @param names the buffer that holds the name, valid only during the call
         * @param from where the name begins
         * @param to where it ends
         */
        void found(long inode, byte[] names, int from, int to);
    }
}
