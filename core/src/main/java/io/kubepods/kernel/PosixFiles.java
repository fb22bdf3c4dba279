package io.kubepods.kernel;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * {@link KernelFiles} and {@link KernelDirectories} by the C library, with descriptors that are opened once and kept.
 *
 * <p>A kept descriptor renders the file anew for each {@code pread} at offset 0, four to ten times cheaper than opening
 * it again; from Java here 0.7 against 3.3 µs for a cpu.stat, at 0 B (JNA 5.19, JDK 17, kernel 6.18). But it is not free:
 * the kernel keeps a page for the text of every descriptor that was read, 4.7 KB in all, charged to the reader's own
 * memory limit (10,000 kept descriptors of a cpu.stat: Slab +47 MB). So their number is bounded by {@code RLIMIT_NOFILE}
 * and by {@link #KEPT_AT_MOST}, files read every tick come first, and all others are opened for each read.
 *
 * <p>Not thread-safe: one bounce buffer. Used by the thread that holds the sampler's lock.
 */
public final class PosixFiles implements KernelFiles, KernelDirectories {
    /** So many descriptors of files are kept at most; 4,096 are about 19 MB of kernel memory. */
    public static final int KEPT_AT_MOST = 4_096;

    /** Left to sockets, jars and the runtime. */
    private static final int RESERVED = 256;

    private static final int BUFFER = 64 * 1024;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.nativeOrder());
    private final long address = Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
    private final byte[] entries = new byte[BUFFER];
    private byte[] path = new byte[512];
    private final int limit;
    private final int filesAtMost;
    private int kept;
    private int keptFiles;

    /** Raises the soft limit of open files to the hard one, and keeps descriptors within it. */
    public PosixFiles() {
        this(OpenFilesLimit.raised());
    }

    /** @param openFiles how many files this process may have open */
    PosixFiles(long openFiles) {
        limit = (int) Math.max(0, Math.min(openFiles - RESERVED, Integer.MAX_VALUE));
        filesAtMost = Math.min(limit / 2, KEPT_AT_MOST);
    }

    /**
     * Whether the C library can be called at all.
     *
     * @return one sentence that says why not; empty when it can
     */
    public static Optional<String> problem() {
        try {
            OpenFilesLimit.raised();
            return Optional.empty();
        } catch (LinkageError e) {
            return Optional.of(
                    "The C library cannot be called (" + e.getMessage() + "): JNA needs a directory that it may"
                            + " write to and run code from (set -Djna.tmpdir=DIR), and a glibc of 2.30 or later.");
        }
    }

    /** The size of a page of memory, in bytes. */
    public static int pageSize() {
        return Libc.getpagesize();
    }

    /** How many descriptors of files are kept now. */
    public int keptFiles() {
        return keptFiles;
    }

    /** How many descriptors of files may be kept; beyond it every read opens its file. */
    public int keptFilesAtMost() {
        return filesAtMost;
    }

    /** How many descriptors of directories are kept now. */
    public int keptDirectories() {
        return kept - keptFiles;
    }

    @Override
    public int read(KernelFile file, long offset, byte[] into) {
        boolean opened = file.descriptor == KernelDirectory.CLOSED;
        if (opened) {
            int result = open(file.directory, file.name.terminated);
            if (result < 0) {
                return result;
            }
            file.descriptor = result;
        }
        int length = pread(file, offset, into);
        if (opened) {
            if (length >= 0 && !isLastPiece(file, length) && mayKeep(file.use)) {
                kept++;
                keptFiles++;
            } else {
                Libc.close(file.descriptor);
                file.descriptor = KernelDirectory.CLOSED;
            }
        } else if (length == -Errno.ENODEV || length == -Errno.ESRCH || isLastPiece(file, length)) {
            // The cgroup or the process has gone, or the controller was switched off and on again: this descriptor
            // never answers again, whatever is at its path now.
            close(file);
        }
        return length;
    }

    @Override
    public int list(KernelDirectory directory, Subdirectory each) {
        boolean opened = directory.descriptor == KernelDirectory.CLOSED;
        if (opened) {
            int result = openAt(Libc.AT_FDCWD, terminated(directory.path));
            if (result < 0) {
                return result;
            }
            directory.descriptor = result;
        } else if (Libc.lseek(directory.descriptor, 0, Libc.SEEK_SET) < 0) {
            return -Native.getLastError();
        }
        int result = listEntries(directory.descriptor, each);
        if (opened) {
            if (result == 0 && kept < limit && directory.mayBeKept) {
                kept++;
            } else {
                Libc.close(directory.descriptor);
                directory.descriptor = KernelDirectory.CLOSED;
            }
        }
        return result;
    }

    /** Closes the descriptor kept for a file that nobody will read again. */
    public void close(KernelFile file) {
        if (file.descriptor != KernelDirectory.CLOSED) {
            Libc.close(file.descriptor);
            file.descriptor = KernelDirectory.CLOSED;
            kept--;
            keptFiles--;
        }
    }

    /** Closes the descriptor kept for a directory. */
    public void close(KernelDirectory directory) {
        if (directory.descriptor != KernelDirectory.CLOSED) {
            Libc.close(directory.descriptor);
            directory.descriptor = KernelDirectory.CLOSED;
            kept--;
        }
    }

    private static boolean isLastPiece(KernelFile file, int length) {
        return file.use == KernelFile.Use.IN_PIECES && length <= 0;
    }

    private boolean mayKeep(KernelFile.Use use) {
        return switch (use) {
            case EVERY_TICK -> kept < limit && keptFiles < filesAtMost;
            case EVERY_SCRAPE -> kept < limit && keptFiles < filesAtMost / 2;
            case ONCE -> false;
            case IN_PIECES -> true;
        };
    }

    private int open(KernelDirectory directory, byte[] name) {
        return directory.descriptor == KernelDirectory.CLOSED
                ? openAt(Libc.AT_FDCWD, joined(directory.path, name))
                : openAt(directory.descriptor, name);
    }

    static int openAt(int directory, byte[] terminated) {
        int descriptor;
        do {
            descriptor = Libc.openat(directory, terminated, Libc.O_RDONLY | Libc.O_CLOEXEC | Libc.O_NONBLOCK);
        } while (descriptor < 0 && Native.getLastError() == Errno.EINTR);
        return descriptor < 0 ? -Native.getLastError() : descriptor;
    }

    private int pread(KernelFile file, long offset, byte[] into) {
        int room = Math.min(into.length, BUFFER);
        long length;
        do {
            length = Libc.pread(file.descriptor, address, room, offset);
        } while (length < 0 && Native.getLastError() == Errno.EINTR);
        if (length < 0) {
            return -Native.getLastError();
        }
        if (length == room && file.use != KernelFile.Use.IN_PIECES) {
            return -Errno.EFBIG;
        }
        buffer.get(0, into, 0, (int) length);
        return (int) length;
    }

    /** Walks {@code struct linux_dirent64}: u64 inode, s64 offset, u16 record length, u8 type, then the terminated name. */
    private int listEntries(int descriptor, Subdirectory each) {
        final int typeDirectory = 4;
        final int typeUnknown = 0;
        final int nameOffset = 19;
        while (true) {
            long length = Libc.getdents64(descriptor, address, BUFFER);
            if (length <= 0) {
                return length == 0 ? 0 : -Native.getLastError();
            }
            buffer.get(0, entries, 0, (int) length);
            for (int at = 0; at < length; ) {
                int type = entries[at + 18];
                int name = at + nameOffset;
                if ((type == typeDirectory || type == typeUnknown) && !isDotOrDotDot(name)) {
                    int end = name;
                    while (entries[end] != 0) {
                        end++;
                    }
                    each.found(buffer.getLong(at), entries, name, end);
                }
                at += buffer.getShort(at + 16) & 0xffff;
            }
        }
    }

    private boolean isDotOrDotDot(int name) {
        return entries[name] == '.' && (entries[name + 1] == 0 || (entries[name + 1] == '.' && entries[name + 2] == 0));
    }

    private byte[] terminated(byte[] text) {
        room(text.length + 1);
        System.arraycopy(text, 0, path, 0, text.length);
        path[text.length] = 0;
        return path;
    }

    private byte[] joined(byte[] directory, byte[] name) {
        room(directory.length + 1 + name.length);
        System.arraycopy(directory, 0, path, 0, directory.length);
        path[directory.length] = '/';
        System.arraycopy(name, 0, path, directory.length + 1, name.length);
        return path;
    }

    private void room(int length) {
        if (path.length < length) {
            path = new byte[length * 2];
        }
    }
}
