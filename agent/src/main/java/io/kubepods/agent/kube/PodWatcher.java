package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's pods from the API server: one list, then one watch, for ever. Whatever happens to the API server, what it
 * said last stays in force, and it is asked again.
 *
 * <p>A list and a watch of our own, and no fabric8 informer: after a 410 an informer lists without a resource version,
 * which an API server before 1.31 answers by reading all pods of the cluster from etcd, and it keeps whole objects, where
 * this keeps a {@link Pod}. Every list here is for resource version 0: from the watch cache, of this node's pods only. It
 * may be a little old; the watch goes on from there, and brings what it lacked.
 *
 * <p>Its loop is one thread's; {@link #refresh} is called by another, every tick; all else by any.
 */
public final class PodWatcher implements PodSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodWatcher.class);

    /** A watch is ended by the server after about so long; the Node object is read again then. */
    private static final Duration WATCH_AT_LEAST = Duration.ofMinutes(4);

    private static final Duration WATCH_AT_MOST = Duration.ofMinutes(6);

    /** A watch is never silent for long: the server sends a bookmark every minute. */
    private static final Duration SILENCE_AT_MOST = Duration.ofMinutes(2);

    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(15);
    private static final Duration NODE_PATIENCE = Duration.ofSeconds(3);
    private static final Duration FIRST_DELAY = Duration.ofMillis(200);

    /** So that names come at most that long after a server that could not be reached is there again. */
    private static final Duration RECONNECT_AT_MOST = Duration.ofSeconds(4);

    /** A server that answers with errors is asked less often. */
    private static final Duration DELAY_AT_MOST = Duration.ofSeconds(30);

    private static final Duration RETRY_AFTER_AT_MOST = Duration.ofMinutes(2);
    private static final Duration SHORT_WATCH = Duration.ofSeconds(1);

    private final ApiServer server;
    private final String nodeName;
    private final Duration jitter;
    private final LongSupplier nanos;
    private final PodStore store;
    private final WatchErrors errors;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final HttpClient client;
    private final CountDownLatch synced = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "pod-watch");

    /** Where the next watch begins; null when the pods must be listed first. The loop's own, as the next four. */
    private volatile @Nullable String version;

    private int failures;
    private boolean complained;
    private boolean nodeAsked;
    private long nodeAskedAt;

    /** The answer that is being read. */
    private volatile @Nullable InputStream open;

    private volatile boolean up;
    private volatile long heardAt;
    private volatile long lastEventMillis;

    /** What can go wrong; its name in lower case is a label's value. */
    public enum Reason {
        /** No connection, or one that broke. */
        CONNECTION,
        /** A watch on which nothing came for too long. */
        SILENCE,
        /** 401. */
        UNAUTHORIZED,
        /** 403. */
        FORBIDDEN,
        /** 410: the watch was to begin where the server no longer remembers. Normal after a long interruption. */
        EXPIRED,
        /** 429. */
        THROTTLED,
        /** 5xx. */
        SERVER,
        /** Any other status. */
        OTHER,
        /** Something that cannot be read as what it should be, or was cut off. */
        MALFORMED,
        /** A pod without uid, namespace or name. */
        NAMELESS_POD,
        /** The Node object could not be had. */
        NODE;

        public String label() {
            return WatchErrors.label(this);
        }
    }

    /**
     * @param jitter the first list is made after a random part of it: a rollout starts many agents at once
     * @param nanos {@link System#nanoTime()}
     */
    public PodWatcher(ApiServer server, String nodeName, Duration jitter, LongSupplier nanos) {
        this.server = server;
        this.nodeName = nodeName;
        this.jitter = jitter;
        this.nanos = nanos;
        store = new PodStore(nanos);
        errors = new WatchErrors(nanos);
        client = server.connect();
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    @Override
    public @Nullable Pod find(String uid) {
        return store.find(uid);
    }

    @Override
    public long generation() {
        return store.generation();
    }

    @Override
    public @Nullable Quantities capacity() {
        return store.capacity();
    }

    /** Whether the pods have been listed once. */
    public boolean isSynced() {
        return synced.getCount() == 0;
    }

    /** Waits for the first list; false when it has not come in time. */
    public boolean awaitSync(Duration patience) throws InterruptedException {
        return synced.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether a watch is established now. */
    public boolean isUp() {
        return up;
    }

    /** When the API server was last heard of, in milliseconds since 1970: a list, an event or a bookmark; 0 before. */
    public long lastEventMillis() {
        return lastEventMillis;
    }

    public long errors(Reason reason) {
        return errors.count(reason);
    }

    /** Up to where the API server's changes have been taken in; null before the first list, and after trouble. */
    @Nullable
    String version() {
        return version;
    }

    /** How many pods are remembered. */
    int size() {
        return store.size();
    }

    /** Forgets departed pods, and ends a watch that has been silent for too long. */
    public void refresh() {
        store.expire();
        InputStream silent = open;
        if (silent != null && nanos.getAsLong() - heardAt > SILENCE_AT_MOST.toNanos()) {
            open = null;
            errors.add(Reason.SILENCE, "Nothing came on the watch of pods for two minutes; it is made anew.");
            end(silent);
        }
    }

    private static void end(InputStream answer) {
        try {
            answer.close();
        } catch (IOException e) {
            log.debug("The end of a watch could not be told to the server.", e);
        }
    }

    private void run() {
        try {
            pause(Duration.ofNanos(
                    (long) (jitter.toNanos() * ThreadLocalRandom.current().nextDouble())));
            while (closed.getCount() > 0) {
                try {
                    step();
                } catch (ApiException e) {
                    fail(e);
                } catch (IOException e) {
                    fail(Reason.CONNECTION, unreachable(e), RECONNECT_AT_MOST);
                } catch (RuntimeException e) {
                    // What is read is anyone's text: whatever the parser says of it ends this attempt, not the loop.
                    version = null;
                    fail(
                            Reason.MALFORMED,
                            "The API server's answer cannot be read: " + ApiServer.reason(e) + ".",
                            DELAY_AT_MOST);
                    log.debug("The answer that cannot be read.", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } finally {
            client.close();
        }
    }

    private String unreachable(IOException e) {
        return "The API server at " + server.url() + " cannot be reached (" + ApiServer.reason(e)
                + "); names stay as they were.";
    }

    private void fail(ApiException e) throws InterruptedException {
        version = null;
        Reason reason = reason(e.code());
        String sentence = switch (reason) {
            case FORBIDDEN ->
                "The API server forbids to list and watch pods: the agent's service account needs a ClusterRole with the"
                        + " rule apiGroups [\"\"], resources [\"pods\"], verbs [\"list\", \"watch\"], bound by a"
                        + " ClusterRoleBinding (" + e.getMessage() + ").";
            case UNAUTHORIZED -> "The API server does not accept the agent's token (" + e.getMessage() + ").";
            case EXPIRED -> "The API server no longer remembers where the watch of pods stopped; they are listed anew.";
            default -> "The API server answered " + e.getMessage() + "; names stay as they were.";
        };
        if (reason == Reason.EXPIRED && failures == 0) {
            errors.add(reason, sentence);
            failures = 1; // a list at once; should that be expired too, after a while
            return;
        }
        Duration asked = e.retryAfter();
        if (asked.compareTo(RETRY_AFTER_AT_MOST) > 0) {
            asked = RETRY_AFTER_AT_MOST;
        }
        fail(reason, sentence, DELAY_AT_MOST);
        pause(asked);
    }

    private static Reason reason(int code) {
        return switch (code) {
            case 401 -> Reason.UNAUTHORIZED;
            case 403 -> Reason.FORBIDDEN;
            case 410 -> Reason.EXPIRED;
            case 429 -> Reason.THROTTLED;
            default -> code >= 500 ? Reason.SERVER : Reason.OTHER;
        };
    }

    private void fail(Reason reason, String sentence, Duration atMost) throws InterruptedException {
        if (closed.getCount() > 0) {
            errors.add(reason, sentence);
            complained = true;
            backOff(atMost);
        }
    }

    private void backOff(Duration atMost) throws InterruptedException {
        long delay = Math.min(FIRST_DELAY.toNanos() << Math.min(failures, 10), atMost.toNanos());
        failures++;
        pause(Duration.ofNanos(
                (long) (delay * (0.5 + ThreadLocalRandom.current().nextDouble() / 2))));
    }

    /** Returns early only when it is closed. */
    private void pause(Duration duration) throws InterruptedException {
        if (closed.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
            log.debug("The watch of pods ends.");
        }
    }

    private void step() throws IOException, InterruptedException {
        String from = version;
        if (from == null) {
            from = list();
            version = from;
        }
        readNode();
        watch(from);
    }

    private String list() throws IOException, InterruptedException {
        PodList list;
        try (InputStream body = open("/api/v1/pods?" + selector() + "&resourceVersion=0")) {
            list = serialization.unmarshal(body, PodList.class);
        } finally {
            open = null;
        }
        List<Pod> pods = new ArrayList<>();
        List<io.fabric8.kubernetes.api.model.Pod> items = list.getItems();
        for (io.fabric8.kubernetes.api.model.Pod pod :
                items == null ? List.<io.fabric8.kubernetes.api.model.Pod>of() : items) {
            Pod read = pod == null ? null : read(pod);
            if (read != null) {
                pods.add(read);
            }
        }
        store.replaceAll(pods);
        heard();
        synced.countDown();
        log.debug("{} pods listed.", pods.size());
        ListMeta metadata = list.getMetadata();
        String at = metadata == null ? null : metadata.getResourceVersion();
        return at == null ? "0" : at;
    }

    private InputStream open(String path) throws IOException, InterruptedException {
        InputStream body = server.get(client, path, ANSWER_PATIENCE);
        heardAt = nanos.getAsLong();
        open = body;
        return body;
    }

    private String selector() {
        return "fieldSelector=spec.nodeName%3D" + nodeName;
    }

    private @Nullable Pod read(io.fabric8.kubernetes.api.model.Pod pod) {
        Pod read = PodReader.read(pod).orElse(null);
        if (read == null) {
            errors.add(Reason.NAMELESS_POD, "A pod without uid, namespace or name is left out.");
        }
        return read;
    }

    private void watch(String from) throws IOException, InterruptedException {
        long seconds = ThreadLocalRandom.current().nextLong(WATCH_AT_LEAST.toSeconds(), WATCH_AT_MOST.toSeconds());
        InputStream body = open("/api/v1/pods?watch=true&allowWatchBookmarks=true&" + selector() + "&resourceVersion="
                + from + "&timeoutSeconds=" + seconds);
        long beganAt = nanos.getAsLong();
        boolean heardOne = false;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
            up = true;
            if (complained) {
                complained = false;
                log.info("The watch of pods on {} is established again.", server.url());
            }
            String line = lines.readLine();
            while (line != null && closed.getCount() > 0) {
                heard();
                apply(line);
                heardOne = true;
                line = lines.readLine();
            }
        } finally {
            up = false;
            open = null;
            heardOne |= nanos.getAsLong() - beganAt > SHORT_WATCH.toNanos();
            failures = heardOne ? 0 : failures;
        }
        if (!heardOne) {
            backOff(DELAY_AT_MOST); // something between us and the server ends every watch at once
        }
    }

    private void heard() {
        heardAt = nanos.getAsLong();
        lastEventMillis = System.currentTimeMillis();
    }

    private void apply(String line) throws ApiException {
        WatchEvent event = serialization.unmarshal(line, WatchEvent.class);
        Object object = event.getObject();
        if (object instanceof Status status) {
            throw new ApiException(status.getCode() == null ? 0 : status.getCode(), status.getMessage());
        }
        if (object instanceof io.fabric8.kubernetes.api.model.Pod pod && !"BOOKMARK".equals(event.getType())) {
            Pod read = read(pod);
            if (read != null && "DELETED".equals(event.getType())) {
                store.remove(read);
            } else if (read != null) {
                store.put(read);
            }
        }
        if (object instanceof HasMetadata some
                && some.getMetadata() != null
                && some.getMetadata().getResourceVersion() != null) {
            version = some.getMetadata().getResourceVersion();
        }
    }

    /** How much the node has. That it cannot be had costs no names. */
    private void readNode() throws InterruptedException {
        long now = nanos.getAsLong();
        if (nodeAsked && now - nodeAskedAt < WATCH_AT_LEAST.toNanos()) {
            return;
        }
        nodeAsked = true;
        nodeAskedAt = now;
        String path = "/api/v1/nodes/" + nodeName + "?resourceVersion=0";
        try (InputStream body = server.get(client, path, NODE_PATIENCE)) {
            Node node = serialization.unmarshal(body, Node.class);
            if (node.getStatus() != null) {
                store.setCapacity(PodReader.quantities(node.getStatus().getCapacity()));
            }
        } catch (ApiException e) {
            errors.add(
                    Reason.NODE,
                    e.code() == 403
                            ? "The API server forbids to read the node: the agent's ClusterRole needs the rule apiGroups [\"\"],"
                                    + " resources [\"nodes\"], verbs [\"get\"] for the node's capacity."
                            : "The node " + nodeName + " cannot be read from the API server: " + e.getMessage() + ".");
        } catch (IOException | RuntimeException e) {
            errors.add(
                    Reason.NODE,
                    "The node " + nodeName + " cannot be read from the API server: " + ApiServer.reason(e) + ".");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        InputStream answer = open;
        if (answer != null) {
            end(answer);
        }
        thread.interrupt();
    }
}
