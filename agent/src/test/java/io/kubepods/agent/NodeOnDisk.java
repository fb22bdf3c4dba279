package io.kubepods.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A node's cgroups as plain directories, as systemd's driver and containerd name them; they come and go as a test likes. */
public final class NodeOnDisk {
    private final Path root;
    private final Path pods;

    /** @param root becomes the node's root directory */
    public NodeOnDisk(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(procfs().resolve("1"));
        Files.createDirectories(cgroupfs());
        Files.writeString(cgroupfs().resolve("cgroup.controllers"), "cpuset cpu io memory hugetlb pids rdma misc\n");
        pods = cgroupfs().resolve("kubepods.slice/kubepods-burstable.slice");
        cgroup(cgroupfs().resolve("kubepods.slice"));
        cgroup(pods);
    }

    public Path cgroupfs() {
        return root.resolve("sys/fs/cgroup");
    }

    public Path procfs() {
        return root.resolve("proc");
    }

    private Path pod(String uid) {
        return pods.resolve("kubepods-burstable-pod" + uid.replace('-', '_') + ".slice");
    }

    private Path container(String uid, String id) {
        return pod(uid).resolve("cri-containerd-" + id + ".scope");
    }

    public void add(String uid, String id) throws IOException {
        if (!Files.exists(pod(uid))) {
            cgroup(pod(uid));
        }
        cgroup(container(uid, id));
    }

    /** So many processes of a container were killed, each at the container's limit. */
    public void oomKills(String uid, String id, int count) throws IOException {
        for (Path at : List.of(pods.getParent(), pods, pod(uid), container(uid, id))) {
            String text = "low 0\nhigh 0\nmax %1$d\noom %1$d\noom_kill %1$d\noom_group_kill 0\n".formatted(count);
            Files.writeString(at.resolve("memory.events"), text);
        }
    }

    private static void cgroup(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("cgroup.procs"), "");
        Files.writeString(directory.resolve("cpu.stat"), "usage_usec 1000000\nuser_usec 600000\nsystem_usec 400000\n");
    }

    public void remove(String uid, String id) throws IOException {
        delete(container(uid, id));
    }

    public void remove(String uid) throws IOException {
        delete(pod(uid));
    }

    private static void delete(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> walked = Files.walk(directory)) {
            all = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    /** The pod's cgroup id: in plain files too, its inode. */
    public long id(String uid) throws IOException {
        return (long) Files.getAttribute(pod(uid), "unix:ino");
    }

    public long id(String uid, String id) throws IOException {
        return (long) Files.getAttribute(container(uid, id), "unix:ino");
    }
}
