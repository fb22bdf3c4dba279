package io.kubepods.agent.demo;

import java.util.List;

/** The numbers that a cgroup adds up from its descendants. Keys and their order are those of kernel 6.12. */
final class Counts {
    private static final List<String> CPU_STAT = keys(
            "usage_usec user_usec system_usec nice_usec nr_periods nr_throttled throttled_usec nr_bursts burst_usec");
    /** From nr_periods on, cpu.stat speaks of the cgroup's own quota and does not add up. */
    private static final int CPU_HIERARCHICAL = CPU_STAT.indexOf("nr_periods");

    private static final List<String> MEMORY_STAT = keys("""
            anon file kernel kernel_stack pagetables sec_pagetables percpu sock vmalloc shmem file_mapped file_dirty \
            file_writeback swapcached anon_thp file_thp shmem_thp inactive_anon active_anon inactive_file active_file \
            unevictable slab_reclaimable slab_unreclaimable slab workingset_refault_anon workingset_refault_file \
            workingset_activate_anon workingset_activate_file workingset_restore_anon workingset_restore_file \
            workingset_nodereclaim pgdemote_kswapd pgdemote_direct pgdemote_khugepaged pgpromote_success pgscan \
            pgsteal pgscan_kswapd pgscan_direct pgscan_khugepaged pgsteal_kswapd pgsteal_direct pgsteal_khugepaged \
            pgfault pgmajfault pgrefill pgactivate pgdeactivate pglazyfree pglazyfreed swpin_zero swpout_zero \
            thp_fault_alloc thp_collapse_alloc thp_swpout thp_swpout_fallback numa_pages_migrated numa_pte_updates \
            numa_hint_faults""");
    /** From this key on memory.stat counts events, which the parent of a removed cgroup keeps. Before are bytes. */
    private static final int MEMORY_EVENTS_FROM = MEMORY_STAT.indexOf("workingset_refault_anon");

    private static final List<String> MEMORY_EVENTS = keys("low high max oom oom_kill oom_group_kill");
    private static final List<String> IO_STAT = keys("rbytes wbytes rios wios dbytes dios");

    final FlatKeyed cpu = new FlatKeyed(CPU_STAT);
    final FlatKeyed memory = new FlatKeyed(MEMORY_STAT);
    final FlatKeyed events = new FlatKeyed(MEMORY_EVENTS);
    final FlatKeyed io = new FlatKeyed(IO_STAT);
    long memoryCurrent;
    long threads;
    int descendants;

    private static List<String> keys(String spaced) {
        return List.of(spaced.split(" "));
    }

    void copyFrom(Counts other) {
        cpu.copyFrom(other.cpu);
        memory.copyFrom(other.memory);
        events.copyFrom(other.events);
        io.copyFrom(other.io);
        memoryCurrent = other.memoryCurrent;
        threads = other.threads;
        descendants = other.descendants;
    }

    /** Adds a living child. */
    void add(Counts child) {
        memory.addRange(child.memory, 0, MEMORY_EVENTS_FROM);
        memoryCurrent += child.memoryCurrent;
        threads += child.threads;
        descendants += child.descendants;
        addRemoved(child);
    }

    /** Adds what remains of a child that was removed: its counters, not its memory. */
    void addRemoved(Counts child) {
        cpu.addRange(child.cpu, 0, CPU_HIERARCHICAL);
        memory.addRange(child.memory, MEMORY_EVENTS_FROM, MEMORY_STAT.size());
        events.addRange(child.events, 0, MEMORY_EVENTS.size());
        io.addRange(child.io, 0, IO_STAT.size());
    }
}
