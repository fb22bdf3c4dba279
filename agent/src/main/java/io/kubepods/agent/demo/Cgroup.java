package io.kubepods.agent.demo;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One cgroup: what happened in it, what its limits are, and the sums over its living and removed descendants. */
final class Cgroup {
    private static final long SLAB_UNRECLAIMABLE = 53 * Resources.PAGE;

    private static final long PERCPU = 3 * Resources.PAGE;
    private static final long STACK = 16_384;
    /** Charged ahead by the CPUs, so memory.current is above the sum of memory.stat (up to 64 pages per CPU). */
    private static final long CHARGED_AHEAD = 17 * Resources.PAGE;

    final String path;
    final @Nullable Cgroup parent;
    final List<Cgroup> children = new ArrayList<>();
    final List<DemoProcess> processes = new ArrayList<>();

    /** What happened here, as the .local files and the quota's counters say it. */
    final Counts own = new Counts();
    /** As of the last {@link #settle}: own, children and removed ones. */
    final Counts total = new Counts();

    private final Counts removed = new Counts();

    final Pressure cpuPressure = new Pressure();
    final Pressure memoryPressure = new Pressure();
    final Pressure ioPressure = new Pressure();
    /** cpu.stat.local: held by its own or an ancestor's quota. */
    long stalledUsec;

    long memoryPeak;
    long threadsPeak;
    /** The share of the last tick in which something ran here. */
    double running;

    private long ranUsec;

    // Limits; 0 is none.

    long cpuWeight = 100;
    long quotaUsec;
    long memoryHigh;
    long memoryMax;
    long pidsMax;
    boolean swapForbidden;
    boolean oomGroup;

    Cgroup(@Nullable Cgroup parent, String name) {
        this.parent = parent;
        this.path = parent == null ? "" : parent.path + "/" + name;
        if (parent != null) {
            parent.children.add(this);
        }
    }

    Cgroup child(String name) {
        return new Cgroup(this, name);
    }

    /** The limits of a slice that the kubelet writes, or of a scope that runc does. */
    void limit(Resources resources, long weight) {
        cpuWeight = weight;
        quotaUsec = resources.quotaUsec();
        memoryMax = resources.memoryMax();
    }

    /** As rmdir does: the counters stay with the parent. */
    void remove() {
        if (parent != null) {
            parent.removed.addRemoved(total);
            parent.children.remove(this);
        }
    }

    void run(long usec) {
        ranUsec += usec;
        own.cpu.add("usage_usec", usec);
        own.cpu.add("system_usec", usec / 8);
        own.cpu.add("user_usec", usec - usec / 8);
    }

    /** Sets what the processes here hold, in whole pages. Page cache is put on the two lists by {@code activeFile}. */
    void hold(long anon, long file, long activeFile, long shmem) {
        FlatKeyed memory = own.memory;
        long grownPages = (anon - memory.get("anon")) / Resources.PAGE;
        memory.add("pgfault", Math.max(0, grownPages));
        memory.set("anon", anon);
        memory.set("active_anon", anon / 8 / Resources.PAGE * Resources.PAGE);
        // Shared memory counts as file, and waits on the lists of anon.
        memory.set("inactive_anon", anon + shmem - memory.get("active_anon"));
        memory.set("shmem", shmem);
        memory.set("file", file + shmem);
        memory.set("active_file", activeFile);
        memory.set("inactive_file", file - activeFile);
        memory.set("file_mapped", file / 4 / Resources.PAGE * Resources.PAGE);
        settleMemory();
    }

    private void settleMemory() {
        FlatKeyed memory = own.memory;
        own.threads = processes.stream().mapToInt(DemoProcess::threads).sum();
        long stacks = own.threads * STACK;
        long tables =
                12 * Resources.PAGE * processes.size() + memory.get("anon") / 512 / Resources.PAGE * Resources.PAGE;
        memory.set("kernel_stack", stacks);
        memory.set("pagetables", tables);
        memory.set("percpu", PERCPU);
        memory.set("slab_unreclaimable", SLAB_UNRECLAIMABLE);
        memory.set("slab_reclaimable", SLAB_UNRECLAIMABLE / 2);
        memory.set("slab", SLAB_UNRECLAIMABLE + SLAB_UNRECLAIMABLE / 2);
        memory.set("kernel", stacks + tables + PERCPU + memory.get("slab"));
        long parts = memory.get("anon") + memory.get("file") + memory.get("kernel") + memory.get("sock");
        own.memoryCurrent = (parts + Resources.PAGE - 1) / Resources.PAGE * Resources.PAGE + CHARGED_AHEAD;
    }

    /** Ends a tick for this cgroup and all below it. */
    void settle(long usec) {
        if (children.isEmpty()) {
            settleMemory();
        }
        total.copyFrom(own);
        total.add(removed);
        running = usec == 0 ? 0 : Math.min(1, (double) ranUsec / usec);
        ranUsec = 0;
        long peakBelow = 0;
        double idle = 1 - running;
        for (Cgroup child : children) {
            child.settle(usec);
            total.add(child.total);
            total.descendants++;
            idle *= 1 - child.running;
            peakBelow = Math.max(peakBelow, child.memoryPeak);
        }
        running = 1 - idle;
        memoryPeak = Math.max(memoryPeak, Math.max(peakBelow, total.memoryCurrent));
        threadsPeak = Math.max(threadsPeak, total.threads);
        if (children.isEmpty()) {
            cpuPressure.settle(usec);
            memoryPressure.settle(usec);
            ioPressure.settle(usec);
        } else {
            cpuPressure.settle(usec, children, child -> child.cpuPressure);
            memoryPressure.settle(usec, children, child -> child.memoryPressure);
            ioPressure.settle(usec, children, child -> child.ioPressure);
        }
    }
}
