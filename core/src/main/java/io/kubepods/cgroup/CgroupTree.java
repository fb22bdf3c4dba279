package io.kubepods.cgroup;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelDirectories;
import io.kubepods.kernel.KernelDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The cgroups that are there, from the root to the containers, kept up to date by listing directories. Listing again what
 * has not changed allocates nothing.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class CgroupTree {
    /** Deeper than any layout known; a bound for what is outside the kubepods trees. */
    private static final int DEEPEST = 16;

    /** So many walks look for crun's inner cgroup, which is made a moment after the scope. */
    static final int LOOKS_FOR_INNER = 5;

    /** Is told what came and went; a cgroup that went is told after all below it. */
    public interface Listener {
        void appeared(Cgroup cgroup);

        void vanished(Cgroup cgroup);
    }

    private final KernelDirectories directories;
    private final ErrorCounts errors;
    private final Listener listener;
    private final Cgroup root;
    private final Listing listing = new Listing();
    private int kubepodsTrees;
    private int unknown;
    private int size;

    public CgroupTree(KernelDirectories directories, Path root, ErrorCounts errors, Listener listener) {
        this.directories = directories;
        this.errors = errors;
        this.listener = listener;
        this.root = Cgroup.root(new KernelDirectory(root));
    }

    public Cgroup root() {
        return root;
    }

    /** How many directories are the root of a kubelet's pods. */
    public int kubepodsTrees() {
        return kubepodsTrees;
    }

    /** How many directories in kubepods trees are like nothing that is known. */
    public int unknown() {
        return unknown;
    }

    /** How many cgroups are known, outside and inside the kubepods trees. */
    public int size() {
        return size;
    }

    /**
     * Lists the kubepods trees again, down to the pods.
     *
     * @param everywhere to look for new trees and misplaced containers in all other cgroups too
     * @param now {@link System#nanoTime()}
     */
    public void refresh(boolean everywhere, long now) {
        refresh(root, everywhere, 0, now);
    }

    /** Lists one container again, for crun's inner cgroup. */
    public void refreshContainer(Cgroup container, long now) {
        list(container, now);
    }

    private void refresh(Cgroup cgroup, boolean everywhere, int depth, long now) {
        if ((everywhere || cgroup.role() != CgroupName.Role.OUTSIDE) && !list(cgroup, now)) {
            return;
        }
        for (int i = cgroup.children.size() - 1; i >= 0; i--) {
            Cgroup child = cgroup.children.get(i);
            if (child.role() == CgroupName.Role.CONTAINER) {
                if (child.listed < LOOKS_FOR_INNER) {
                    list(child, now);
                }
            } else if (child.role().isListed() && depth < DEEPEST) {
                refresh(child, everywhere, depth + 1, now);
            }
        }
    }

    /** Brings the children of one cgroup up to date; false when it is not there any more, or may not be listed. */
    private boolean list(Cgroup cgroup, long now) {
        cgroup.listed++;
        listing.begin(cgroup);
        int result = directories.list(cgroup.directory, listing);
        if (result == -Errno.ENOENT || result == -Errno.ENODEV || result == -Errno.ENOTDIR) {
            Cgroup parent = cgroup.parent();
            if (parent != null) {
                parent.children.remove(cgroup);
                remove(cgroup);
                return false;
            }
        }
        if (result < 0) {
            errors.count("directory", Errno.name(-result), cgroup.directory, now);
            return false; // what is known stays: nothing has been seen to be gone
        }
        for (int i = cgroup.children.size() - 1; i >= 0; i--) {
            Cgroup child = cgroup.children.get(i);
            if (!child.seen) {
                cgroup.children.remove(i);
                remove(child);
            }
        }
        for (int i = 0; i < listing.found.size(); i++) {
            add(cgroup, listing.found.get(i));
        }
        return true;
    }

    private void add(Cgroup parent, Found found) {
        Cgroup child = parent.child(found.name, found.inode);
        if (child.role() == CgroupName.Role.NESTED) {
            return; // a container's own business, and it may have ten thousand
        }
        parent.children.add(child);
        count(child, 1);
        listener.appeared(child);
    }

    private void remove(Cgroup cgroup) {
        for (int i = cgroup.children.size() - 1; i >= 0; i--) {
            remove(cgroup.children.get(i));
        }
        cgroup.children.clear();
        count(cgroup, -1);
        listener.vanished(cgroup);
    }

    private void count(Cgroup cgroup, int by) {
        size += by;
        switch (cgroup.role()) {
            case KUBEPODS -> kubepodsTrees += by;
            case UNKNOWN -> unknown += by;
            default -> {}
        }
    }

    private record Found(String name, long inode) {}

    /** Compares what a listing finds with the children that are known; the order hardly ever changes. */
    private static final class Listing implements KernelDirectories.Subdirectory {
        final List<Found> found = new ArrayList<>();
        private List<Cgroup> known = List.of();
        private int next;

        void begin(Cgroup cgroup) {
            found.clear();
            known = cgroup.children;
            next = 0;
            for (int i = 0; i < known.size(); i++) {
                known.get(i).seen = false;
            }
        }

        @Override
        public void found(long inode, byte[] names, int from, int to) {
            int count = known.size();
            for (int i = 0; i < count; i++) {
                int at = next + i < count ? next + i : next + i - count;
                Cgroup child = known.get(at);
                if (child.isNamed(names, from, to, inode)) {
                    child.seen = true;
                    next = at + 1 < count ? at + 1 : 0;
                    return;
                }
            }
            found.add(new Found(new String(names, from, to - from, StandardCharsets.UTF_8), inode));
        }
    }
}
