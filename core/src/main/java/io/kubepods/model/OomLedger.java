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
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
    private final Map<String, OomCounts> slices = new HashMap<>();
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
            if (!account.isGone() && !account.named && !container.isSandbox()) {
                shownContainers.add(Objects.requireNonNull(account.pod), container.name(), account.counts);
            }
        }
        shownContainers.end();
        shownPods.end();
    }

    /** What was counted below a slice. */
    OomCounts slice(Cgroup slice) {
        return slices.computeIfAbsent(slice.path(), path -> new OomCounts());
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
    }

    private static void restore(OomAccount account, OomState.Account saved) {
        account.restore(saved);
        PodOoms pod = account.pod;
        if (pod != null && !saved.name().isEmpty()) {
            account.counts = pod.of(saved.name());
            account.named = true;
        }
    }

    /** Goes on where the agent before stopped; before the first tick. */
    void restore(OomState state) {
        continues = true;
        pods.restore(state.pods());
        state.slices()
                .forEach((path, counts) ->
                        slices.computeIfAbsent(path, p -> new OomCounts()).restore(counts));
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
        Map<String, OomState.Counts> savedSlices = new HashMap<>();
        slices.forEach((path, counts) -> savedSlices.put(path, counts.save()));
        return new OomState(bootId, logPosition, saved, pods.save(), savedSlices);
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
        }
        for (int i = 0; i < parents.size(); i++) {
            settleParent(parents.get(i), source, now);
        }
        journal.endOfTick();
        forget(source, now);
        ticking = false;
    }

    /** A sandbox's counts are the pod's. */
    private void name(OomAccount account, PodSource source) {
        ContainerState container = Objects.requireNonNull(account.container);
        PodOoms pod = Objects.requireNonNull(account.pod);
        if (container.isSandbox()) {
            if (!account.counts.isZero()) {
                pod.unattributed().add(account.counts);
                account.counts = new OomCounts();
            }
            return;
        }
        if (account.named) {
            return;
        }
        String name =
                container.isNamed() ? container.name() : account.isGone() ? pod.nameOf(container.id(), source) : null;
        if (name != null) {
            OomCounts named = pod.of(name);
            named.add(account.counts);
            account.counts = named;
            account.named = true;
            changed = true;
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
        boolean arriving =
                account.groupKills.isRising() || (account.isGone() && parent != null && parent.newGroupKills() > 0);
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
        OomCounts counts = container.isSandbox() ? pod.unattributed() : account.counts;
        counts.addKills(kills);
        OomCase found = new OomCase(
                pod, parent, account, container.isSandbox() ? "" : container.name(), container.id(), counts);
        for (long i = 0; i < incidents; i++) {
            book(
                    found,
                    account.ooms.rose(),
                    incidents == 1 ? kills : Value.ABSENT,
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
        long incidents = OomIncidents.count(
                kills,
                groupKills,
                account.newGroupKills() > groupKills,
                tick - account.groupKillAt <= LAST_TICKS
                        || account.roseInGone(child -> child.groupKills)
                        || hadGroupKillBeforeRestart(account),
                account.countsGroups,
                true);
        account.groupKillAt = groupKills > 0 ? tick : account.groupKillAt;
        account.goneKills += kills;
        account.goneGroupKills += groupKills;
        boolean limitBelow = ooms > 0 || account.roseInGone(child -> child.ooms);
        account.goneOoms += Math.min(ooms, incidents);
        if (pod != null) {
            bookGone(account, pod, kills, incidents, limitBelow, source, now);
            return;
        }
        OomAccount gone = account.onlyGone(tick, 0);
        PodOoms gonePod = gone == null ? null : gone.pod;
        if (gone != null && gonePod != null) {
            bookGone(gone, gonePod, kills, incidents, limitBelow, source, now);
        } else {
            OomCase nobody = new OomCase(null, account, null, "", "", null);
            for (long i = 0; i < incidents; i++) {
                book(nobody, false, Value.ABSENT, null);
            }
        }
    }

    /** Books kills in containers of a pod that nobody has seen dying: by the log, by who is missing, or to none. */
    private void bookGone(
            OomAccount account,
            PodOoms pod,
            long kills,
            long incidents,
            boolean limitBelow,
            PodSource source,
            long now) {
        changed = true; // a name may be new
        long killsLeft = kills;
        long incidentsLeft = incidents;
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
                book(found, limitBelow, ofReport, report);
                incidentsLeft--;
            }
        }
        if (killsLeft == 0 && incidentsLeft == 0) {
            return;
        }
        OomCase found = OomSuspects.missing(account, pod, incidentsLeft, source, tick);
        found.addKills(killsLeft);
        for (long i = 0; i < incidentsLeft; i++) {
            book(found, limitBelow, incidentsLeft == 1 ? killsLeft : Value.ABSENT, null);
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
        changed |= pods.settleNameless(source, now);
        if (tick == LAST_TICKS) {
            pods.forEach(pod -> pod.missing.clear());
        }
        if (pods.forget(now)) {
            dirty = true;
            changed = true;
        }
    }

    private void close(OomAccount account, long now) {
        account.close();
        PodOoms pod = account.pod;
        ContainerState container = account.container;
        if (pod == null) {
            return;
        }
        if (container != null && !account.named && !account.counts.isZero()) {
            pod.nameless(container.id(), now + NAMEABLE_NANOS).add(account.counts);
        }
        pods.closed(pod, now);
    }
}
