package io.kubepods.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.kubepods.OpenDescriptors;
import io.kubepods.kernel.KernelFile.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PosixFilesTest {
    private static final int PLENTY = 10_000;

    @TempDir
    Path directory;

    private final byte[] text = new byte[64 * 1024];

    private KernelFile file(String name, Use use) {
        return new KernelFile(new KernelDirectory(directory), new KernelFile.Name(name), use);
    }

    private KernelFile written(String name, String content, Use use) throws IOException {
        Files.writeString(directory.resolve(name), content);
        return file(name, use);
    }

    private String read(PosixFiles posix, KernelFile file) {
        int length = posix.read(file, 0, text);
        return length < 0 ? Errno.name(-length) : new String(text, 0, length, UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void everyUseReadsWhatTheFileSaysNow(Use use) throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("cpu.stat", "first\n", use);
        assertEquals("first\n", read(posix, file));
        Files.writeString(directory.resolve("cpu.stat"), "then something longer\n");
        assertEquals("then something longer\n", read(posix, file));
        Files.writeString(directory.resolve("cpu.stat"), "");
        assertEquals("", read(posix, file));
        posix.close(file);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void aDescriptorIsOpenedOnceAndKept() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("cpu.stat", "old\n", Use.EVERY_TICK);
        assertFalse(file.isKept());
        read(posix, file);
        assertTrue(file.isKept());
        int descriptor = file.descriptor;
        // Another file under the same name is not seen: on cgroup2 the kept descriptor would answer ENODEV.
        Files.delete(directory.resolve("cpu.stat"));
        Files.writeString(directory.resolve("cpu.stat"), "new\n");
        assertEquals("old\n", read(posix, file));
        assertEquals(descriptor, file.descriptor);
        assertEquals(1, posix.keptFiles() + posix.keptDirectories());
        assertEquals(1, OpenDescriptors.under(directory));

        posix.close(file);
        assertFalse(file.isKept());
        assertEquals("new\n", read(posix, file));
        posix.close(file);
        posix.close(file);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void aFileReadOnceIsNotKept() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("status", "x\n", Use.ONCE);
        assertEquals("x\n", read(posix, file));
        assertFalse(file.isKept());
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void errnos() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        written("plain", "x\n", Use.ONCE);
        Files.createDirectory(directory.resolve("sub"));
        Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertEquals("ENOENT", read(posix, file("absent", Use.EVERY_TICK)));
        assertEquals("ENOTDIR", read(posix, file("plain/below", Use.EVERY_TICK)));
        assertEquals("EISDIR", read(posix, file("sub", Use.EVERY_TICK)));
        assertEquals("ELOOP", read(posix, file("loop", Use.EVERY_TICK)));
        assertEquals("errno 36", read(posix, file("n".repeat(300), Use.EVERY_TICK)));
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void whatMayNotBeReadIsAnErrno() throws IOException {
        KernelFile file = written("memory.reclaim", "x\n", Use.EVERY_TICK);
        Files.setPosixFilePermissions(
                directory.resolve("memory.reclaim"), PosixFilePermissions.fromString("-w-------"));
        assumeFalse(Files.isReadable(directory.resolve("memory.reclaim")), "root reads anything");
        assertEquals("EACCES", read(new PosixFiles(PLENTY), file));
    }

    @Test
    void aFileAsLongAsTheBufferIsNotAValue() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("memory.stat", "x".repeat(99), Use.EVERY_TICK);
        assertEquals(99, posix.read(file, 0, new byte[100]));
        assertEquals(-Errno.EFBIG, posix.read(file, 0, new byte[99]));
        assertEquals(-Errno.EFBIG, posix.read(file, 0, new byte[10]));
        assertEquals(99, posix.read(file, 0, new byte[100]));
        posix.close(file);

        KernelFile neverRead = file("memory.stat", Use.EVERY_TICK);
        assertEquals(-Errno.EFBIG, posix.read(neverRead, 0, new byte[99]));
        assertFalse(neverRead.isKept());
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void aFileLongerThanTheBounceBufferIsNotAValue() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("huge", "x".repeat(64 * 1024), Use.ONCE);
        assertEquals(-Errno.EFBIG, posix.read(file, 0, new byte[128 * 1024]));
        Files.writeString(directory.resolve("huge"), "x".repeat(64 * 1024 - 1));
        assertEquals(64 * 1024 - 1, posix.read(file, 0, new byte[128 * 1024]));
    }

    @Test
    void bytesBehindWhatWasReadStay() throws IOException {
        byte[] into = "0123456789".getBytes(UTF_8);
        assertEquals(3, new PosixFiles(PLENTY).read(written("f", "abc", Use.ONCE), 0, into));
        assertEquals("abc3456789", new String(into, UTF_8));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 64, 4_095})
    void aLongFileInPieces(int piece) throws IOException {
        PosixFiles posix = new PosixFiles(256); // no descriptor to keep, and yet one from piece to piece
        StringBuilder lines = new StringBuilder();
        for (int pid = 1; pid < 3_000; pid++) {
            lines.append(pid).append('\n');
        }
        KernelFile file = written("cgroup.procs", lines.toString(), Use.IN_PIECES);
        byte[] into = new byte[piece];
        StringBuilder found = new StringBuilder();
        int length;
        while ((length = posix.read(file, found.length(), into)) > 0) {
            found.append(new String(into, 0, length, UTF_8));
            assertTrue(file.isKept());
            assertEquals(1, posix.keptFiles() + posix.keptDirectories());
        }
        assertEquals(0, length);
        assertEquals(lines.toString(), found.toString());
        assertFalse(file.isKept());
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void anEmptyFileInPiecesIsNotKept() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelFile file = written("cgroup.procs", "", Use.IN_PIECES);
        assertEquals(0, posix.read(file, 0, text));
        assertFalse(file.isKept());
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 255, 256})
    void withoutADescriptorToSpareEveryReadOpens(long openFiles) throws IOException {
        PosixFiles posix = new PosixFiles(openFiles);
        assertEquals(0, posix.keptFilesAtMost());
        KernelFile tick = written("a", "1\n", Use.EVERY_TICK);
        KernelFile scrape = written("b", "2\n", Use.EVERY_SCRAPE);
        for (int i = 0; i < 3; i++) {
            assertEquals("1\n", read(posix, tick));
            assertEquals("2\n", read(posix, scrape));
            assertEquals(0, posix.list(tick.directory, (inode, names, from, to) -> {}));
        }
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    private List<KernelFile> readMany(PosixFiles posix, int count, Use use) throws IOException {
        List<KernelFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KernelFile file = written(use + " " + i, use + " " + i, use);
            assertEquals(use + " " + i, read(posix, file));
            files.add(file);
        }
        return files;
    }

    private static long kept(List<KernelFile> files) {
        return files.stream().filter(KernelFile::isKept).count();
    }

    @Test
    void filesOfEveryTickHaveRoomThatFilesOfEveryScrapeCannotTake() throws IOException {
        PosixFiles posix = new PosixFiles(256 + 40);
        assertEquals(20, posix.keptFilesAtMost());
        List<KernelFile> scrape = readMany(posix, 50, Use.EVERY_SCRAPE);
        List<KernelFile> tick = readMany(posix, 50, Use.EVERY_TICK);
        assertEquals(10, kept(scrape));
        assertEquals(10, kept(tick), "half the limit is for directories");
        assertEquals(20, posix.keptFiles() + posix.keptDirectories());
        assertEquals(20, OpenDescriptors.under(directory));

        // All are still right, and whoever leaves makes room for another.
        for (int i = 0; i < 50; i++) {
            assertEquals("EVERY_SCRAPE " + i, read(posix, scrape.get(i)));
            assertEquals("EVERY_TICK " + i, read(posix, tick.get(i)));
        }
        tick.forEach(posix::close);
        scrape.subList(0, 5).forEach(posix::close);
        assertEquals(5, posix.keptFiles() + posix.keptDirectories());
        assertEquals("EVERY_SCRAPE 49", read(posix, scrape.get(49)));
        assertTrue(scrape.get(49).isKept());
        scrape.forEach(posix::close);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void filesOfEveryTickMayTakeWhatFilesOfEveryScrapeDoNot() throws IOException {
        PosixFiles posix = new PosixFiles(256 + 40);
        List<KernelFile> tick = readMany(posix, 50, Use.EVERY_TICK);
        List<KernelFile> scrape = readMany(posix, 5, Use.EVERY_SCRAPE);
        assertEquals(20, kept(tick));
        assertEquals(0, kept(scrape));
        tick.forEach(posix::close);
    }

    @Test
    void halfTheLimitIsForFilesButNeverMoreThanSoMany() {
        assertEquals(PosixFiles.KEPT_AT_MOST, new PosixFiles(Long.MAX_VALUE).keptFilesAtMost());
        PosixFiles posix = new PosixFiles(256 + 2 * PosixFiles.KEPT_AT_MOST + 2);
        assertEquals(PosixFiles.KEPT_AT_MOST, posix.keptFilesAtMost());
        assertEquals(
                PosixFiles.KEPT_AT_MOST - 1, new PosixFiles(256 + 2 * PosixFiles.KEPT_AT_MOST - 2).keptFilesAtMost());
        assertEquals(Optional.empty(), PosixFiles.problem());
    }

    @Test
    void directoriesAreKeptUpToTheLimitBeforeAndBehindFiles() throws IOException {
        PosixFiles posix = new PosixFiles(256 + 4);
        List<KernelDirectory> directories = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Files.createDirectory(directory.resolve("d" + i));
            directories.add(new KernelDirectory(directory.resolve("d" + i)));
        }
        KernelFile file = written("a", "1\n", Use.EVERY_TICK);
        read(posix, file);
        for (int round = 0; round < 2; round++) {
            for (KernelDirectory each : directories) {
                assertEquals(0, posix.list(each, (inode, names, from, to) -> {}));
            }
        }
        assertEquals(4, posix.keptFiles() + posix.keptDirectories());
        assertEquals(4, OpenDescriptors.under(directory));
        directories.forEach(posix::close);
        directories.forEach(posix::close);
        posix.close(file);
        assertEquals(0, posix.keptFiles() + posix.keptDirectories());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    @Test
    void aFileIsOpenedInTheVeryDirectoryThatIsKept() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        Path pod = Files.createDirectory(directory.resolve("pod"));
        Files.writeString(pod.resolve("cpu.max"), "before\n");
        KernelDirectory kept = new KernelDirectory(pod);
        posix.list(kept, (inode, names, from, to) -> {});
        Files.move(pod, directory.resolve("moved"));
        Files.createDirectory(pod);
        Files.writeString(pod.resolve("cpu.max"), "after\n");
        assertEquals("before\n", read(posix, new KernelFile(kept, new KernelFile.Name("cpu.max"), Use.ONCE)));
        posix.close(kept);
        assertEquals("after\n", read(posix, new KernelFile(kept, new KernelFile.Name("cpu.max"), Use.ONCE)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with blank",
                "kubepods-pod_x.slice:cri-containerd:1",
                "ünïcode-中文",
                "new\nline",
                "..x",
                ".hidden",
                "-"
            })
    void namesOfAllKinds(String name) throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        Files.createDirectories(directory.resolve(name));
        Files.writeString(directory.resolve(name).resolve(name), "x\n");
        KernelDirectory top = new KernelDirectory(directory);
        List<String> found = new ArrayList<>();
        assertEquals(
                0, posix.list(top, (inode, names, from, to) -> found.add(new String(names, from, to - from, UTF_8))));
        assertEquals(List.of(name), found);
        assertEquals("x\n", read(posix, new KernelFile(top.child(name), new KernelFile.Name(name), Use.ONCE)));
        posix.close(top);
    }

    @Test
    void aPathOfAnyLength() throws IOException {
        PosixFiles posix = new PosixFiles(PLENTY);
        KernelDirectory at = new KernelDirectory(directory);
        Path path = directory;
        for (int i = 0; i < 8; i++) {
            at = at.child("d".repeat(200));
            path = path.resolve("d".repeat(200));
        }
        Files.createDirectories(path);
        Files.writeString(path.resolve("f"), "deep\n");
        assertEquals("deep\n", read(posix, new KernelFile(at, new KernelFile.Name("f"), Use.ONCE)));
        assertEquals(0, posix.list(at, (inode, names, from, to) -> {}));
        posix.close(at);
    }

    @Test
    @Timeout(60)
    void aFifoHoldsNobody() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        KernelFile file =
                new KernelFile(new KernelDirectory(directory), new KernelFile.Name("fifo"), KernelFile.Use.EVERY_TICK);
        assertEquals(-29, new PosixFiles().read(file, 0, new byte[16]), "ESPIPE, at once");
    }
}
