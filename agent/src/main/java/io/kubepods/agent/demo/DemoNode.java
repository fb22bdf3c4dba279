package io.kubepods.agent.demo;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small Kubernetes node as kind lays it out, written as plain files: its cgroups, its {@code /proc} and its pods.
 * Only {@link #step} changes it. Files are changed in place, for readers that keep descriptors; the pods file is
 * replaced.
 *
 * <p>Unlike in a real cgroup file system, a kept descriptor of a removed cgroup does not give ENODEV but the last
 * content: whether a cgroup is still there must be asked of its directory.
 *
 * <p>Not for several threads at once, and nobody may read while {@link #step} runs.
 */
public final class DemoNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoNode.class);
    private static final long MAX_TICK_USEC = 1_000_000;

    private final Path directory;
    private final Host host;
    private final InPlaceFiles files = new InPlaceFiles();
    private final CgroupFiles cgroupFiles;
    private final ProcFiles procFiles;
    private final Instant createdAt;

    private final Cgroup root = new Cgroup(null, "");
    private final List<Cgroup> units = new ArrayList<>();
    private final List<DemoPod> pods = new ArrayList<>();

    private DemoNode(Path directory, Instant startedAt) {
        this.directory = directory;
        host = new Host(startedAt);
        cgroupFiles = new CgroupFiles(files, cgroupfs());
        procFiles = new ProcFiles(files, procfs());
        createdAt = host.now();
        DemoPod.Place place = slices();
        for (PodSpec spec : PodSpec.all()) {
            pods.add(new DemoPod(spec, host, place));
        }
        root.settle(0);
    }

    /** Writes the node's tree below the directory, which must be empty or not there yet. */
    public static DemoNode create(Path directory) throws IOException {
        return create(directory, Instant.now());
    }

    static DemoNode create(Path directory, Instant startedAt) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw new DirectoryNotEmptyException(directory.toString());
            }
        }
        DemoNode node = new DemoNode(directory, startedAt);
        try {
            node.writeFiles();
            node.writePods();
            return node;
        } catch (IOException e) {
            node.close();
            throw e;
        }
    }

    public Path cgroupfs() {
        return directory.resolve("sys/fs/cgroup");
    }

    public Path procfs() {
        return directory.resolve("proc");
    }

    /** The kernel log's records, as they are read from /dev/kmsg. */
    public Path kmsg() {
        return directory.resolve("kmsg");
    }

    /** A PodList as JSON. */
    public Path podsFile() {
        return directory.resolve("pods.json");
    }

    /** Lets the time go by. Nobody may read meanwhile. */
    public void step(Duration elapsed) throws IOException {
        boolean changed = false;
        for (long left = elapsed.toNanos() / 1000; left > 0; left -= MAX_TICK_USEC) {
            changed |= tick(Math.min(left, MAX_TICK_USEC));
        }
        writeFiles();
        if (changed) {
            writePods();
        }
    }

    private boolean tick(long usec) {
        host.advance(usec);
        boolean changed = false;
        for (DemoPod pod : pods) {
            changed |= pod.advance(usec);
        }
        for (Cgroup unit : units) {
            unit.run(usec / 1000 * (2 + host.random.nextInt(20)));
        }
        root.settle(usec);
        return changed;
    }

    private void writeFiles() throws IOException {
        cgroupFiles.write(root);
        procFiles.writeProcesses(root);
        procFiles.writeNode(host, root);
        Files.writeString(kmsg(), host.takeLog(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        files.sweep();
    }

    private void writePods() throws IOException {
        Path written = directory.resolve("pods.json.new");
        Files.writeString(written, PodList.json(pods, createdAt));
        Files.move(written, podsFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The upper cgroups: kind's kubelet has --cgroup-root=/kubelet and reserves nothing. */
    private DemoPod.Place slices() {
        unit(root.child("init.scope"), "systemd", 1, 0, 9);
        Cgroup containerd = root.child("system.slice").child("containerd.service");
        unit(containerd, "containerd", host.nextPid(), -999, 58);
        Cgroup kubelet = root.child("kubelet.slice");
        unit(kubelet.child("kubelet.service"), "kubelet", host.nextPid(), -999, 64);

        Cgroup kubepods = kubelet.child("kubelet-kubepods.slice");
        Cgroup burstable = kubepods.child("kubelet-kubepods-burstable.slice");
        Cgroup bestEffort = kubepods.child("kubelet-kubepods-besteffort.slice");
        Resources allocatable = new Resources(Host.CPUS * 1000L, 0, 0, Host.MEMORY);
        kubepods.limit(allocatable, allocatable.sliceWeight());
        kubepods.pidsMax = 62_112;
        long burstableMilli = PodSpec.all().stream()
                .filter(spec -> spec.qos() == DemoPod.Qos.BURSTABLE)
                .mapToLong(spec -> spec.resources().requestMilli())
                .sum();
        burstable.cpuWeight = new Resources(burstableMilli, 0, 0, 0).sliceWeight();
        bestEffort.cpuWeight = Resources.NONE.sliceWeight();
        return new DemoPod.Place(kubepods, burstable, bestEffort, containerd);
    }

    private void unit(Cgroup cgroup, String command, int pid, int oomScoreAdj, long anonMi) {
        cgroup.processes.add(new DemoProcess(command, pid, 0, pid == 1 ? 0 : 1, 8, oomScoreAdj, 0));
        cgroup.hold(anonMi << 20, anonMi << 21, anonMi << 20, 0);
        units.add(cgroup);
    }

    /** Deletes the directory. */
    @Override
    public void close() {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.warn("cannot delete {}", directory, e);
        }
    }
}
