package io.kubepods.oom;

import io.kubepods.cgroup.Value;

/**
 * A killed process, as the kernel log describes it.
 *
 * @param pid on the node
 * @param command its name, of at most 15 bytes, chosen by whoever wrote the program
 * @param anonBytes anonymous memory
 * @param fileBytes memory of mapped files
 * @param shmemBytes shared memory and tmpfs; {@link Value#ABSENT} from kernels that do not say
 * @param oomScoreAdj {@link Value#ABSENT} before Linux 5.4
 */
public record OomVictim(long pid, String command, long anonBytes, long fileBytes, long shmemBytes, long oomScoreAdj) {}
