package io.kubepods.cgroup;

/**
 * The keys of memory.swap.events (Documentation/admin-guide/cgroup-v2.rst, "Memory Interface Files").
 *
 * <pre>
 * high 0
 * max 0
 * fail 12
 * </pre>
 */
public enum SwapEvents {
    HIGH,
    MAX,
    /** Also counted where there is no swap space at all. */
    FAIL;

    static final FlatKeyed.Keys<SwapEvents> KEYS = new FlatKeyed.Keys<>(SwapEvents.class);
}
