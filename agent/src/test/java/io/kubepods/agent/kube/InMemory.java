package io.kubepods.agent.kube;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A directory for ten thousand small files: on a tmpfs where there is one, as cgroups are in memory, too. On a disk, making
 * them takes longer than all else.
 */
final class InMemory implements TempDirFactory {
    private static final Path TMPFS = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension) throws Exception {
        return Files.isWritable(TMPFS) ? Files.createTempDirectory(TMPFS, "junit") : Files.createTempDirectory("junit");
    }
}
