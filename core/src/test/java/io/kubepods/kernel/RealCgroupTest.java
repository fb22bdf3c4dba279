package io.kubepods.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubepods.OpenDescriptors;
import io.kubepods.kernel.KernelFile.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a cgroup2 mount of this machine, where there is one that may be written; skipped elsewhere. */
class RealCgroupTest {
    private static final KernelFile.Name CPU_STAT = new KernelFile.Name("cpu.stat");

    private final byte[] text = new byte[64 * 1024];
    private final PosixFiles posix = new PosixFiles(1_000);
    private Path cgroup = Path.of("/");

    @BeforeEach
    void makeACgroup() {
        Optional<Path> mount = List.of("/sys/fs/cgroup", "/sys/fs/cgroup/unified").stream()
                .map(Path::of)
                .filter(path -> FileSystemType.of(path) == FileSystemType.CGROUP2)
                .findFirst();
        assumeTrue(mount.isPresent(), "no cgroup2 mount");
        Path made = mount.orElseThrow()
                .resolve("kubepods-exporter-test-" + ProcessHandle.current().pid());
        try {
            cgroup = Files.createDirectory(made);
        } catch (IOException e) {
            assumeTrue(false, "no cgroup may be made: " + e);
        }
    }

    @AfterEach
    void removeIt() throws IOException {
        if (cgroup.getNameCount() > 0) {
            Files.deleteIfExists(cgroup);
        }
    }

    @Test
    void aKeptDescriptorOfARemovedCgroupGivesEnodevOnce() throws IOException {
        KernelDirectory directory = new KernelDirectory(cgroup);
        KernelFile file = new KernelFile(directory, CPU_STAT, Use.EVERY_TICK);
        assertTrue(posix.read(file, 0, text) > 0);
        assertTrue(posix.read(file, 0, text) > 0);
        assertTrue(file.isKept());
        Files.delete(cgroup);
        assertEquals(-Errno.ENODEV, posix.read(file, 0, text));
        assertFalse(file.isKept());
        assertEquals(-Errno.ENOENT, posix.read(file, 0, text));
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
    }

    @Test
    void aKeptDirectoryOfARemovedCgroupIsGone() throws IOException {
        KernelDirectory directory = new KernelDirectory(cgroup);
        KernelFile file = new KernelFile(directory, CPU_STAT, Use.EVERY_SCRAPE);
        assertEquals(0, posix.list(directory, (inode, names, from, to) -> {}));
        Files.delete(cgroup);
        assertEquals(-Errno.ENOENT, posix.list(directory, (inode, names, from, to) -> {}));
        Files.createDirectory(cgroup);
        assertTrue(posix.read(file, 0, text) < 0, "another cgroup of the same name");
        posix.close(directory);
        assertTrue(posix.read(file, 0, text) > 0);
        posix.close(file);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
    }

    @Test
    void subdirectoriesAndTheirInodes() throws IOException {
        Path child = Files.createDirectory(cgroup.resolve("child"));
        try {
            KernelDirectory directory = new KernelDirectory(cgroup);
            long inode = (Long) Files.getAttribute(child, "unix:ino");
            assertEquals(0, posix.list(directory, (id, names, from, to) -> {
                assertEquals(inode, id);
                assertEquals("child".length(), to - from);
            }));
            posix.close(directory);
            assertEquals(0, OpenDescriptors.under(cgroup));
        } finally {
            Files.delete(child);
        }
    }
}
