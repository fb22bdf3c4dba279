package io.kubepods.agent;

import java.util.List;
import java.util.Map;

/** A cgroup that the guest has built: a row of its cgroups.tsv, where {@code -} is nothing. */
record KernelLabCgroup(String role, String namespace, String pod, String name, String path, String pid) {
    static List<KernelLabCgroup> parse(String tsv) {
        return tsv.lines()
                .map(line -> line.split("\t"))
                .map(row -> new KernelLabCgroup(row[0], row[1], row[2], row[3], row[4], row[5]))
                .toList();
    }

    String file(String name) {
        return fileOf(path, name);
    }

    /** A file of the cgroup above. */
    String parentFile(String name) {
        return fileOf(path.substring(0, path.lastIndexOf('/')), name);
    }

    static String fileOf(String path, String name) {
        return "/sys/fs/cgroup/" + path + "/" + name;
    }

    /** A file of the container's first process. */
    String process(String name) {
        return "/proc/" + pid + "/" + name;
    }

    /** Its labels in the exposition. */
    Map<String, String> labels() {
        return switch (role) {
            case "container" -> Map.of("namespace", namespace, "pod", pod, "container", name);
            case "pod" -> Map.of("namespace", namespace, "pod", pod);
            case "slice" -> Map.of("slice", name);
            default -> throw new IllegalArgumentException("no role: " + role);
        };
    }
}
