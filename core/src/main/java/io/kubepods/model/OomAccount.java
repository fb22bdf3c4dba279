package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupSample;
import io.kubepods.cgroup.MemoryEvents;
import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCounter;
import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one cgroup's memory.events has said, and how much of it is accounted for. memory.events counts what happened below
 * too, and goes on counting when what is below is removed: what a cgroup counted and none of its children did belongs to one
 * that was made and removed unseen, or killed after it was last read.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomAccount {
    private static final int NEVER = -1;

    final Cgroup cgroup;
    final @Nullable OomAccount parent;
    final List<OomAccount> children = new ArrayList<>();
    final OomCounter kills = new OomCounter();
    final OomCounter groupKills = new OomCounter();
    final OomCounter ooms = new OomCounter();
    final OomCounter localOoms = new OomCounter();

    /** Of a container or a slice: where its kills are counted. */
    OomCounts counts = new OomCounts();

    /** Of a container: itself; null otherwise. */
    @Nullable
    ContainerState container;

    /** Of a container: the name under which {@link #counts} stand; null while it has none. */
    @Nullable
    String named;

    /** Of a pod or a slice: up to this tick of the ledger, kills may be the rest of a group kill that was booked. */
    private long restUntil = NEVER;

    /** Of a pod or a container: the pod. */
    @Nullable
    PodOoms pod;

    /** So much of {@link #kills} and {@link #groupKills} has been booked. */
    long bookedKills;

    long bookedGroupKills;

    /** So many were booked before the group kill that they are of. */
    private long earlyKills;

    /** So much was counted by children that are gone, or has been booked to none. */
    long goneKills;

    long goneGroupKills;
    long goneOoms;

    /** For so many ticks there have been OOMs that no child explains, and no kills of theirs. */
    int oomsWithoutKill;

    /** memory.max and memory.oom.group, by their last successful reading. */
    long limit = Value.ABSENT;

    long oomGroup = Value.ABSENT;

    /** What it counted before it was first read is history: kills of unknown OOMs. */
    boolean history;

    /** So much of {@link #goneKills} and its siblings is history, of children that are gone or have not been read yet. */
    private long historyKills;

    private long historyGroupKills;
    private long historyOoms;

    /** Whether this kernel counts group kills. */
    boolean countsGroups;

    /** Whether there was a reading at the tick before the last, and at the last. */
    private boolean readBefore;

    private boolean readNow;
    private boolean anew;
    private long max;

    /** Looked at so often. */
    int age;

    /** The ledger's tick at which it was found to have gone. */
    long vanishedAt = NEVER;

    OomAccount(Cgroup cgroup, @Nullable OomAccount parent) {
        this.cgroup = cgroup;
        this.parent = parent;
        if (parent != null) {
            parent.children.add(this);
        }
    }

    boolean isGone() {
        return vanishedAt != NEVER;
    }

    /** Of a container: a sandbox's kills are the pod's. What has got a name is none, whatever it looks like. */
    boolean isSandbox() {
        return container != null && named == null && container.isSandbox();
    }

    /** Of a container: its name, or else the beginning of its id; "" of a sandbox. */
    String name() {
        ContainerState itself = Objects.requireNonNull(container);
        return named != null ? named : itself.isSandbox() ? "" : itself.name();
    }

    /** Where what is its own is counted: of a pod, what is of no container that can be named. */
    OomCounts own() {
        return pod == null || container != null ? counts : pod.unattributed();
    }

    /** Takes what was read at this tick. */
    void observe() {
        age++;
        CgroupSample sample = cgroup.sample();
        readBefore = readNow;
        long read = isGone() ? Value.ABSENT : sample.memoryEvents(MemoryEvents.OOM_KILL);
        readNow = read != Value.ABSENT;
        if (!readNow) {
            kills.observe(Value.ABSENT, false);
            groupKills.observe(Value.ABSENT, false);
            ooms.observe(Value.ABSENT, false);
            if (isGone()) {
                observeGone();
            }
            return;
        }
        long readGroups = sample.memoryEvents(MemoryEvents.OOM_GROUP_KILL);
        long readOoms = sample.memoryEvents(MemoryEvents.OOM);
        long readMax = sample.memoryEvents(MemoryEvents.MAX);
        countsGroups = readGroups != Value.ABSENT;
        // One that fell tells of all: the memory controller was switched off and on.
        anew = kills.isFall(read) || groupKills.isFall(readGroups) || ooms.isFall(readOoms) || readMax < max;
        max = readMax;
        boolean first = history && !kills.isKnown();
        observe(kills, read, first);
        observe(groupKills, readGroups, first);
        observe(ooms, readOoms, first);
        if (first) {
            bookedKills = kills.now();
            bookedGroupKills = groupKills.now();
        }
    }

    /** It cannot have counted less than those below it had, which were read after it. */
    private void observeGone() {
        long killsBelow = goneKills;
        long groupKillsBelow = goneGroupKills;
        long oomsBelow = goneOoms;
        for (int i = 0; i < children.size(); i++) {
            OomAccount child = children.get(i);
            killsBelow += child.kills.now();
            groupKillsBelow += child.groupKills.now();
            oomsBelow += child.ooms.now();
        }
        kills.atLeast(killsBelow);
        groupKills.atLeast(groupKillsBelow);
        ooms.atLeast(oomsBelow);
    }

    /**
     * What was killed before anybody looked has no OOM that could be judged: it is accounted for once this is first read.
     *
     * @return how many kills of it belong to none of those below that have been read
     */
    long beginWithHistory() {
        history = false;
        if (container == null) {
            historyKills = kills.now();
            historyGroupKills = groupKills.now();
            historyOoms = ooms.now() - localOoms.now();
            for (OomAccount child : children) {
                takeFromHistory(child);
            }
            goneKills = historyKills;
            goneGroupKills = historyGroupKills;
            goneOoms = historyOoms;
            return historyKills;
        }
        return kills.now();
    }

    /** Of a child that was first read after this: its kills have been accounted for as nobody's; returns how many. */
    long giveHistory(OomAccount child) {
        long killsBefore = historyKills;
        long groupKillsBefore = historyGroupKills;
        long oomsBefore = historyOoms;
        takeFromHistory(child);
        goneKills -= killsBefore - historyKills;
        goneGroupKills -= groupKillsBefore - historyGroupKills;
        goneOoms -= oomsBefore - historyOoms;
        return killsBefore - historyKills;
    }

    private void takeFromHistory(OomAccount child) {
        historyKills = Math.max(0, historyKills - child.kills.now());
        historyGroupKills = Math.max(0, historyGroupKills - child.groupKills.now());
        historyOoms = Math.max(0, historyOoms - child.ooms.now());
    }

    private void observe(OomCounter counter, long value, boolean first) {
        if (first && value != Value.ABSENT) {
            counter.begin(value);
        }
        counter.observe(value, anew);
    }

    /** Takes memory.events.local, if it was read at this tick; otherwise nothing happened. */
    void observeLocal(boolean wasRead) {
        long value = wasRead && !isGone() ? cgroup.sample().memoryEventsLocal(MemoryEvents.OOM) : Value.ABSENT;
        if (history && !localOoms.isKnown() && value != Value.ABSENT) {
            localOoms.begin(value);
        }
        localOoms.observe(value, localOoms.isFall(value));
    }

    /** Takes what the limits' files said when they were last read. */
    void observeLimits() {
        long max = container == null
                ? cgroup.sample().single(CgroupFile.MEMORY_MAX)
                : container.limit(CgroupFile.MEMORY_MAX);
        limit = max == Value.ABSENT ? limit : max;
        long group = container == null ? cgroup.sample().single(CgroupFile.MEMORY_OOM_GROUP) : container.oomGroup();
        oomGroup = group == Value.ABSENT ? oomGroup : group;
    }

    /** Kills by the reading before the last that no child explains. */
    long unexplainedKills() {
        return kills.before() - goneKills - ofChildren(child -> child.kills);
    }

    /** Likewise of group kills. */
    long unexplainedGroupKills() {
        return groupKills.before() - goneGroupKills - ofChildren(child -> child.groupKills);
    }

    /** OOMs at limits below that no child explains, by the reading before the last. */
    long unexplainedOoms() {
        return ooms.before() - goneOoms - localOoms.before() - ofChildren(child -> child.ooms);
    }

    /** What the children had counted when this cgroup was read the time before the last. */
    private long ofChildren(Function<OomAccount, OomCounter> counter) {
        long sum = 0;
        for (int i = 0; i < children.size(); i++) {
            OomAccount child = children.get(i);
            OomCounter counted = counter.apply(child);
            sum += child.readBefore ? counted.before() : counted.now();
        }
        return sum;
    }

    /**
     * Of kills that are booked now, how many to tell of their OOM: those that came a reading before its group kill was counted
     * are of it, and those a reading after.
     *
     * @param isGroup whether the group kill is booked now
     * @param arriving whether it is counted by the last reading, and so booked next
     * @param late kills by the last reading that are to be booked next
     */
    long toldKills(long kills, long incidents, boolean isGroup, boolean arriving, long late) {
        if (incidents == 0) {
            earlyKills = arriving ? earlyKills + kills : 0;
            return 0;
        }
        long told = earlyKills + kills + (isGroup && !arriving ? late : 0);
        earlyKills = 0;
        return told;
    }

    /** Kills by the last reading that no child explains, and that are not booked. */
    long lateKills() {
        long late = kills.now() - goneKills;
        for (int i = 0; i < children.size(); i++) {
            late -= children.get(i).kills.now();
        }
        return Math.max(0, late);
    }

    /** Group kills by the last reading that no child had counted before: of its own, or of one that is gone. */
    long newGroupKills() {
        long explained = goneGroupKills;
        for (int i = 0; i < children.size(); i++) {
            explained += children.get(i).groupKills.before();
        }
        return groupKills.now() - explained;
    }

    /** Of one that is gone: whether group kills have been counted above it that nothing explains yet. */
    boolean hasNewGroupKillsAbove() {
        OomAccount at = this;
        while (at.isGone() && at.parent != null) {
            at = at.parent;
            if (at.newGroupKills() > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Of a pod or a slice: whether kills that are booked at this tick may be the rest of a group kill that was booked before.
     * A child that is read after it may have counted more, and hide that rest for as long as it does.
     *
     * @param ticks for how long a rest may come later
     */
    boolean mayBeRest(long tick, int ticks) {
        if (roseInGone(child -> child.groupKills)) {
            groupIsBooked(tick, ticks);
        } else if (tick <= restUntil && childrenAreAhead()) {
            restUntil++;
        }
        return tick <= restUntil;
    }

    /** Of a pod or a slice: a group kill is booked at this tick. */
    void groupIsBooked(long tick, int ticks) {
        restUntil = Math.max(restUntil, tick + ticks);
    }

    private boolean childrenAreAhead() {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).kills.roseBefore()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a child that is gone had more of it lately. */
    boolean roseInGone(Function<OomAccount, OomCounter> counter) {
        for (OomAccount child : children) {
            if (child.isGone() && counter.apply(child).rose()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The one that must have died before the reading before the last: the only one that was found to have gone then, or, in the
     * midst of that tick, by the last. Instances of one container are one; sandboxes are none. Null when there are several, or
     * fewer than there were OOMs.
     */
    @Nullable
    OomAccount onlyGone(long tick, long incidents) {
        for (long at = tick - 1; at <= tick; at++) {
            OomAccount one = null;
            int found = 0;
            for (OomAccount child : children) {
                if (child.vanishedAt == at && !child.isSandbox()) {
                    if (one != null && !isSame(one, child)) {
                        return null;
                    }
                    one = child;
                    found++;
                }
            }
            if (one != null) {
                return found >= incidents ? one : null;
            }
        }
        return null;
    }

    private static boolean isSame(OomAccount a, OomAccount b) {
        return a.container != null && b.container != null && a.name().equals(b.name());
    }

    /** Ends with all it has counted, for the one above to remember. */
    void close() {
        if (parent != null) {
            parent.goneKills += kills.now();
            parent.goneGroupKills += groupKills.now();
            parent.goneOoms += ooms.now();
            parent.children.remove(this);
        }
    }

    /** As it is kept over a restart: all in the kernel's own numbers. */
    OomState.Account save() {
        long aheadKills = kills.ahead();
        long aheadGroupKills = groupKills.ahead();
        long aheadOoms = ooms.ahead();
        for (OomAccount child : children) {
            aheadKills -= child.kills.ahead();
            aheadGroupKills -= child.groupKills.ahead();
            aheadOoms -= child.ooms.ahead();
        }
        boolean books = container != null || pod == null;
        return new OomState.Account(
                cgroup.id(),
                parent == null ? 0 : parent.cgroup.id(),
                pod == null ? "" : pod.uid(),
                container == null ? "" : container.id(),
                named == null ? "" : named,
                books ? kills.rawAt(bookedKills) : kills.rawAt(kills.now()),
                container != null ? groupKills.rawAt(bookedGroupKills) : groupKills.rawAt(groupKills.now()),
                ooms.rawSettled(),
                localOoms.rawSettled(),
                goneKills - aheadKills,
                goneGroupKills - aheadGroupKills,
                goneOoms - aheadOoms,
                container == null || named != null ? OomState.Counts.NONE : counts.save());
    }

    /** Goes on where the agent before stopped. */
    void restore(OomState.Account saved) {
        history = false;
        kills.begin(saved.kills());
        groupKills.begin(saved.groupKills());
        ooms.begin(saved.ooms());
        localOoms.begin(saved.localOoms());
        bookedKills = saved.kills();
        bookedGroupKills = saved.groupKills();
        goneKills = saved.goneKills();
        goneGroupKills = saved.goneGroupKills();
        goneOoms = saved.goneOoms();
        counts.restore(saved.counts());
    }

    /** Takes over what a child had counted that is gone since; what it has not is still to be explained. */
    void restoreGone(OomState.Account child) {
        goneKills += child.containerId().isEmpty() ? child.goneKills() : child.kills();
        goneGroupKills += child.containerId().isEmpty() ? child.goneGroupKills() : child.groupKills();
        goneOoms += child.ooms();
    }
}
