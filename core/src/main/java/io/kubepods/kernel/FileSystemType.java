package io.kubepods.kernel;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What kind of file system a path is on, by the magic number of {@code statfs(2)}. */
public enum FileSystemType {
    CGROUP2(0x6367_7270L),
    /** A cgroup v1 controller. */
    CGROUP(0x0027_e0ebL),
    TMPFS(0x0102_1994L),
    PROC(0x9fa0L),
    /** Any other: a directory on a disk. */
    OTHER(-1);

    private final long magic;

    FileSystemType(long magic) {
        this.magic = magic;
    }

    /** @return null when the path cannot be asked: it is not there, or may not be reached */
    public static @Nullable FileSystemType of(Path path) {
        byte[] terminated = (path + "\0").getBytes(StandardCharsets.UTF_8);
        try (Memory statfs = new Memory(512)) {
            if (Libc.statfs(terminated, Pointer.nativeValue(statfs)) != 0) {
                return null;
            }
            long magic = statfs.getNativeLong(0).longValue() & 0xffff_ffffL;
            for (FileSystemType type : values()) {
                if (type.magic == magic) {
                    return type;
                }
            }
            return OTHER;
        }
    }
}
