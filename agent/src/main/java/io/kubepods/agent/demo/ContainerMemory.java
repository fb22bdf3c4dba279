package io.kubepods.agent.demo;

/** The memory of a container's scope: grows to the tighter of its own and its pod's limit, and is reclaimed there. */
final class ContainerMemory {
    private static final long PAGE = Resources.PAGE;
    /** Pages that the kernel reclaims at a time (SWAP_CLUSTER_MAX), each time an event {@code max}. */
    private static final long RECLAIM_BATCH = 32;

    private static final long DATABASE_SHMEM = 12 << 20;

    private final Cgroup pod;
    private final Cgroup scope;

    ContainerMemory(Cgroup pod, Cgroup scope) {
        this.pod = pod;
        this.scope = scope;
    }

    void holdAnon(double bytes) {
        FlatKeyed memory = scope.own.memory;
        long shmem = memory.get("shmem");
        scope.hold(wholePages(bytes), memory.get("file") - shmem, memory.get("active_file"), shmem);
    }

    /** Or gives false, if there is no room. */
    boolean growAnon(double bytes) {
        boolean fits = bytes <= room();
        if (fits) {
            holdAnon(scope.own.memory.get("anon") + bytes);
        }
        return fits;
    }

    /** Reads through the page cache, which takes what room there is and is reclaimed for the rest. */
    void readFiles(double bytes) {
        FlatKeyed memory = scope.own.memory;
        long read = wholePages(bytes);
        long grown = Math.min(read, room());
        long file = memory.get("file") - memory.get("shmem") + grown;
        scope.hold(memory.get("anon"), file, wholePages(file * 0.4), DATABASE_SHMEM);
        memory.add("pgfault", read / PAGE / 16);
        memory.add("pgmajfault", read / PAGE / 256);
        scope.own.io.add("rbytes", read);
        scope.own.io.add("rios", read / (128 << 10));
        scope.ioPressure.stall(read / 1500, read / 2000);
        if (grown < read) {
            reclaim((read - grown) / PAGE, read / 1000.0);
        }
    }

    /** At the limit, some pages of the page cache are thrown out, and of those some are soon read again. */
    void reclaim(long pages, double stallUsec) {
        FlatKeyed memory = scope.own.memory;
        memory.add("pgscan", pages * 5 / 4);
        memory.add("pgscan_direct", pages * 5 / 4);
        memory.add("pgsteal", pages);
        memory.add("pgsteal_direct", pages);
        memory.add("workingset_refault_file", pages * 3 / 5);
        memory.add("workingset_activate_file", pages / 8);
        memory.add("workingset_restore_file", pages / 16);
        memory.add("pgactivate", pages / 8);
        memory.add("pgrefill", pages / 4);
        memory.add("pgdeactivate", pages / 4);
        scope.memoryPressure.stall((long) stallUsec, (long) (stallUsec * 0.7));
        hitLimit((pages + RECLAIM_BATCH - 1) / RECLAIM_BATCH);
    }

    /**
     * memory.oom.group is 1: all processes go, and the kernel counts the first one twice, as the victim and as one of
     * the group. The page cache stays charged until the scope is removed.
     *
     * @return the place whose limit was hit
     */
    Cgroup oomKill(int reclaims) {
        Cgroup limiting = hitLimit(reclaims);
        limiting.own.events.add("oom", 1);
        scope.own.events.add("oom_kill", scope.processes.size() + 1L);
        scope.own.events.add("oom_group_kill", 1);
        scope.memoryPressure.stall(140_000, 120_000);
        scope.processes.clear();
        holdAnon(0);
        return limiting;
    }

    /** Counts where the limit is that was hit, and gives that place. */
    private Cgroup hitLimit(long reclaims) {
        Cgroup limiting = roomIn(pod) < roomIn(scope) ? pod : scope;
        limiting.own.events.add("max", reclaims);
        limiting.memoryPeak = Math.max(limiting.memoryPeak, limiting.memoryMax);
        return limiting;
    }

    private long room() {
        return Math.max(0, Math.min(roomIn(scope), roomIn(pod)));
    }

    private static long roomIn(Cgroup cgroup) {
        if (cgroup.memoryMax == 0) {
            return Long.MAX_VALUE;
        }
        long used = cgroup.own.memoryCurrent;
        for (Cgroup child : cgroup.children) {
            used += child.own.memoryCurrent;
        }
        return cgroup.memoryMax - used;
    }

    private static long wholePages(double bytes) {
        return (long) bytes / PAGE * PAGE;
    }
}
