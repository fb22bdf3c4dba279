package io.kubepods.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.OpenDescriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link PosixFiles#list}. */
class PosixDirectoriesTest {
    @TempDir
    Path directory;

    private final PosixFiles posix = new PosixFiles(1_000);

    private static Map<String, Long> list(PosixFiles posix, KernelDirectory directory) {
        Map<String, Long> found = new HashMap<>();
        int result = posix.list(
                directory, (inode, names, from, to) -> found.put(new String(names, from, to - from, UTF_8), inode));
        assertEquals(0, result);
        return found;
    }

    private static long inode(Path path) throws IOException {
        return (Long) Files.getAttribute(path, "unix:ino");
    }

    @Test
    void subdirectoriesOnlyEachWithItsInode() throws IOException {
        Files.writeString(directory.resolve("cpu.stat"), "x");
        Files.createDirectory(directory.resolve("a"));
        Files.createDirectory(directory.resolve("b"));
        Files.createDirectory(directory.resolve("a/below"));
        Files.createSymbolicLink(directory.resolve("link"), Path.of("a"));
        KernelDirectory top = new KernelDirectory(directory);
        assertEquals(Map.of("a", inode(directory.resolve("a")), "b", inode(directory.resolve("b"))), list(posix, top));
        posix.close(top);
    }

    @Test
    void again() throws IOException {
        KernelDirectory top = new KernelDirectory(directory);
        assertEquals(Map.of(), list(posix, top));
        Files.createDirectory(directory.resolve("a"));
        assertEquals(Set.of("a"), list(posix, top).keySet());
        Files.createDirectory(directory.resolve("b"));
        Files.delete(directory.resolve("a"));
        assertEquals(Set.of("b"), list(posix, top).keySet());
        posix.close(top);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
    }

    /** More than one getdents64 gives. */
    @Test
    void tenThousandSubdirectories() throws IOException {
        for (int i = 0; i < 10_000; i++) {
            Files.createDirectory(directory.resolve("cri-containerd-" + i));
        }
        KernelDirectory top = new KernelDirectory(directory);
        assertEquals(10_000, list(posix, top).size());
        assertEquals(10_000, list(posix, top).size());
        posix.close(top);
    }

    @Test
    void aRemovedDirectoryIsGoneThroughAKeptDescriptorToo() throws IOException {
        Path pod = Files.createDirectory(directory.resolve("pod"));
        KernelDirectory kept = new KernelDirectory(pod);
        list(posix, kept);
        Files.delete(pod);
        assertEquals(-Errno.ENOENT, posix.list(kept, (inode, names, from, to) -> {}));
        Files.createDirectory(pod);
        assertEquals(-Errno.ENOENT, posix.list(kept, (inode, names, from, to) -> {}), "another one");
        posix.close(kept);
        assertEquals(Map.of(), list(posix, kept));
        posix.close(kept);
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void errnos() throws IOException {
        Files.writeString(directory.resolve("file"), "x");
        List<String> found = new ArrayList<>();
        KernelDirectories.Subdirectory each = (inode, names, from, to) -> found.add("?");
        KernelDirectory top = new KernelDirectory(directory);
        assertEquals(-Errno.ENOENT, posix.list(top.child("absent"), each));
        assertEquals(-Errno.ENOTDIR, posix.list(top.child("file"), each));
        assertEquals(List.of(), found);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void aPassingDirectoryIsNotKept() throws IOException {
        Files.createDirectory(directory.resolve("a"));
        Files.createDirectory(directory.resolve("a/b"));
        KernelDirectory passing = new KernelDirectory(directory).passing("a");
        assertEquals(Set.of("b"), list(posix, passing).keySet());
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void pathsAreAsTheyWereGiven() {
        KernelDirectory top = new KernelDirectory(Path.of("/sys/fs/cgroup"));
        assertEquals("/sys/fs/cgroup", top.toString());
        assertEquals("/sys/fs/cgroup/ä b", top.child("ä b").toString());
        KernelFile file = new KernelFile(top.child("x"), new KernelFile.Name("cpu.stat"), KernelFile.Use.ONCE);
        assertEquals("/sys/fs/cgroup/x/cpu.stat", file.toString());
        assertEquals("cpu.stat", file.name());
    }
}
