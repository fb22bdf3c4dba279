package io.kubepods.oom;

/**
 * From the kernel's counts to OOMs. oom_kill counts processes; where memory.oom.group is 1 an OOM takes all of a cgroup, its
 * first victim is counted twice, and oom_group_kill counts the OOM (mm/oom_kill.c, oom_kill_process, Linux 6.12). The counts
 * of one OOM may come in two readings: the victim, then the group, then the rest.
 */
public final class OomIncidents {
    private OomIncidents() {}

    /**
     * How many OOMs there were.
     *
     * @param kills processes killed, as counted
     * @param groupKills group kills, counted in the same reading
     * @param arriving whether the reading after it brought a group kill: the kills are of that one
     * @param recent whether one of the two readings before it brought a group kill: the kills are the rest of that one
     * @param counted whether this kernel counts group kills (since 5.17)
     * @param group whether memory.oom.group is, or may be, 1
     */
    public static long count(
            long kills, long groupKills, boolean arriving, boolean recent, boolean counted, boolean group) {
        if (groupKills > 0) {
            return groupKills;
        }
        if (kills <= 0) {
            return 0;
        }
        if (!group) {
            return kills;
        }
        if (!counted) {
            return 1;
        }
        return arriving || recent ? 0 : kills;
    }
}
