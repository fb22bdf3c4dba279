package io.kubepods.kernel;

import com.sun.jna.Native;

/**
 * The C library's functions that the read path needs, by JNA direct mapping: arguments are primitives (a native address is
 * a {@code long}), so that a call allocates nothing. A failing call returns -1 and leaves its errno to
 * {@link Native#getLastError()}.
 *
 * <p>{@code getdents64} is in glibc since 2.30; everything else is as old as Linux.
 */
final class Libc {
    static final int AT_FDCWD = -100;
    static final int O_RDONLY = 0;
    static final int O_CLOEXEC = 0x80000;
    /** So that something that is no regular file, a FIFO say, cannot hold the reader for ever. */
    static final int O_NONBLOCK = 0x800;

    static final int SEEK_SET = 0;
    static final int RLIMIT_NOFILE = 7;

    static {
        Native.register(Libc.class, "c");
    }

    private Libc() {}

    static native int openat(int directory, byte[] path, int flags);

    static native long read(int descriptor, long buffer, long count);

    static native long pread(int descriptor, long buffer, long count, long offset);

    static native int close(int descriptor);

    static native long lseek(int descriptor, long offset, int whence);

    static native long getdents64(int descriptor, long buffer, long count);

    static native int statfs(byte[] path, long buffer);

    static native int getrlimit(int resource, long buffer);

    static native int setrlimit(int resource, long buffer);

    static native int getpagesize();
}
