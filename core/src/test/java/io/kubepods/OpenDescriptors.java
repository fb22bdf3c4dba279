package io.kubepods;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The descriptors this process has open, as the kernel counts them; what the JVM opens meanwhile is elsewhere. */
public final class OpenDescriptors {
    private OpenDescriptors() {}

    /** How many lead to {@code directory}, to what is below it, or to what was. */
    public static long under(Path directory) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            Path real = directory.toRealPath();
            return descriptors.filter(link -> leadsTo(link, real)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean leadsTo(Path link, Path directory) {
        try {
            return Files.readSymbolicLink(link).startsWith(directory);
        } catch (NoSuchFileException closedMeanwhile) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
