package io.kubepods.cgroup;

import io.kubepods.kernel.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whether a directory is the root of a node's cgroup v2 hierarchy: the kernel's mount, or a copy of it in plain files. */
public final class CgroupRoot {
    private static final List<String> V1_CONTROLLERS = List.of("memory", "cpu", "cpu,cpuacct", "pids");

    private CgroupRoot() {}

    /** @return one sentence that says what was found and what is needed; empty when the directory will do */
    public static Optional<String> problem(Path root) {
        if (!Files.isDirectory(root)) {
            return Optional.of("There is no directory " + root
                    + "; --path.cgroupfs must name the place where the node's cgroup v2 hierarchy is mounted.");
        }
        Path controllers = root.resolve("cgroup.controllers");
        if (Files.exists(controllers)) {
            return has(controllers, "cpu") || has(controllers, "memory")
                    ? Optional.empty()
                    : Optional.of(
                            root + " is a cgroup v2 hierarchy without the cpu and memory controllers, as in a hybrid"
                                    + " setup; this agent needs cgroup v2 alone"
                                    + " (kernel parameter systemd.unified_cgroup_hierarchy=1).");
        }
        boolean v1 = V1_CONTROLLERS.stream().anyMatch(name -> Files.isDirectory(root.resolve(name)));
        if (Files.exists(root.resolve("unified/cgroup.controllers"))) {
            return Optional.of(root + " is a hybrid hierarchy: cgroup v1 controllers, and a cgroup v2 at " + root
                    + "/unified that does not have them; this agent needs cgroup v2 alone"
                    + " (kernel parameter systemd.unified_cgroup_hierarchy=1).");
        }
        if (v1) {
            return Optional.of(root + " is cgroup v1; this agent needs cgroup v2"
                    + " (kernel parameter systemd.unified_cgroup_hierarchy=1, and Linux 5.8 or later).");
        }
        return Optional.of(root + " is no cgroup v2 hierarchy: it has no file cgroup.controllers (file system: "
                + FileSystemType.of(root) + "); --path.cgroupfs must name the place where cgroup2 is mounted.");
    }

    private static boolean has(Path controllers, String name) {
        try {
            return Arrays.asList(Files.readString(controllers).strip().split(" ", -1))
                    .contains(name);
        } catch (IOException e) {
            return true; // what it cannot read it cannot refuse; the reads that matter will say why
        }
    }

    /**
     * Whether this process sees only its own part of the hierarchy: the real root has no cgroup.events, the root of a cgroup
     * namespace does (Documentation/admin-guide/cgroup-v2.rst, "Namespace").
     */
    public static boolean isNamespaced(Path root) {
        return Files.exists(root.resolve("cgroup.events"));
    }
}
