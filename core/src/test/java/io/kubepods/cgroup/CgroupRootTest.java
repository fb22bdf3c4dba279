package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupRootTest {
    @TempDir
    Path root;

    private String problem() {
        return CgroupRoot.problem(root).orElse("none");
    }

    @Test
    void theRootOfTheHierarchy() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu memory\n");
        assertEquals(Optional.empty(), CgroupRoot.problem(root));
        assertFalse(CgroupRoot.isNamespaced(root));
    }

    @Test
    void theRootOfANamespace() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu memory\n");
        Files.createFile(root.resolve("cgroup.events"));
        assertEquals(Optional.empty(), CgroupRoot.problem(root));
        assertTrue(CgroupRoot.isNamespaced(root));
    }

    @Test
    void nothingThere() {
        root = root.resolve("absent");
        assertTrue(problem().startsWith("There is no directory " + root), problem());
    }

    @Test
    void aFile() throws IOException {
        root = Files.createFile(root.resolve("file"));
        assertTrue(problem().startsWith("There is no directory"), problem());
    }

    @Test
    void cgroupV1() throws IOException {
        Files.createDirectory(root.resolve("memory"));
        assertTrue(problem().contains(" is cgroup v1; this agent needs cgroup v2"), problem());
    }

    @Test
    void hybrid() throws IOException {
        Files.createDirectory(root.resolve("memory"));
        Files.createDirectory(root.resolve("unified"));
        Files.createFile(root.resolve("unified/cgroup.controllers"));
        assertTrue(problem().contains(" is a hybrid hierarchy"), problem());
    }

    @Test
    void anyOtherDirectory() {
        assertTrue(problem().contains(" is no cgroup v2 hierarchy"), problem());
    }
}
