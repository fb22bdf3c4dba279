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
            PodOoms pod = account.container == null ? account.pod : null;
            (pod == null ? account.counts : pod.unattributed()).known();
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
        if (account.container == null) {
            boolean mayHaveChanged = account.age == 1 || account.ooms.isRising();
            if (mayHaveChanged) {
                reader.read(account.cgroup, LOCAL, now);
            }
            account.observeLocal(mayHaveChanged);
        }
        if (account.age == 1 && account.history) {
            beginWithHistory(account);
        }
    }

    /** What was killed before anybody looked: it has no OOM that could be judged. */
    private static void beginWithHistory(OomAccount account) {
        PodOoms pod = account.pod;
        if (account.container != null) {
            account.counts.addKills(account.kills.now());
            return;
        }
        account.goneGroupKills = account.newGroupKills();
        account.goneOoms = account.unexplainedOoms(); // the first reading stands for the one before it
        long kills = account.unexplainedKills();
        account.goneKills = kills;
        if (pod != null) {
            pod.unattributed().addKills(Math.max(0, kills));
        } else {
            account.counts.addKills(account.kills.now());
        }
    }
}
