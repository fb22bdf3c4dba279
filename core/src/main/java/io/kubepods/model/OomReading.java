package io.kubepods.model;

import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupReader;

/**
 * Brings an account up to date with what a tick has read, and reads what is needed beside: memory.events.local where it may
 * have changed, and the limits of what is new or was just killed in.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomReading {
    /** A runtime sets a container's limits a moment after it made the cgroup. */
    private static final int LOOKS_AT_LIMITS = 3;

    private static final CgroupFile[] LOCAL = {CgroupFile.MEMORY_EVENTS_LOCAL};
    private static final CgroupFile[] LIMITS = {CgroupFile.MEMORY_MAX, CgroupFile.MEMORY_OOM_GROUP};

    private final CgroupReader reader;

    OomReading(CgroupReader reader) {
        this.reader = reader;
    }

    void observe(OomAccount account, long now) {
        account.observe();
        if (account.kills.isKnown()) {
            account.own().known();
        }
        if (account.isGone()) {
            account.observeLocal(false);
            return;
        }
        if (account.age <= LOOKS_AT_LIMITS || account.kills.isRising()) {
            reader.read(account.cgroup, LIMITS, now);
            ContainerState container = account.container;
            if (container != null && container.inner != null) {
                reader.read(container.inner, LIMITS, now);
            }
        }
        account.observeLimits();
        boolean isFirst = account.history && account.kills.isKnown();
        if (account.container == null) {
            boolean mayHaveChanged = account.age == 1 || isFirst || account.ooms.isRising();
            if (mayHaveChanged) {
                reader.read(account.cgroup, LOCAL, now);
            }
            account.observeLocal(mayHaveChanged);
        }
        if (isFirst) {
            beginWithHistory(account);
        }
    }

    /** A slice counts all that was ever killed below it; a pod and a container what is theirs alone. */
    private static void beginWithHistory(OomAccount account) {
        OomAccount parent = account.parent;
        long kills = account.beginWithHistory();
        long given = parent == null || parent.history ? 0 : parent.giveHistory(account);
        if (account.pod == null) {
            kills = account.kills.now();
        } else if (account.container != null) {
            kills -= given; // which are the pod's already
        }
        account.own().addKills(kills);
    }
}
