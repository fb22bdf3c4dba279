package io.kubepods.oom;

import io.kubepods.cgroup.Value;

/**
 * What was charged to the cgroup whose limit was hit, at the moment when it was, by the kernel log (mm/memcontrol.c, {@code
 * mem_cgroup_print_oom_meminfo}, Linux 6.12). Bytes; {@link Value#ABSENT} for what was not printed.
 *
 * @param usage all of it
 * @param limit memory.max
 * @param anon memory.stat anon; so the other three
 * @param file with shmem
 * @param kernel since Linux 5.18
 */
public record OomMemory(long usage, long limit, long anon, long file, long shmem, long kernel) {}
