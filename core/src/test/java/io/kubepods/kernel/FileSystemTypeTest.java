package io.kubepods.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemTypeTest {
    @TempDir
    Path directory;

    @Test
    void procIsProc() {
        assertEquals(FileSystemType.PROC, FileSystemType.of(Path.of("/proc")));
        assertEquals(FileSystemType.PROC, FileSystemType.of(Path.of("/proc/self/stat")));
    }

    @Test
    void whatIsNotThereHasNone() {
        assertNull(FileSystemType.of(directory.resolve("absent")));
    }

    @Test
    void aPathOfAnyName() throws IOException {
        Path odd = Files.createDirectory(directory.resolve("ünï code"));
        assertEquals(FileSystemType.of(directory), FileSystemType.of(odd));
    }

    /** The same as the JDK says, for whatever is mounted here. */
    @Test
    void asTheJdkNamesThem() throws IOException {
        for (Path path : List.of(Path.of("/sys/fs/cgroup"), Path.of("/dev/shm"), Path.of("/proc"), Path.of("/sys"))) {
            if (Files.isDirectory(path)) {
                FileSystemType expected = switch (Files.getFileStore(path).type()) {
                    case "cgroup2" -> FileSystemType.CGROUP2;
                    case "cgroup" -> FileSystemType.CGROUP;
                    case "tmpfs" -> FileSystemType.TMPFS;
                    case "proc" -> FileSystemType.PROC;
                    default -> FileSystemType.OTHER;
                };
                assertEquals(expected, FileSystemType.of(path), path.toString());
            }
        }
    }

    @Test
    void theLimitOfOpenFilesIsWhatTheKernelSays() throws IOException {
        long limit = OpenFilesLimit.raised();
        assertTrue(limit > 0);
        String line = Files.readString(Path.of("/proc/self/limits"))
                .lines()
                .filter(each -> each.startsWith("Max open files"))
                .findFirst()
                .orElseThrow();
        String[] words = line.trim().split(" +", -1);
        String soft = words[3];
        assertEquals(soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft), limit);
        assertEquals(words[4], soft, "raised to the hard one");
        assertEquals(limit, OpenFilesLimit.raised());
    }
}
