package io.kubepods.oom;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What must be known to go on counting after a restart of the agent: how far every cgroup's memory.events are accounted for,
 * and what has been counted. The kernel's own counts are kept as it says them. What no agent keeps cannot be made.
 *
 * @param bootId of {@code /proc/sys/kernel/random/boot_id}: another boot's cgroups are other ones
 * @param logPosition the last record of the kernel log that is accounted for
 * @param slices by path
 * @param incidents the last ones, the newest first
 */
public record OomState(
        String bootId,
        long logPosition,
        List<Account> accounts,
        List<Pod> pods,
        Map<String, Counts> slices,
        List<OomIncident> incidents) {
    public OomState {
        accounts = List.copyOf(accounts);
        pods = List.copyOf(pods);
        slices = Map.copyOf(slices);
        incidents = List.copyOf(incidents);
        Objects.requireNonNull(bootId);
        if (pods.stream().map(Pod::uid).distinct().count() < pods.size()) {
            throw new IllegalArgumentException("a pod is kept twice");
        }
    }

    private static void notNegative(long... numbers) {
        for (long number : numbers) {
            if (number < 0) {
                throw new IllegalArgumentException("a count is negative");
            }
        }
    }

    /**
     * One cgroup.
     *
     * @param id the cgroup id, which no other cgroup gets in this boot
     * @param parent the id of the pod or slice above; 0 for none
     * @param podUid "" of a slice
     * @param containerId "" of a pod or a slice
     * @param name the container's; "" while it had none
     * @param kills the kernel's count that is accounted for; so the other three
     * @param goneKills of a pod or a slice: what its children that are gone had counted; so the other two
     * @param counts of a container without a name
     */
    public record Account(
            long id,
            long parent,
            String podUid,
            String containerId,
            String name,
            long kills,
            long groupKills,
            long ooms,
            long localOoms,
            long goneKills,
            long goneGroupKills,
            long goneOoms,
            Counts counts) {
        public Account {
            Objects.requireNonNull(podUid);
            Objects.requireNonNull(containerId);
            Objects.requireNonNull(name);
            Objects.requireNonNull(counts);
            notNegative(id, parent, kills, groupKills, ooms, localOoms);
        }

        /** What no other has. */
        public Identity identity() {
            return new Identity(id, podUid, containerId);
        }
    }

    /**
     * Which cgroup. The id would do: no two cgroups of one boot have the same. Inodes of other file systems come again.
     *
     * @param podUid "" of a slice
     * @param containerId "" of a pod or a slice
     */
    public record Identity(long id, String podUid, String containerId) {}

    /**
     * One pod.
     *
     * @param containers by name
     * @param nameless by id: of containers that are gone, and may still get a name
     */
    public record Pod(
            String uid,
            String namespace,
            String name,
            Counts unattributed,
            Map<String, Counts> containers,
            Map<String, Counts> nameless) {
        public Pod {
            containers = Map.copyOf(containers);
            nameless = Map.copyOf(nameless);
            Objects.requireNonNull(uid);
            Objects.requireNonNull(namespace);
            Objects.requireNonNull(name);
            Objects.requireNonNull(unattributed);
        }
    }

    /** @param incidents by the cause's label; those that are 0 are left out */
    public record Counts(long kills, Map<String, Long> incidents) {
        public static final Counts NONE = new Counts(0, Map.of());

        public Counts {
            incidents = Map.copyOf(incidents);
            notNegative(kills);
            incidents.values().forEach(OomState::notNegative);
        }
    }
}
