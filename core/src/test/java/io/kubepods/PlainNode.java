package io.kubepods;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A node in plain files: {@link #cgroupfs} is laid out like the cgroup mount, {@link #procfs} like /proc. */
public final class PlainNode {
    public final Path cgroupfs;
    public final Path procfs;

    public PlainNode(Path directory) {
        cgroupfs = directory.resolve("cgroup");
        procfs = directory.resolve("proc");
        make(cgroupfs);
        make(procfs);
    }

    /** A container id like no other. */
    public static String id(int number) {
        return String.format(Locale.ROOT, "%012x", number) + "c".repeat(52);
    }

    /** A pod uid like no other, with dashes. */
    public static String uid(int number) {
        return String.format(Locale.ROOT, "0a1b2c3d-4e5f-4071-8293-%012x", number);
    }

    /** Where the systemd driver puts a Burstable pod. */
    public static String podPath(int number) {
        return "kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
                + uid(number).replace('-', '_') + ".slice";
    }

    /** Where containerd puts a container of that pod. */
    public static String containerPath(int pod, int container) {
        return podPath(pod) + "/cri-containerd-" + id(container) + ".scope";
    }

    /** Makes a cgroup, and those above it, with the two files that every cgroup has. */
    public Path cgroup(String path) {
        Path at = cgroupfs;
        for (String name : List.of(path.split("/", -1))) {
            at = at.resolve(name);
            if (!Files.isDirectory(at)) {
                make(at);
                write(at.resolve("cgroup.procs"), "");
                write(at.resolve("cpu.stat"), "usage_usec 1\nuser_usec 1\nsystem_usec 0\n");
            }
        }
        return at;
    }

    /** Writes an interface file in place, as a kept descriptor sees it. */
    public void write(String cgroup, String file, String text) {
        write(cgroupfs.resolve(cgroup).resolve(file), text);
    }

    /** A process, and its number in its cgroup. */
    public void process(String cgroup, int pid, ProcessFiles files) {
        write(cgroup, "cgroup.procs", read(cgroupfs.resolve(cgroup).resolve("cgroup.procs")) + pid + "\n");
        files.write(procfs.resolve(Integer.toString(pid)), pid);
    }

    /** The first process of a container, as its files in /proc say it. */
    public void init(String cgroup, int pid, String command) {
        process(cgroup, pid, new ProcessFiles(command, 1, pid + "\t1", 100 + pid));
    }

    /** What a process's files say. */
    public record ProcessFiles(String command, int parent, String nsPids, long startTime) {
        void write(Path directory, int pid) {
            make(directory);
            PlainNode.write(
                    directory.resolve("status"),
                    "Name:\t" + command + "\nUmask:\t0022\nPid:\t" + pid + "\nPPid:\t" + parent + "\nNSpid:\t" + nsPids
                            + "\nThreads:\t1\n");
            PlainNode.write(
                    directory.resolve("stat"),
                    pid + " (" + command + ") S " + parent + " 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 " + startTime
                            + " 0 0 18446744073709551615\n");
            PlainNode.write(directory.resolve("oom_score_adj"), "-997\n");
            PlainNode.write(directory.resolve("oom_score"), "3\n");
        }
    }

    /** Removes a cgroup with all below it. */
    public void remove(String path) {
        delete(cgroupfs.resolve(path));
    }

    /** Ends a process: its number stays where it is listed. */
    public void end(int pid) {
        delete(procfs.resolve(Integer.toString(pid)));
    }

    private static void delete(Path top) {
        try (Stream<Path> all = Files.walk(top)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
