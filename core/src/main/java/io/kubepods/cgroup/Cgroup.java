package io.kubepods.cgroup;

import io.kubepods.kernel.KernelDirectory;
import io.kubepods.kernel.PosixFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cgroup that is there: its place in the tree, its identity, and what its files said last. A cgroup removed and made
 * again is another object.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class Cgroup {
    final KernelDirectory directory;
    final List<Cgroup> children = new ArrayList<>();
    private final @Nullable Cgroup parent;
    private final CgroupName name;
    private final String directoryName;
    private final byte[] nameBytes;
    private final long id;
    private final CgroupSample sample;
    /** Set while the parent is listed: still there. */
    boolean seen = true;
    /** How often its children were looked for. */
    int listed;

    private Cgroup(KernelDirectory directory, @Nullable Cgroup parent, CgroupName name, String directoryName, long id) {
        this.directory = directory;
        this.parent = parent;
        this.name = name;
        this.directoryName = directoryName;
        this.id = id;
        nameBytes = directoryName.getBytes(StandardCharsets.UTF_8);
        sample = new CgroupSample(directory);
    }

    static Cgroup root(KernelDirectory directory) {
        return new Cgroup(directory, null, CgroupName.OUTSIDE, "", 0);
    }

    Cgroup child(String childName, long inode) {
        CgroupName named = name.child(childName);
        // A machine may have thousands of cgroups that are no pods'; they are listed rarely, and not kept open.
        KernelDirectory below =
                named.role() == CgroupName.Role.OUTSIDE ? directory.passing(childName) : directory.child(childName);
        return new Cgroup(below, this, named, childName, inode);
    }

    /** What it is. */
    public CgroupName name() {
        return name;
    }

    public CgroupName.Role role() {
        return name.role();
    }

    /** The cgroup id, which is the directory's inode: a new one for every cgroup made, rising until the next boot. */
    public long id() {
        return id;
    }

    /** The cgroup above; null for the root. */
    public @Nullable Cgroup parent() {
        return parent;
    }

    public List<Cgroup> children() {
        return Collections.unmodifiableList(children);
    }

    /** Where its files are. */
    public KernelDirectory directory() {
        return directory;
    }

    /** The path below the root, as the kernel prints it: {@code /kubepods.slice/…}; {@code /} for the root itself. */
    public String path() {
        if (parent == null) {
            return "/";
        }
        return parent.parent == null ? "/" + directoryName : parent.path() + "/" + directoryName;
    }

    /** What the files said when they were last read. */
    public CgroupSample sample() {
        return sample;
    }

    /** The least CPU limit from this cgroup up to the root, in cores; NaN where there is none. */
    public double leastCpuLimit() {
        double least = Double.NaN;
        for (Cgroup at = this; at != null; at = at.parent) {
            double cores = at.sample.cpuMax().cores();
            if (!(least <= cores)) {
                least = Double.isNaN(cores) ? least : cores;
            }
        }
        return least;
    }

    boolean isNamed(byte[] names, int from, int to, long inode) {
        return inode == id
                && nameBytes.length == to - from
                && Arrays.equals(nameBytes, 0, nameBytes.length, names, from, to);
    }

    /** Closes every descriptor kept for this cgroup. */
    public void close(PosixFiles files) {
        sample.close(files);
        files.close(directory);
    }

    @Override
    public String toString() {
        return path();
    }
}
