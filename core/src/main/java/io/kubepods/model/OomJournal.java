package io.kubepods.model;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomKill;
import io.kubepods.oom.OomMemory;
import io.kubepods.oom.OomReport;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is told of single OOMs: what the kernel log says, until the counters say the same, and the last of those that were
 * counted.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomJournal {
    private static final int KEPT = 100;

    /** The counters are read before the log; a line that they do not follow within so many ticks is not of this node. */
    private static final int PATIENCE = 5;

    /** In a storm, for whoever does not ask. */
    private static final int MOST_NEWS = 10_000;

    /** More than a kernel writes in as many ticks. */
    private static final int MOST_REPORTS = 10_000;

    private final InstantSource clock;
    private final Deque<Reported> reports = new ArrayDeque<>();
    private final Deque<OomIncident> incidents = new ArrayDeque<>();
    private final List<OomIncident> news = new ArrayList<>();
    private long tick;
    /** When what is booked now was read, by the wall clock. */
    private long readMillis;

    private record Reported(OomReport report, long tick) {}

    OomJournal(InstantSource clock) {
        this.clock = clock;
        readMillis = clock.millis();
    }

    /** The last OOMs, the newest first. */
    public List<OomIncident> incidents() {
        return new ArrayList<>(incidents);
    }

    /** Takes what the kernel log says of one OOM. */
    void offer(OomReport report) {
        if (reports.size() < MOST_REPORTS) {
            reports.add(new Reported(report, tick));
        }
    }

    /** The oldest report of an OOM in a container; null when there is none. */
    @Nullable
    OomReport take(String podUid, String containerId) {
        return take(report -> report.podUid().equals(podUid) && containerId.equals(report.containerId()));
    }

    /** The oldest report of an OOM in a pod, in a container that is not there. */
    @Nullable
    OomReport takeGone(String podUid, Predicate<String> isThere) {
        return take(report -> {
            String id = report.containerId();
            return report.podUid().equals(podUid) && (id == null || !isThere.test(id));
        });
    }

    private @Nullable OomReport take(Predicate<OomReport> which) {
        if (reports.isEmpty()) {
            return null;
        }
        for (Iterator<Reported> all = reports.iterator(); all.hasNext(); ) {
            OomReport report = all.next().report;
            if (which.test(report)) {
                all.remove();
                return report;
            }
        }
        return null;
    }

    /** Those that were counted since this was last asked, the oldest first. */
    List<OomIncident> takeNews() {
        if (news.isEmpty()) {
            return List.of();
        }
        List<OomIncident> taken = List.copyOf(news);
        news.clear();
        return taken;
    }

    private void keep(OomIncident incident) {
        incidents.addFirst(incident);
        if (incidents.size() > KEPT) {
            incidents.removeLast();
        }
    }

    /** Those that the agent before told, the newest first. */
    void restore(List<OomIncident> told) {
        for (int i = told.size() - 1; i >= 0; i--) {
            keep(told.get(i));
        }
    }

    void endOfTick() {
        tick++;
        readMillis = clock.millis();
        while (!reports.isEmpty() && tick - reports.getFirst().tick > PATIENCE) {
            reports.removeFirst();
        }
    }

    void add(
            @Nullable PodOoms pod,
            String container,
            String containerId,
            OomCause cause,
            long kills,
            long limitBytes,
            @Nullable OomKill victim) {
        OomMemory memory = victim == null ? null : victim.memory();
        OomIncident incident = new OomIncident(
                Instant.ofEpochMilli(readMillis),
                pod == null ? "" : pod.namespace(),
                pod == null ? "" : pod.name(),
                pod == null ? "" : pod.uid(),
                container,
                containerId,
                cause,
                kills,
                limitBytes == Value.ABSENT && memory != null ? memory.limit() : limitBytes,
                victim);
        keep(incident);
        if (news.size() < MOST_NEWS) {
            news.add(incident);
        }
    }
}
