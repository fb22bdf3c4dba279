package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Kubernetes Events on pods, for {@code kubectl describe pod}: what cannot be written is counted and given up, for the
 * numbers tell it too. An event of a static pod is under its own uid, as the kubelet's are: kubectl looks for that.
 *
 * <p>{@link #offer} may be called by one thread, and does not wait.
 */
public final class PodEvents implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodEvents.class);
    private static final String COMPONENT = "kubepods-exporter";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int WAITING_AT_MOST = 100;

    /** What the API server takes as an event's name, less the part that tells it from others. */
    private static final int LONGEST_NAME = 230;

    private static final int LONGEST_MESSAGE = 1_000;

    private final ApiClient client;
    private final String nodeName;
    private final LongSupplier nanos;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final BlockingQueue<Told> waiting = new ArrayBlockingQueue<>(WAITING_AT_MOST);
    private final EventPace pace = new EventPace();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread = new Thread(this::run, "events");
    private volatile boolean closed;
    private boolean saidWhy;
    private long lastNumber;

    /**
     * What happened to a pod.
     *
     * @param podUid as in the name of its cgroup
     * @param kind what it is, and in which container
     * @param message a sentence
     */
    public record Told(
            Instant time, String namespace, String pod, String podUid, String kind, String reason, String message) {}

    /**
     * @param nanos {@link System#nanoTime()}
     * @throws IOException with one sentence that says which certificate or key cannot be used
     */
    public PodEvents(ApiServer server, String nodeName, LongSupplier nanos) throws IOException {
        client = new ApiClient(server, nanos);
        this.nodeName = nodeName;
        this.nanos = nanos;
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Events that the API server took. */
    public long written() {
        return written.get();
    }

    /** Events that it did not, or that nobody could be found to give to. */
    public long failed() {
        return failed.get();
    }

    /** Has one written soon, unless there have been too many. */
    public void offer(Told told) {
        if (told.namespace().isEmpty()) {
            return; // the API has not named the pod
        }
        int heldBack = pace.take(told.podUid() + "/" + told.kind(), nanos.getAsLong());
        if (heldBack == EventPace.HELD_BACK) {
            return;
        }
        String message =
                heldBack == 0 ? told.message() : told.message() + " So did " + heldBack + " more since the last event.";
        Told paced =
                new Told(told.time(), told.namespace(), told.pod(), told.podUid(), told.kind(), told.reason(), message);
        if (!waiting.offer(paced)) {
            failed.incrementAndGet();
        }
    }

    /** Ends an answer that is late; to be called from time to time. */
    public void refresh() {
        client.endWhatIsLate();
    }

    private void run() {
        try {
            while (!closed) {
                write(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } finally {
            client.dispose();
        }
    }

    private void write(Told told) throws InterruptedException {
        String path = "/api/v1/namespaces/" + told.namespace() + "/events";
        ApiClient.Ask ask =
                new ApiClient.Ask(path, PATIENCE, PATIENCE, "The answer to an event did not come to its end.");
        try {
            client.post(ask, serialization.asJson(event(told))).close();
            written.incrementAndGet();
        } catch (IOException e) {
            failed.incrementAndGet();
            if (!saidWhy && !closed) {
                saidWhy = true;
                log.warn(
                        "An event on {}/{} could not be written; further ones are counted in"
                                + " kubepods_agent_events_failed_total only: {}{}",
                        told.namespace(),
                        told.pod(),
                        Cause.of(e),
                        e instanceof ApiException api && api.code() == 403
                                ? " (the ClusterRole needs {apiGroups: [\"\"], resources: [events], verbs: [create]})"
                                : "");
            }
        }
    }

    private Event event(Told told) {
        String time = told.time().truncatedTo(ChronoUnit.SECONDS).toString();
        // Two at one moment, or of two agents after each other, must not have one name.
        lastNumber = Math.max(lastNumber + 1, System.currentTimeMillis() * 1_000);
        String pod = told.pod().substring(0, Math.min(LONGEST_NAME, told.pod().length()));
        String message = told.message();
        return new EventBuilder()
                .withNewMetadata()
                .withName(pod.replaceFirst("[-.]+$", "") + "." + Long.toHexString(lastNumber))
                .withNamespace(told.namespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(told.namespace())
                .withName(told.pod())
                .withUid(told.podUid())
                .endInvolvedObject()
                .withType("Warning")
                .withReason(told.reason())
                .withMessage(message.substring(0, Math.min(LONGEST_MESSAGE, message.length())))
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .withNewSource(COMPONENT, nodeName)
                .withReportingComponent(COMPONENT)
                .withReportingInstance(nodeName)
                .build();
    }

    @Override
    public void close() {
        closed = true;
        client.close();
        thread.interrupt();
    }
}
