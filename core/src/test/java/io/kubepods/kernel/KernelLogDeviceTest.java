package io.kubepods.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubepods.OpenDescriptors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KernelLogDeviceTest {
    @TempDir
    Path directory;

    private Path path = Path.of("");
    private KernelLogDevice log = new KernelLogDevice(path);

    @BeforeEach
    void nameIt() {
        path = directory.resolve("kmsg");
        log = new KernelLogDevice(path);
    }

    @AfterEach
    void nothingIsLeftOpen() {
        log.close();
        assertFalse(log.isOpen());
        assertEquals(0, OpenDescriptors.under(directory));
    }

    private String next(byte[] into) {
        int length = log.next(into);
        return length < 0 ? Errno.name(-length) : new String(into, 0, length, UTF_8);
    }

    private String next() {
        return next(new byte[KernelLog.LONGEST_RECORD]);
    }

    private void written(String text) throws IOException {
        Files.writeString(path, text);
        assertEquals(0, log.open());
    }

    @Test
    void oneRecordAtATime() throws IOException {
        written("6,1,2,-;first\n6,2,3,-;second\n SUBSYSTEM=cpu\n DEVICE=+cpu:0\n6,3,4,-;third\n");
        assertEquals("6,1,2,-;first\n", next());
        assertEquals("6,2,3,-;second\n SUBSYSTEM=cpu\n DEVICE=+cpu:0\n", next());
        assertEquals("6,3,4,-;third\n", next());
        assertEquals("EAGAIN", next());
        Files.writeString(path, "6,4,5,-;later\n", StandardOpenOption.APPEND);
        assertEquals("6,4,5,-;later\n", next());
        assertEquals("EAGAIN", next());
    }

    @Test
    void openedAgainItBeginsAtTheOldest() throws IOException {
        written("6,1,2,-;first\n6,2,3,-;second\n");
        next();
        assertEquals(0, log.open());
        assertEquals("6,1,2,-;first\n", next());
        assertEquals(1, OpenDescriptors.under(directory));
    }

    @Test
    void aRecordLongerThanTheRoomIsSkipped() throws IOException {
        written("6,1,2,-;" + "x".repeat(100) + "\n6,2,3,-;second\n");
        assertEquals("EINVAL", next(new byte[50]));
        assertEquals("6,2,3,-;second\n", next(new byte[50]));
    }

    @Test
    void aFileLongerThanTheBufferIsReadWhole() throws IOException {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            records.add("6," + i + ",1,-;" + "y".repeat(i % 97) + "\n");
        }
        written(String.join("", records));
        List<String> found = new ArrayList<>();
        for (String record = next(); !record.equals("EAGAIN"); record = next()) {
            found.add(record);
        }
        assertEquals(records, found);
    }

    @Test
    void aLineWithoutEndIsGivenAsItIs() throws IOException {
        written("6,1,2,-;fir");
        assertEquals("6,1,2,-;fir", next());
        assertEquals("EAGAIN", next());
        written("z".repeat(40_000));
        assertEquals("EINVAL", next());
        assertEquals("EINVAL", next());
        assertEquals(40_000 % (2 * KernelLog.LONGEST_RECORD), next().length());
        assertEquals("EAGAIN", next());
    }

    @Test
    @Timeout(60)
    void aFifoHoldsNobody() throws Exception {
        assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
        assertEquals(0, log.open());
        assertEquals("EAGAIN", next(), "no writer");
        try (OutputStream writer = Files.newOutputStream(path)) {
            assertEquals("EAGAIN", next(), "nothing written");
            writer.write("6,1,2,-;first\n6,2,3,-;second\n".getBytes(UTF_8));
            assertEquals("6,1,2,-;first\n", next());
            assertEquals("6,2,3,-;second\n", next());
            assertEquals("EAGAIN", next());
        }
    }

    @Test
    void whatCannotBeOpenedIsAnErrnoWithASentence() throws IOException {
        assertEquals(-Errno.ENOENT, log.open());
        assertFalse(log.isOpen());
        assertEquals("EBADF", next());
        assertEquals(
                path + " cannot be opened (ENOENT): a container has it when it is privileged, or when it is mounted.",
                KernelLogDevice.reason(path, Errno.ENOENT));
        assertEquals(Optional.of(KernelLogDevice.reason(path, Errno.ENOENT)), KernelLogDevice.problem(path));
        assertTrue(KernelLogDevice.reason(path, Errno.EPERM).contains("CAP_SYSLOG"));
        assertTrue(KernelLogDevice.reason(path, Errno.EACCES).contains("security module"));
        assertEquals("kmsg cannot be opened (EIO).", KernelLogDevice.reason(Path.of("kmsg"), Errno.EIO));
    }

    @Test
    void whatMayNotBeReadIsAnErrno() throws IOException {
        Files.writeString(path, "x\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("-w-------"));
        assumeFalse(Files.isReadable(path), "root reads anything");
        assertEquals(-Errno.EACCES, log.open());
    }

    /** As kind does where there is no /dev/kmsg. */
    @Test
    void onlyTheDeviceIsBelieved() throws IOException {
        Files.createSymbolicLink(path, Path.of("/dev/null"));
        assertTrue(KernelLogDevice.problem(path).orElse("").contains("character device 1:11"));
        Files.delete(path);
        assertTrue(KernelLogDevice.problem(directory).orElse("").contains("character device 1:11"));
        Path plain = Files.writeString(directory.resolve("plain"), "");
        assertTrue(KernelLogDevice.problem(plain).orElse("").contains("character device 1:11"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertTrue(KernelLogDevice.problem(loop).orElse("").contains("cannot be looked at"));
    }

    @Test
    @Timeout(60)
    void thisMachines() {
        Path real = Path.of("/dev/kmsg");
        assumeTrue(KernelLogDevice.problem(real).isEmpty(), "not here");
        KernelLogDevice device = new KernelLogDevice(real);
        int result = device.open();
        assumeTrue(result == 0, () -> KernelLogDevice.reason(real, -result));
        byte[] record = new byte[KernelLog.LONGEST_RECORD];
        int records = 0;
        int length;
        while ((length = device.next(record)) != -Errno.EAGAIN && records < 10_000) {
            assertTrue(length > 0 || length == -Errno.EPIPE, Errno.name(-length));
            assertTrue(length < 0 || record[length - 1] == '\n');
            records++;
        }
        device.close();
    }
}
