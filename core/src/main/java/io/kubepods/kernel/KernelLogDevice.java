package io.kubepods.kernel;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * /dev/kmsg (Documentation/ABI/testing/dev-kmsg), from the oldest record the kernel still has. Reading takes nothing from
 * other readers. A read gives one record; of a regular file or a FIFO, which tests put in its place, it gives as many as
 * there are, and they are told apart by their lines.
 *
 * <pre>
 * 6,392,4393760,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),…
 * 4,393,4393801,-;usb 1-1: reset
 *  SUBSYSTEM=usb
 * </pre>
 *
 * <p>Not thread-safe. Used by the thread that holds the sampler's lock.
 */
public final class KernelLogDevice implements KernelLog {
    private static final int CLOSED = KernelDirectory.CLOSED;
    private static final int BUFFER = 2 * LONGEST_RECORD;

    private static final int TYPE = 0xf000;
    private static final int CHARACTER_DEVICE = 0x2000;
    /** {@code makedev(1, 11)}: memory devices, the eleventh. */
    private static final long KMSG = 0x10b;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final long address = Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
    private final byte[] bytes = new byte[BUFFER];
    private final Path path;
    private int from;
    private int to;
    private int descriptor = CLOSED;

    public KernelLogDevice(Path path) {
        this.path = path;
    }

    /**
     * Whether what is at {@code path} is the kernel's log. In a container it need not be: kind links /dev/kmsg to
     * /dev/console where it is missing.
     *
     * @return one sentence that says why not; empty when it is
     */
    public static Optional<String> problem(Path path) {
        try {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,rdev");
            boolean isDevice = attributes.get("mode") instanceof Integer mode && (mode & TYPE) == CHARACTER_DEVICE;
            boolean isKmsg = isDevice && attributes.get("rdev") instanceof Long device && device == KMSG;
            return isKmsg
                    ? Optional.empty()
                    : Optional.of(path + " is not the kernel's log, the character device 1:11, and is not believed.");
        } catch (NoSuchFileException e) {
            return Optional.of(reason(path, Errno.ENOENT));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(path + " cannot be looked at (" + e + ").");
        }
    }

    /** One sentence about why {@link #open} failed, and what helps. */
    public static String reason(Path path, int errno) {
        String why = switch (errno) {
            case Errno.ENOENT -> ": a container has it when it is privileged, or when it is mounted.";
            case Errno.EPERM ->
                ": with kernel.dmesg_restrict it needs CAP_SYSLOG, and in a container that is not privileged the"
                        + " devices allowed do not include it.";
            case Errno.EACCES -> ": the file's mode, or a security module, does not let this user read it.";
            default -> ".";
        };
        return path + " cannot be opened (" + Errno.name(errno) + ")" + why;
    }

    /**
     * Opens it at the oldest record; again, if it is open.
     *
     * @return 0, or the negative errno
     */
    public int open() {
        close();
        byte[] terminated = (path + "\0").getBytes(StandardCharsets.UTF_8);
        int result = PosixFiles.openAt(Libc.AT_FDCWD, terminated);
        if (result < 0) {
            return result;
        }
        descriptor = result;
        return 0;
    }

    public boolean isOpen() {
        return descriptor != CLOSED;
    }

    public void close() {
        if (descriptor != CLOSED) {
            Libc.close(descriptor);
            descriptor = CLOSED;
        }
        from = 0;
        to = 0;
    }

    @Override
    public int next(byte[] into) {
        int end = endOfRecord();
        if (end == to && mayGoOn()) {
            int length = read();
            if (length < 0) {
                return length;
            }
            end = endOfRecord();
        }
        int length = end - from;
        if (length == 0) {
            return -Errno.EAGAIN; // the end of a regular file, or no writer of a FIFO
        }
        int record = from;
        from = end;
        if (length > into.length) {
            return -Errno.EINVAL;
        }
        System.arraycopy(bytes, record, into, 0, length);
        return length;
    }

    /** Behind the first newline that is not followed by one of the record's {@code  KEY=VALUE} lines. */
    private int endOfRecord() {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n' && (at + 1 == to || bytes[at + 1] != ' ')) {
                return at + 1;
            }
        }
        return to;
    }

    /** Whether nothing is left, or the beginning of a line that the buffer had no room for. A device's record never is one. */
    private boolean mayGoOn() {
        return from == to || (to == BUFFER && from > 0 && bytes[to - 1] != '\n');
    }

    /** Reads behind what is left. */
    private int read() {
        to -= from;
        System.arraycopy(bytes, from, bytes, 0, to);
        from = 0;
        long length;
        do {
            length = Libc.read(descriptor, address, BUFFER - to);
        } while (length < 0 && Native.getLastError() == Errno.EINTR);
        if (length < 0) {
            return -Native.getLastError();
        }
        buffer.get(0, bytes, to, (int) length);
        to += (int) length;
        return (int) length;
    }
}
