package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.agent.kube.ApiClient.Ask;
import io.kubepods.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation about this node's pods: one list, then a watch from there, and another from where that one ended.
 *
 * <p>A list and a watch of our own, and no fabric8 informer: after a 410 an informer lists without a resource version,
 * which an API server before 1.31 answers by reading all pods of the cluster from etcd, and it keeps whole objects, where
 * this keeps a {@link Pod}. Every list here is from the watch cache, of this node's pods only: the first for resource version
 * 0, the others for one not older than what has been seen. It may be a little old; the watch goes on from there, and brings
 * what it lacked.
 *
 * <p>One thread's; what has no arguments and changes nothing is any's.
 */
final class ListWatch {
    private static final Logger log = LoggerFactory.getLogger(ListWatch.class);

    /** A watch is ended by the server after about so long. */
    private static final Duration WATCH_AT_LEAST = Duration.ofMinutes(4);

    private static final Duration WATCH_AT_MOST = Duration.ofMinutes(6);

    /** A watch is hardly ever silent for long: the server sends a bookmark about once a minute, though it need not. */
    private static final Duration SILENCE_AT_MOST = Duration.ofMinutes(2);

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration LIST_PATIENCE = Duration.ofSeconds(30);

    private final ApiClient client;
    private final String selector;
    private final PodStore store;
    private final WatchErrors errors;
    private final LongSupplier nanos;
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /** Where the next watch begins; null when the pods must be listed first. */
    private volatile @Nullable String version;

    /** A list may come from another API server, whose cache lags behind; what is older than this is not taken. */
    private String notOlderThan = "0";

    private volatile boolean up;
    private volatile long lastEventMillis;
    private long watchedNanos;

    /** @param nanos {@link System#nanoTime()} */
    ListWatch(ApiClient client, String nodeName, PodStore store, WatchErrors errors, LongSupplier nanos) {
        this.client = client;
        selector = "fieldSelector=spec.nodeName%3D" + nodeName;
        this.store = store;
        this.errors = errors;
        this.nanos = nanos;
    }

    /** Up to where the changes have been taken in; null before the first list, and after trouble. */
    @Nullable
    String version() {
        return version;
    }

    /** Whether a watch is established now. */
    boolean isUp() {
        return up;
    }

    /** When the API server was last heard of, in milliseconds since 1970: a list, an event or a bookmark; 0 before. */
    long lastEventMillis() {
        return lastEventMillis;
    }

    /** How long the last watch was. */
    Duration watched() {
        return Duration.ofNanos(watchedNanos);
    }

    /** What it has taken in is not to be built upon: the pods are to be listed again. */
    void forget() {
        version = null;
    }

    void list() throws IOException, InterruptedException {
        try {
            listNotOlderThan(notOlderThan);
        } catch (ApiException e) {
            notOlderThan = "0"; // a server restored from a backup is behind for ever
            throw e;
        }
    }

    private void listNotOlderThan(String oldest) throws IOException, InterruptedException {
        String match = oldest.equals("0") ? "" : "&resourceVersionMatch=NotOlderThan";
        PodList list;
        try (Answer body = client.get(new Ask(
                "/api/v1/pods?" + selector + "&resourceVersion=" + oldest + match,
                PATIENCE,
                LIST_PATIENCE,
                "The list of pods did not come to its end within " + LIST_PATIENCE.toSeconds() + " s."))) {
            list = Json.read(serialization, body, PodList.class, "the list of pods");
        }
        ListMeta metadata = list.getMetadata();
        String at = metadata == null ? null : metadata.getResourceVersion();
        if (at == null || at.isEmpty() || !isList(list.getKind())) {
            // An empty list would have all pods departed.
            throw new MalformedException(
                    "The API server's answer for the list of pods is no list: its kind is " + list.getKind()
                            + (at == null || at.isEmpty() ? ", and it has no resourceVersion." : "."),
                    null);
        }
        store.replaceAll(read(list));
        heard();
        reached(at);
    }

    private void reached(String resourceVersion) {
        version = resourceVersion;
        notOlderThan = resourceVersion;
    }

    private static boolean isList(@Nullable String kind) {
        return "PodList".equals(kind) || "List".equals(kind);
    }

    private List<Pod> read(PodList list) {
        List<Pod> pods = new ArrayList<>();
        List<io.fabric8.kubernetes.api.model.Pod> items = list.getItems();
        if (items != null) {
            for (io.fabric8.kubernetes.api.model.Pod pod : items) {
                Pod read = pod == null ? null : read(pod);
                if (read != null) {
                    pods.add(read);
                }
            }
        }
        log.debug("{} pods listed.", pods.size());
        return pods;
    }

    private @Nullable Pod read(io.fabric8.kubernetes.api.model.Pod pod) {
        Pod read = PodReader.read(pod).orElse(null);
        if (read == null) {
            errors.add(Reason.NAMELESS_POD, "A pod without uid, namespace or name is left out.");
        }
        return read;
    }

    /**
     * Watches from where the last list or watch ended, until this watch ends.
     *
     * @param heard told how long the watch has been, whenever something has come
     */
    void watch(Heard heard) throws IOException, InterruptedException {
        watchedNanos = 0;
        long seconds = ThreadLocalRandom.current().nextLong(WATCH_AT_LEAST.toSeconds(), WATCH_AT_MOST.toSeconds());
        Answer body = client.get(new Ask(
                "/api/v1/pods?watch=true&allowWatchBookmarks=true&" + selector + "&resourceVersion=" + version
                        + "&timeoutSeconds=" + seconds,
                PATIENCE,
                SILENCE_AT_MOST,
                WATCH_AT_MOST.plus(SILENCE_AT_MOST),
                "Nothing came on the watch of pods for two minutes; it is made anew."));
        long beganAt = nanos.getAsLong();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
            up = true;
            String line = lines.readLine();
            while (line != null) {
                body.giveTime(SILENCE_AT_MOST);
                if (!line.isBlank()) {
                    heard();
                    apply(line);
                    heard.after(Duration.ofNanos(nanos.getAsLong() - beganAt));
                }
                line = lines.readLine();
            }
        } finally {
            up = false;
            watchedNanos = nanos.getAsLong() - beganAt;
        }
    }

    /** Is told of a watch on which something has come. */
    @FunctionalInterface
    interface Heard {
        /** @param lasting since the watch began */
        void after(Duration lasting);
    }

    private void heard() {
        lastEventMillis = System.currentTimeMillis();
    }

    private void apply(String line) throws IOException {
        WatchEvent event = Json.read(serialization, line, WatchEvent.class, "the watch of pods");
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
            reached(some.getMetadata().getResourceVersion());
        }
    }
}
