package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.InitProcess;
import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomCounts;
import io.kubepods.oom.OomIncidents;
import io.kubepods.oom.OomReport;
import io.kubepods.oom.OomState;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kills of the kernel's OOM killer in this node's pods: how many, whose, and by whose limit. It counts from memory.events
 * alone, of which a pod's outlives its containers' and a slice's its pods'; the kernel log classifies.
 *
 * <p>What a tick reads is booked at the next one. By then all counts of one OOM have arrived, and so have the log's lines,
 * and the cgroups that are gone are known to be.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomLedger {
    /** A container that is gone may be named by the API for so long; then nothing can name it. */
    private static final long NAMEABLE_NANOS = 60_000_000_000L;

    /** Nothing of a cgroup that is gone is counted later than this many ticks after. */
    private static final int LAST_TICKS = 3;

    private final IdentityHashMap<Cgroup, OomAccount> accounts = new IdentityHashMap<>();
    private final List<OomAccount> containers = new ArrayList<>();
    private final List<OomAccount> parents = new ArrayList<>();
    private final OomPods pods = new OomPods();
    private final OomSlices slices = new OomSlices();
    private final OomJournal journal;

    private final OomRestart restart = new OomRestart();
    private boolean continues;
    private boolean dirty;
    private long tick;
    private boolean ticking;
    private boolean changed;

    OomLedger(OomJournal journal) {
        this.journal = journal;
    }

    /** What is shown: the containers that are there or have a name, and the pods. */
    void show(ShownOoms shownContainers, ShownOoms shownPods) {
        shownContainers.begin();
        shownPods.begin();
        pods.forEach(pod -> {
            shownPods.add(pod, "", pod.unattributed());
            pod.byName.forEach((name, counts) -> shownContainers.add(pod, name, counts));
        });
        for (OomAccount account : containers) {
            ContainerState container = Objects.requireNonNull(account.container);
            if (!account.isGone() && account.named == null && !account.isSandbox()) {
                shownContainers.add(Objects.requireNonNull(account.pod), container.name(), account.counts);
            }
        }
        shownContainers.end();
        shownPods.end();
    }

    /** What was counted below a slice. */
    OomCounts slice(Cgroup slice) {
        return slices.of(slice.path());
    }

    /** Whether who is there has changed since this was last asked. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** @param container of a container's cgroup: itself */
    void appeared(Cgroup cgroup, @Nullable ContainerState container) {
        Cgroup above = cgroup.parent();
        OomAccount account = new OomAccount(cgroup, above == null ? null : accounts.get(above));
        boolean first = tick == 0 || (tick == 1 && ticking);
        account.history = first && !continues;
        accounts.put(cgroup, account);
        String uid = cgroup.name().podUid();
        if (uid != null) {
            account.pod = pods.appeared(uid);
        } else {
            account.counts = slice(cgroup);
        }
        if (container != null) {
            account.container = container;
            containers.add(account);
        } else {
            parents.add(account);
        }
        OomState.Account saved = restart.take(cgroup);
        if (saved != null) {
            restore(account, saved);
        }
        changed = true;
        dirty = true;
    }

    private static void restore(OomAccount account, OomState.Account saved) {
        account.restore(saved);
        PodOoms pod = account.pod;
        if (pod != null && !saved.name().isEmpty()) {
            account.counts = pod.of(saved.name());
            account.named = saved.name();
        }
    }

    /** Goes on where the agent before stopped; before the first tick. */
    void restore(OomState state, long now) {
        continues = true;
        pods.restore(state.pods(), now + NAMEABLE_NANOS);
        slices.restore(state.slices());
        restart.begin(state.accounts());
    }

    /** After the first look: what the agent before knew, and is not there any more. */
    private void endOfRestore(long now) {
        for (OomState.Account saved : restart.end(parents)) {
            if (!saved.containerId().isEmpty()) {
                PodOoms pod = pods.of(saved.podUid());
                pod.missing.add(saved);
                if (!saved.counts().equals(OomState.Counts.NONE)) {
                    pod.nameless(saved.containerId(), now + NAMEABLE_NANOS).restore(saved.counts());
                }
            }
        }
        pods.endOfRestore(now);
        slices.endOfRestore(parents, now);
    }

    /** What must be kept over a restart, if it is not what was kept last; null otherwise. */
    @Nullable
    OomState save(String bootId, long logPosition) {
        if (!dirty) {
            return null;
        }
        dirty = false;
        List<OomState.Account> saved = new ArrayList<>();
        containers.forEach(account -> saved.add(account.save()));
        parents.forEach(account -> saved.add(account.save()));
        return new OomState(bootId, logPosition, saved, pods.save(), slices.save(), journal.incidents());
    }

    /** Says that what was saved last could not be kept. */
    void unsaved() {
        dirty = true;
    }

    void vanished(Cgroup cgroup) {
        OomAccount account = accounts.remove(cgroup);
        if (account != null) {
            account.vanishedAt = ticking ? tick : tick + 1; // what a scrape finds gone, the next tick would have
            changed = true;
        }
    }

    /** Looks the names up again, and has the counts of containers under theirs as soon as they have one. */
    void rename(PodSource source) {
        pods.rename(source);
        for (int i = 0; i < containers.size(); i++) {
            name(containers.get(i), source);
        }
    }

    boolean hasBegun() {
        return tick > 0;
    }

    /** Before a tick looks what is there. */
    void begin() {
        tick++;
        ticking = true;
    }

    /** After a tick has read every memory.events, from the top down. */
    void settle(OomReading reading, PodSource source, long now) {
        if (tick == 1) {
            dirty = true;
            if (continues) {
                endOfRestore(now);
            }
        }
        for (int i = 0; i < containers.size(); i++) {
            reading.observe(containers.get(i), now);
        }
        for (int i = parents.size() - 1; i >= 0; i--) { // those below first
            reading.observe(parents.get(i), now);
        }
        for (int i = 0; i < containers.size(); i++) {
            settleContainer(containers.get(i));
            if (containers.get(i).age > LAST_TICKS) {
                giveToPod(containers.get(i));
            }
        }
        for (int i = 0; i < parents.size(); i++) {
            settleParent(parents.get(i), source, now);
        }
        journal.endOfTick();
        forget(source, now);
        ticking = false;
    }

    /** A sandbox's counts are the pod's; what looks like one for some ticks is one. */
    private void giveToPod(OomAccount account) {
        if (account.isSandbox() && !account.counts.isZero()) {
            Objects.requireNonNull(account.pod).unattributed().add(account.counts);
            account.counts = new OomCounts();
            dirty = true;
        }
    }

    private void name(OomAccount account, PodSource source) {
        ContainerState container = Objects.requireNonNull(account.container);
        PodOoms pod = Objects.requireNonNull(account.pod);
        if (account.named != null) {
            return;
        }
        if (account.isSandbox()) {
            giveToPod(account);
            return;
        }
        String name =
                container.isNamed() ? container.name() : account.isGone() ? pod.nameOf(container.id(), source) : null;
        if (name != null) {
            OomCounts named = pod.of(name);
            named.add(account.counts);
            account.counts = named;
            account.named = name;
            changed = true;
            dirty = true;
        }
    }

    private void settleContainer(OomAccount account) {
        long kills = account.kills.before() - account.bookedKills;
        long groupKills = account.groupKills.before() - account.bookedGroupKills;
        if (kills == 0 && groupKills == 0) {
            return;
        }
        dirty = true;
        OomAccount parent = account.parent;
        boolean arriving = account.groupKills.isRising() || account.hasNewGroupKillsAbove();
        long incidents = OomIncidents.count(
                kills,
                groupKills,
                arriving,
                account.groupKills.roseBefore() || hadGroupKillBeforeRestart(account),
                account.countsGroups,
                account.oomGroup != 0);
        account.bookedKills += kills;
        account.bookedGroupKills += groupKills;
        ContainerState container = Objects.requireNonNull(account.container);
        PodOoms pod = Objects.requireNonNull(account.pod);
        OomCounts counts = account.isSandbox() ? pod.unattributed() : account.counts;
        counts.addKills(kills);
        OomCase found = new OomCase(pod, parent, account, account.name(), container.id(), counts);
        long told = account.toldKills(
                kills, incidents, groupKills > 0, arriving, account.kills.now() - account.kills.before());
        for (long i = 0; i < incidents; i++) {
            book(
                    found,
                    account.ooms.rose(),
                    incidents == 1 ? told : Value.ABSENT,
                    journal.take(pod.uid(), container.id()));
        }
    }

    /** When the agent before stopped, it may have seen but a part of a group kill. */
    private boolean hadGroupKillBeforeRestart(OomAccount account) {
        return continues && tick <= LAST_TICKS && account.groupKills.now() > 0;
    }

    /** Books what a pod or a slice has counted and nothing below it has. */
    private void settleParent(OomAccount account, PodSource source, long now) {
        PodOoms pod = account.pod;
        if (pod == null && account.kills.before() != account.bookedKills) {
            account.counts.addKills(account.kills.before() - account.bookedKills);
            account.bookedKills = account.kills.before();
            dirty = true;
        }
        boolean mayBeRest = account.mayBeRest(tick, LAST_TICKS);
        long kills = Math.max(0, account.unexplainedKills());
        long groupKills = Math.max(0, account.unexplainedGroupKills());
        long ooms = Math.max(0, account.unexplainedOoms());
        if (kills == 0 && groupKills == 0) {
            account.oomsWithoutKill = ooms == 0 ? 0 : account.oomsWithoutKill + 1;
            if (account.oomsWithoutKill > LAST_TICKS) {
                account.goneOoms += ooms; // they killed nobody
            }
            return;
        }
        dirty = true;
        boolean arriving = account.newGroupKills() > groupKills || account.hasNewGroupKillsAbove();
        long incidents = OomIncidents.count(
                kills,
                groupKills,
                arriving,
                mayBeRest || hadGroupKillBeforeRestart(account),
                account.countsGroups,
                true);
        if (groupKills > 0) {
            account.groupIsBooked(tick, LAST_TICKS);
        }
        account.goneKills += kills;
        account.goneGroupKills += groupKills;
        boolean limitBelow = ooms > 0 || account.roseInGone(child -> child.ooms);
        account.goneOoms += Math.min(ooms, incidents);
        long told = account.toldKills(kills, incidents, groupKills > 0, arriving, account.lateKills());
        if (pod != null) {
            bookGone(new Gone(account, pod, kills, incidents, told, limitBelow), source, now);
            return;
        }
        OomAccount gone = account.onlyGone(tick, 0);
        while (gone != null && gone.pod == null) { // a QoS slice goes with its last pod
            gone.counts.addKills(kills);
            gone = gone.onlyGone(tick, 0);
        }
        PodOoms gonePod = gone == null ? null : gone.pod;
        if (gone != null && gonePod != null) {
            bookGone(new Gone(gone, gonePod, kills, incidents, told, limitBelow), source, now);
        } else {
            OomCase nobody = new OomCase(null, account, null, "", "", null);
            for (long i = 0; i < incidents; i++) {
                book(nobody, false, incidents == 1 ? told : Value.ABSENT, null);
            }
        }
    }

    /**
     * What was killed in containers of a pod that nobody has seen dying.
     *
     * @param told of the kills and of those that belong to the same OOM
     * @param limitBelow whether the limit of one of them was hit
     */
    private record Gone(OomAccount account, PodOoms pod, long kills, long incidents, long told, boolean limitBelow) {}

    /** Books it by the log, by who is missing, or to none. */
    private void bookGone(Gone gone, PodSource source, long now) {
        OomAccount account = gone.account;
        PodOoms pod = gone.pod;
        changed = true; // a name may be new
        long killsLeft = gone.kills;
        long incidentsLeft = gone.incidents;
        while (killsLeft > 0) {
            OomReport report = journal.takeGone(pod.uid(), this::isThere);
            if (report == null) {
                break;
            }
            String id = Objects.requireNonNullElse(report.containerId(), "");
            OomCase found = OomSuspects.named(account, pod, id, source, now + NAMEABLE_NANOS);
            long ofReport = Math.min(killsLeft, report.kills());
            found.addKills(ofReport);
            killsLeft -= ofReport;
            if (incidentsLeft > 0) {
                book(found, gone.limitBelow, gone.incidents == 1 ? gone.told : report.kills(), report);
                incidentsLeft--;
            }
        }
        if (killsLeft == 0 && incidentsLeft == 0) {
            return;
        }
        OomCase found = OomSuspects.missing(account, pod, incidentsLeft, source, tick);
        found.addKills(killsLeft);
        for (long i = 0; i < incidentsLeft; i++) {
            book(found, gone.limitBelow, gone.incidents == 1 ? gone.told : Value.ABSENT, null);
        }
    }

    /** The container whose first process has, or had, that pid; null when none is known. */
    @Nullable
    ContainerState byPid(int pid) {
        for (OomAccount account : containers) {
            ContainerState container = Objects.requireNonNull(account.container);
            InitProcess init = container.init();
            if (init != null && init.pid() == pid) {
                return container;
            }
        }
        return null;
    }

    private boolean isThere(String containerId) {
        for (OomAccount account : containers) {
            if (!account.isGone()
                    && Objects.requireNonNull(account.container).id().equals(containerId)) {
                return true;
            }
        }
        return false;
    }

    /** @param ownLimit whether the container's own limit was hit */
    private void book(OomCase found, boolean ownLimit, long kills, @Nullable OomReport report) {
        OomCause cause = found.cause(ownLimit, report, continues && tick <= 2);
        found.addIncident(cause);
        journal.add(
                found.pod(),
                found.name(),
                found.id(),
                cause,
                kills,
                found.limit(cause),
                report == null ? null : report.victim());
    }

    /** Closes what has nothing to come any more. */
    private void forget(PodSource source, long now) {
        for (int i = containers.size() - 1; i >= 0; i--) {
            OomAccount account = containers.get(i);
            if (account.isGone() && tick - account.vanishedAt >= LAST_TICKS) {
                containers.remove(i);
                close(account, now);
            }
        }
        for (int i = parents.size() - 1; i >= 0; i--) {
            OomAccount account = parents.get(i);
            if (account.isGone() && tick - account.vanishedAt >= LAST_TICKS) {
                parents.remove(i);
                close(account, now);
            }
        }
        if (tick == LAST_TICKS) {
            pods.forEach(pod -> pod.missing.clear());
        }
        boolean settled = pods.settleNameless(source, now);
        boolean forgot = pods.forget(now);
        changed |= settled || forgot;
        dirty |= settled || forgot || slices.forget(parents, now);
    }

    private void close(OomAccount account, long now) {
        account.close();
        dirty = true;
        PodOoms pod = account.pod;
        ContainerState container = account.container;
        if (pod == null) {
            slices.closed(account.cgroup.path(), now);
            return;
        }
        if (container != null && account.named == null && !account.counts.isZero()) {
            pod.nameless(container.id(), now + NAMEABLE_NANOS).add(account.counts);
        }
        pods.closed(pod, now);
    }
}
