package io.kubepods.kernel;

import java.util.Map;

/** The error numbers that reading pseudo-files meets, as {@code errno(3)} names them; the same on every architecture Java runs on. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int EPIPE = 32;
    public static final int ELOOP = 40;
    public static final int EOPNOTSUPP = 95;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(ESRCH, "ESRCH"),
            Map.entry(EINTR, "EINTR"),
            Map.entry(EIO, "EIO"),
            Map.entry(ENXIO, "ENXIO"),
            Map.entry(EBADF, "EBADF"),
            Map.entry(EAGAIN, "EAGAIN"),
            Map.entry(ENOMEM, "ENOMEM"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(ENODEV, "ENODEV"),
            Map.entry(ENOTDIR, "ENOTDIR"),
            Map.entry(EISDIR, "EISDIR"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(ENFILE, "ENFILE"),
            Map.entry(EMFILE, "EMFILE"),
            Map.entry(EFBIG, "EFBIG"),
            Map.entry(EPIPE, "EPIPE"),
            Map.entry(ELOOP, "ELOOP"),
            Map.entry(EOPNOTSUPP, "EOPNOTSUPP"));

    private Errno() {}

    /** The symbolic name, or {@code errno 123} for one this table does not have. */
    public static String name(int errno) {
        return NAMES.getOrDefault(errno, "errno " + errno);
    }
}
