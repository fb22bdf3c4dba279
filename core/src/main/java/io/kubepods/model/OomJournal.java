package io.kubepods.model;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomKill;
import io.kubepods.oom.OomReport;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is told of single OOMs: what the kernel log says, until the counters say the same, and the last of those that were
 * counted.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class OomJournal {
    private static final Logger log = LoggerFactory.getLogger(OomJournal.class);
    private static final int KEPT = 100;

    /** The counters are read before the log; a line that they do not follow within so many ticks is not of this node. */
    private static final int PATIENCE = 5;

    /** More than a kernel writes in as many ticks. */
    private static final int MOST_REPORTS = 10_000;

    private final InstantSource clock;
    private final Deque<Reported> reports = new ArrayDeque<>();
    private final Deque<OomIncident> incidents = new ArrayDeque<>();
    private long tick;

    private record Reported(OomReport report, long tick) {}

    OomJournal(InstantSource clock) {
        this.clock = clock;
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

    void endOfTick() {
        tick++;
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
        OomIncident incident = new OomIncident(
                clock.instant(),
                pod == null ? "" : pod.namespace(),
                pod == null ? "" : pod.name(),
                pod == null ? "" : pod.uid(),
                container,
                containerId,
                cause,
                kills,
                limitBytes,
                victim);
        incidents.addFirst(incident);
        if (incidents.size() > KEPT) {
            incidents.removeLast();
        }
        log.info("{}", sentence(incident));
    }

    /** One line for people. */
    static String sentence(OomIncident incident) {
        StringBuilder text = new StringBuilder("OOM kill in ");
        if (incident.pod().isEmpty()) {
            text.append("a pod that is gone");
        } else {
            text.append(incident.namespace().isEmpty() ? "" : incident.namespace() + "/")
                    .append(incident.pod());
            text.append(
                    incident.container().isEmpty()
                            ? ", in no container that can be named"
                            : "/" + incident.container());
        }
        text.append(": ").append(reason(incident.cause()));
        if (Value.isNumber(incident.limitBytes())) {
            text.append(" of ").append(incident.limitBytes()).append(" bytes");
        }
        if (Value.isNumber(incident.kills())) {
            text.append(", ")
                    .append(incident.kills())
                    .append(incident.kills() == 1 ? " kill counted" : " kills counted");
        }
        OomKill victim = incident.victim();
        if (victim != null) {
            text.append("; the victim was process ")
                    .append(victim.pid())
                    .append(" (")
                    .append(victim.command())
                    .append("), anon-rss ")
                    .append(victim.anonRss())
                    .append(" bytes");
            if (victim.oomScoreAdj() != Value.ABSENT) {
                text.append(", oom_score_adj ").append(victim.oomScoreAdj());
            }
        }
        return text.append('.').toString();
    }

    private static String reason(OomCause cause) {
        return switch (cause) {
            case CONTAINER_LIMIT -> "the container reached its memory limit";
            case POD_LIMIT -> "the pod reached its memory limit";
            case QOS_LIMIT -> "the pods of its QoS class reached their common memory limit";
            case NODE_ALLOCATABLE -> "all pods together reached the node's allocatable memory";
            case NODE -> "the node ran out of memory";
            case UNKNOWN -> "nothing tells whose limit was reached";
        };
    }
}
