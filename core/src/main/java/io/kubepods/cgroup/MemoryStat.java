package io.kubepods.cgroup;

/**
 * The keys of memory.stat (Documentation/admin-guide/cgroup-v2.rst, "Memory Interface Files"; mm/memcontrol.c), all that
 * Linux 5.8 to 6.19 write, in the order of 6.12. Amounts are bytes, also where the kernel counts pages; events are counts.
 * Descendants are included.
 *
 * <pre>
 * anon 33325056
 * file 4096
 * </pre>
 */
public enum MemoryStat {
    ANON,
    FILE,
    /** Since 5.18: kernel_stack, pagetables, percpu, vmalloc, slab and the rest together. */
    KERNEL,
    KERNEL_STACK,
    PAGETABLES,
    SEC_PAGETABLES,
    PERCPU,
    SOCK,
    VMALLOC,
    SHMEM,
    ZSWAP,
    ZSWAPPED,
    FILE_MAPPED,
    FILE_DIRTY,
    FILE_WRITEBACK,
    SWAPCACHED,
    ANON_THP,
    FILE_THP,
    SHMEM_THP,
    INACTIVE_ANON,
    ACTIVE_ANON,
    INACTIVE_FILE,
    ACTIVE_FILE,
    UNEVICTABLE,
    SLAB_RECLAIMABLE,
    SLAB_UNRECLAIMABLE,
    SLAB,
    HUGETLB,
    WORKINGSET_REFAULT_ANON,
    WORKINGSET_REFAULT_FILE,
    /** Until 5.8, when only file pages were counted. */
    WORKINGSET_REFAULT,
    WORKINGSET_ACTIVATE_ANON,
    WORKINGSET_ACTIVATE_FILE,
    /** Until 5.8. */
    WORKINGSET_ACTIVATE,
    WORKINGSET_RESTORE_ANON,
    WORKINGSET_RESTORE_FILE,
    /** Until 5.8. */
    WORKINGSET_RESTORE,
    WORKINGSET_NODERECLAIM,
    PSWPIN,
    PSWPOUT,
    PGSCAN,
    PGSTEAL,
    PGSCAN_KSWAPD,
    PGSCAN_DIRECT,
    PGSCAN_KHUGEPAGED,
    PGSCAN_PROACTIVE,
    PGSTEAL_KSWAPD,
    PGSTEAL_DIRECT,
    PGSTEAL_KHUGEPAGED,
    PGSTEAL_PROACTIVE,
    /** All page faults, the major ones among them. */
    PGFAULT,
    PGMAJFAULT,
    PGREFILL,
    PGACTIVATE,
    PGDEACTIVATE,
    PGLAZYFREE,
    PGLAZYFREED,
    SWPIN_ZERO,
    SWPOUT_ZERO,
    ZSWPIN,
    ZSWPOUT,
    ZSWPWB,
    THP_FAULT_ALLOC,
    THP_COLLAPSE_ALLOC,
    THP_SWPOUT,
    THP_SWPOUT_FALLBACK,
    NUMA_PAGES_MIGRATED,
    NUMA_PTE_UPDATES,
    NUMA_HINT_FAULTS,
    NUMA_TASK_MIGRATED,
    NUMA_TASK_SWAPPED,
    PGDEMOTE_KSWAPD,
    PGDEMOTE_DIRECT,
    PGDEMOTE_KHUGEPAGED,
    PGDEMOTE_PROACTIVE,
    PGPROMOTE_SUCCESS;

    static final FlatKeyed.Keys<MemoryStat> KEYS = new FlatKeyed.Keys<>(MemoryStat.class);
}
