package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupReader;
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
    /** A pod that is gone keeps its counts for so long, for the last scrapes and for a successor of the same name. */
    private static final long KEPT_NANOS = 300_000_000_000L;

    /** A container that is gone may be named by the API for so long; then nothing can name it. */
    private static final long NAMEABLE_NANOS = 60_000_000_000L;

    /** Nothing of a cgroup that is gone is counted later than this many ticks after. */
    private static final int LAST_TICKS = 3;

    /** A runtime sets a container's limits a moment after it made the cgroup. */
    private static final int LOOKS_AT_LIMITS = 3;

    private static final CgroupFile[] LOCAL = {CgroupFile.MEMORY_EVENTS_LOCAL};
    private static final CgroupFile[] LIMITS = {CgroupFile.MEMORY_MAX, CgroupFile.MEMORY_OOM_GROUP};

    private final IdentityHashMap<Cgroup, OomAccount> accounts = new IdentityHashMap<>();
    private final List<OomAccount> containers = new ArrayList<>();
    private final List<OomAccount> parents = new ArrayList<>();
    private final Map<String, PodOoms> pods = new HashMap<>();
    /** The same pods once more: a list can be walked without an iterator. */
    private final List<PodOoms> podList = new ArrayList<>();

    private final List<PodOoms> gonePods = new ArrayList<>();
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
        for (PodOoms pod : podList) {
            shownPods.add(pod, "", pod.unattributed());
            pod.byName.forEach((name, counts) -> shownContainers.add(pod, name, counts));
        }
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
            PodOoms pod = pod(uid);
            pod.present++;
            gonePods.remove(pod);
            account.pod = pod;
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
        for (OomState.Pod saved : state.pods()) {
            pod(saved.uid()).restore(saved);
        }
        state.slices()
                .forEach((path, counts) ->
                        slices.computeIfAbsent(path, p -> new OomCounts()).restore(counts));
        restart.begin(state.accounts());
    }

    /** After the first look: what the agent before knew, and is not there any more. */
    private void endOfRestore(long now) {
        for (OomState.Account saved : restart.end(parents)) {
            if (!saved.containerId().isEmpty()) {
                PodOoms pod = pod(saved.podUid());
                pod.missing.add(saved);
                if (!saved.counts().equals(OomState.Counts.NONE)) {
                    pod.nameless(saved.containerId(), now + NAMEABLE_NANOS).restore(saved.counts());
                }
            }
        }
        for (PodOoms pod : podList) {
            if (pod.present == 0) {
                pod.goneAt = now;
                gonePods.add(pod);
            }
        }
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
        return new OomState(
                bootId, logPosition, saved, podList.stream().map(PodOoms::save).toList(), savedSlices);
    }

    /** Says that what was saved last could not be kept. */
    void unsaved() {
        dirty = true;
    }

    private PodOoms pod(String uid) {
        PodOoms pod = pods.get(uid);
        if (pod == null) {
            pod = new PodOoms(uid);
            pods.put(uid, pod);
            podList.add(pod);
        }
        return pod;
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
        for (int i = 0; i < podList.size(); i++) {
            podList.get(i).rename(source);
        }
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
    void settle(CgroupReader reader, PodSource source, long now) {
        if (tick == 1) {
            dirty = true;
            if (continues) {
                endOfRestore(now);
            }
        }
        for (int i = 0; i < containers.size(); i++) {
            observe(containers.get(i), reader, now);
        }
        for (int i = parents.size() - 1; i >= 0; i--) { // those below first
            observe(parents.get(i), reader, now);
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

    private void observe(OomAccount account, CgroupReader reader, long now) {
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
                container.isNamed() ? container.name() : account.isGone() ? nameOf(pod, container.id(), source) : null;
        if (name != null) {
            OomCounts named = pod.of(name);
            named.add(account.counts);
            account.counts = named;
            account.named = true;
            changed = true;
        }
    }

    private static @Nullable String nameOf(PodOoms pod, String containerId, PodSource source) {
        Pod found = source.find(pod.uid());
        Pod.Container container = found == null ? null : found.containers().get(containerId);
        return container == null ? null : container.name();
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
                        || lastGoneHadGroupKill(account)
                        || hadGroupKillBeforeRestart(account),
                account.countsGroups,
                true);
        account.groupKillAt = groupKills > 0 ? tick : account.groupKillAt;
        account.goneKills += kills;
        account.goneGroupKills += groupKills;
        boolean limitBelow = ooms > 0 || lastGoneHadOom(account);
        account.goneOoms += Math.min(ooms, incidents);
        if (pod != null) {
            bookGone(account, pod, kills, incidents, limitBelow, source, now);
            return;
        }
        OomAccount gone = onlyGone(account, 0);
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

    private boolean lastGoneHadGroupKill(OomAccount account) {
        for (OomAccount child : account.children) {
            if (child.isGone() && child.groupKills.rose()) {
                return true;
            }
        }
        return false;
    }

    private boolean lastGoneHadOom(OomAccount account) {
        for (OomAccount child : account.children) {
            if (child.isGone() && child.ooms.rose()) {
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
    private @Nullable OomAccount onlyGone(OomAccount account, long incidents) {
        for (long at = tick - 1; at <= tick; at++) {
            OomAccount one = null;
            int found = 0;
            for (OomAccount child : account.children) {
                ContainerState container = child.container;
                if (child.vanishedAt == at && (container == null || !container.isSandbox())) {
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
        return a.container != null && b.container != null && a.container.name().equals(b.container.name());
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
        long killsLeft = kills;
        long incidentsLeft = incidents;
        while (killsLeft > 0) {
            OomReport report = journal.takeGone(pod.uid(), this::isThere);
            if (report == null) {
                break;
            }
            String id = Objects.requireNonNullElse(report.containerId(), "");
            OomCase found = goneContainer(account, pod, id, source, now);
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
        OomCase found = missingContainer(account, pod, incidentsLeft, source);
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

    /** The container that the log names. */
    private OomCase goneContainer(OomAccount account, PodOoms pod, String id, PodSource source, long now) {
        for (OomAccount child : account.children) {
            ContainerState container = child.container;
            if (container != null && container.id().equals(id) && !container.isSandbox()) {
                return new OomCase(pod, account, child, container.name(), id, child.counts);
            }
        }
        if (id.isEmpty()) {
            return new OomCase(pod, account, null, "", "", pod.unattributed());
        }
        String name = nameOf(pod, id, source);
        OomCounts counts = name == null ? pod.nameless(id, now + NAMEABLE_NANOS) : pod.of(name);
        changed |= name != null;
        return new OomCase(pod, account, null, name == null ? id.substring(0, 12) : name, id, counts);
    }

    /** The container that must be meant: the pod's only one, or the only one that is missing since. */
    private OomCase missingContainer(OomAccount account, PodOoms pod, long incidents, PodSource source) {
        OomAccount gone = onlyGone(account, incidents);
        ContainerState container = gone == null ? null : gone.container;
        Pod known = source.find(pod.uid());
        String only = known == null ? "" : known.info().onlyContainer();
        if (gone != null && container != null) {
            return new OomCase(pod, account, gone, container.name(), container.id(), gone.counts);
        }
        if (only.isEmpty() && gone == null && pod.missing.size() == 1 && tick <= LAST_TICKS) {
            OomState.Account missing = pod.missing.get(0);
            if (!missing.name().isEmpty() && incidents <= 1) {
                return new OomCase(pod, account, null, missing.name(), missing.containerId(), pod.of(missing.name()));
            }
        }
        if (!only.isEmpty()) {
            changed = true;
            return new OomCase(pod, account, null, only, "", pod.of(only));
        }
        return new OomCase(pod, account, null, "", "", pod.unattributed());
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
        for (int i = 0; i < podList.size(); i++) {
            PodOoms pod = podList.get(i);
            if (pod.hasNameless()) {
                changed |= pod.settleNameless(id -> nameOf(pod, id, source), now);
            }
        }
        if (tick == LAST_TICKS + 1) {
            podList.forEach(pod -> pod.missing.clear());
        }
        for (int i = gonePods.size() - 1; i >= 0; i--) {
            PodOoms pod = gonePods.get(i);
            if (pod.isZero() || now - pod.goneAt >= KEPT_NANOS) {
                gonePods.remove(i);
                pods.remove(pod.uid());
                podList.remove(pod);
                dirty = true;
                bequeath(pod);
                changed = true;
            }
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
        if (--pod.present == 0) {
            pod.goneAt = now;
            gonePods.add(pod);
        }
    }

    /** A pod of the same name goes on counting, or the series would seem to begin anew. */
    private void bequeath(PodOoms pod) {
        for (PodOoms other : podList) {
            if (other.name().equals(pod.name()) && other.namespace().equals(pod.namespace())) {
                other.inherit(pod);
                return;
            }
        }
    }
}
