package io.kubepods.cgroup;

/**
 * The keys of memory.events and memory.events.local (Documentation/admin-guide/cgroup-v2.rst, "Memory Interface Files";
 * .local since Linux 5.2). memory.events includes descendants, also those removed; memory.events.local does not.
 *
 * <pre>
 * max 37
 * oom 1
 * oom_kill 1
 * </pre>
 */
public enum MemoryEvents {
    LOW,
    HIGH,
    /** Attempts to reclaim because this cgroup's memory.max was reached: a pressure signal, not an error. */
    MAX,
    /** Times this cgroup's limit was hit and reclaim failed; not a count of kills, and not of anything else. */
    OOM,
    /** Processes killed, counted in the victim's cgroup; a group kill counts its victim twice. */
    OOM_KILL,
    /** Since 5.17. */
    OOM_GROUP_KILL,
    /** Since 6.19. */
    SOCK_THROTTLED;

    static final FlatKeyed.Keys<MemoryEvents> KEYS = new FlatKeyed.Keys<>(MemoryEvents.class);
}
