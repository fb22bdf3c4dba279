package io.kubepods.cgroup;

/**
 * The keys of cgroup.events (Documentation/admin-guide/cgroup-v2.rst, "Core Interface Files").
 *
 * <pre>
 * populated 1
 * frozen 0
 * </pre>
 */
public enum CgroupEvents {
    /** 1 while the cgroup or a descendant has a live process; zombies do not count. */
    POPULATED,
    FROZEN;

    static final FlatKeyed.Keys<CgroupEvents> KEYS = new FlatKeyed.Keys<>(CgroupEvents.class);
}
