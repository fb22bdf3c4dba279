package io.kubepods.model;

import io.kubepods.cgroup.CgroupName;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelLog;
import io.kubepods.oom.OomKill;
import io.kubepods.oom.OomReport;
import io.kubepods.oom.OomReports;
import io.kubepods.oom.OomWatcher;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hands what the kernel log says of OOMs in pods to the journal. All nodes of a kind cluster share one log: what is of none of
 * this node's pods is never asked for there.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomLog {
    private final OomWatcher watcher;
    private final OomReports reports;
    private final OomJournal journal;
    private final IntFunction<@Nullable ContainerState> byPid;
    private boolean live;
    private @Nullable OomReport last;

    /**
     * @param after the last record that is accounted for in this boot; {@link OomReports#FROM_THE_BEGINNING} to leave what is in
     *     the log already aside
     * @param byPid the container whose first process has that pid
     */
    OomLog(
            KernelLog log,
            long after,
            OomJournal journal,
            IntFunction<@Nullable ContainerState> byPid,
            ErrorCounts readErrors,
            ErrorCounts malformed) {
        this.journal = journal;
        this.byPid = byPid;
        live = after != OomReports.FROM_THE_BEGINNING;
        reports = new OomReports(after, this::take);
        watcher = new OomWatcher(log, reports, readErrors, malformed);
    }

    /** Reads what has been written since. */
    void read(long now) {
        boolean all = watcher.read(now);
        live |= all;
    }

    long lost() {
        return reports.lost();
    }

    long position() {
        return reports.position();
    }

    private void take(OomKill kill) {
        OomReport before = last;
        if (before != null && before.isOf(kill)) {
            before.addKill();
            return;
        }
        last = live ? report(kill) : null;
        if (last != null) {
            journal.offer(last);
        }
    }

    private @Nullable OomReport report(OomKill kill) {
        String path = kill.taskMemcg();
        if (path == null) {
            ContainerState container = byPid.apply(kill.pid());
            return container == null ? null : new OomReport(container.pod().uid(), container.id(), kill);
        }
        CgroupName owner = CgroupName.ownerOf(path);
        String uid = owner.podUid();
        return uid == null ? null : new OomReport(uid, owner.containerId(), kill);
    }
}
