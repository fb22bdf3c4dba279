package io.kubepods.agent.kube;

import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's pods from the API server, for ever. Whatever happens to the API server, what it said last stays in force, and
 * it is asked again. This is the loop; what is said in it is {@link ListWatch}'s and {@link NodeObject}'s, how long it waits
 * {@link BackOff}'s.
 *
 * <p>Its loop is one thread's; {@link #refresh} is called by another, every tick; all else by any.
 */
public final class PodWatcher implements PodSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodWatcher.class);

    /** So that names come at most that long after a server that could not be reached is there again. */
    private static final Duration RECONNECT_AT_MOST = Duration.ofSeconds(4);

    /** A server that answers with errors is asked less often. */
    private static final Duration DELAY_AT_MOST = Duration.ofSeconds(30);

    private static final Duration RETRY_AFTER_AT_MOST = Duration.ofMinutes(2);

    /** A watch that has been that long has worked, however it ends. */
    static final Duration LASTING = Duration.ofSeconds(30);

    private static final Duration BETWEEN_WATCHES_AT_LEAST = Duration.ofMillis(200);
    private static final Duration BETWEEN_WATCHES_AT_MOST = Duration.ofSeconds(1);
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);

    private final ApiClient client;
    private final Duration jitter;
    private final Pause pause;
    private final LongSupplier nanos;
    private final PodStore store;
    private final WatchErrors errors;
    private final ListWatch pods;
    private final NodeObject node;
    private final BackOff backOff = new BackOff();
    private final CountDownLatch synced = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "pod-watch");

    /** Whether trouble has been told of whose end has not. The loop's own. */
    private boolean complained;

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {
        /** @param closed opens when there is nothing to wait for any more */
        void pause(Duration time, CountDownLatch closed) throws InterruptedException;
    }

    /**
     * @param jitter the first list is made after a random part of it: a rollout starts many agents at once
     * @param nanos {@link System#nanoTime()}
     * @throws IOException with one sentence that says which certificate or key cannot be used
     */
    public PodWatcher(ApiServer server, String nodeName, Duration jitter, LongSupplier nanos) throws IOException {
        this(server, nodeName, jitter, nanos, PodWatcher::await);
    }

    /** @param pause what a test puts in the place of waiting */
    PodWatcher(ApiServer server, String nodeName, Duration jitter, LongSupplier nanos, Pause pause) throws IOException {
        this.jitter = jitter;
        this.pause = pause;
        this.nanos = nanos;
        client = new ApiClient(server, nanos);
        store = new PodStore(nanos);
        errors = new WatchErrors(nanos);
        pods = new ListWatch(client, nodeName, store, errors, nanos);
        node = new NodeObject(client, nodeName, store, errors, nanos);
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

    /**
     * Waits for the first list, and for the node or that it cannot be had. Nobody need call {@link #refresh} meanwhile.
     *
     * @return false when the list has not come in time
     */
    public boolean awaitSync(Duration patience) throws InterruptedException {
        long until = nanos.getAsLong() + patience.toNanos();
        for (CountDownLatch latch : new CountDownLatch[] {synced, node.settled()}) {
            long left = until - nanos.getAsLong();
            while (left > 0 && !latch.await(Math.min(left, REFRESH_INTERVAL.toNanos()), TimeUnit.NANOSECONDS)) {
                refresh();
                left = until - nanos.getAsLong();
            }
        }
        return isSynced();
    }

    /** Whether a watch is established now. */
    public boolean isUp() {
        return pods.isUp();
    }

    /** When the API server was last heard of, in milliseconds since 1970: a list, an event or a bookmark; 0 before. */
    public long lastEventMillis() {
        return pods.lastEventMillis();
    }

    public long errors(Reason reason) {
        return errors.count(reason);
    }

    /** Up to where the API server's changes have been taken in; null before the first list, and after trouble. */
    @Nullable
    String version() {
        return pods.version();
    }

    /** How many pods are remembered. */
    int size() {
        return store.size();
    }

    /** Forgets departed pods, and ends an answer that is late. */
    public void refresh() {
        store.expire();
        client.endWhatIsLate();
    }

    private void run() {
        try {
            pause(part(jitter, 0));
            while (!isClosed()) {
                attempt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } finally {
            client.dispose();
        }
    }

    private void attempt() throws InterruptedException {
        try {
            step();
        } catch (ApiException e) {
            if (hasLostItsPlace(e)) {
                pods.forget();
            }
            fail(e);
        } catch (TokenFile.TokenException e) {
            fail(Reason.TOKEN, String.valueOf(e.getMessage()), RECONNECT_AT_MOST);
        } catch (StalledException e) {
            fail(Reason.SILENCE, String.valueOf(e.getMessage()), DELAY_AT_MOST);
        } catch (MalformedException e) {
            pods.forget();
            fail(Reason.MALFORMED, String.valueOf(e.getMessage()), DELAY_AT_MOST);
        } catch (IOException e) {
            String sentence = "The API server at " + client.url() + " cannot be reached (" + Cause.of(e)
                    + "); names stay as they were.";
            fail(Reason.CONNECTION, sentence, RECONNECT_AT_MOST);
        } catch (RuntimeException e) {
            // What is read is anyone's text: whatever is wrong with it ends this attempt, not the loop.
            pods.forget();
            fail(Reason.MALFORMED, "The API server's answer cannot be read: " + Cause.of(e) + ".", DELAY_AT_MOST);
            log.debug("The answer that cannot be read.", e);
        }
    }

    /**
     * Whether the next watch cannot begin where the last one ended. A server that is too busy for a watch, or does not know who
     * asks, is not asked for a list on top of it; one that says 504 may be behind what has been seen.
     */
    private static boolean hasLostItsPlace(ApiException e) {
        Reason reason = Reason.of(e.code());
        return reason == Reason.EXPIRED || reason == Reason.OTHER || e.code() == 504;
    }

    private void step() throws IOException, InterruptedException {
        if (pods.version() == null) {
            pods.list();
            synced.countDown();
        }
        node.refresh();
        try {
            pods.watch(this::worksAgain);
        } finally {
            if (hasLasted(pods.watched())) {
                backOff.succeeded();
            }
        }
        if (isClosed()) {
            return;
        }
        pause(part(BETWEEN_WATCHES_AT_MOST, BETWEEN_WATCHES_AT_LEAST.toNanos()));
        if (!hasLasted(pods.watched())) {
            String sentence =
                    "The API server at " + client.url() + ", or something before it, ended a watch of pods after "
                            + pods.watched().toSeconds() + " s; a watch should last for minutes.";
            fail(Reason.SHORT_WATCH, sentence, DELAY_AT_MOST);
        }
    }

    private static boolean hasLasted(Duration watched) {
        return watched.compareTo(LASTING) >= 0;
    }

    private void worksAgain(Duration lasting) {
        if (complained && hasLasted(lasting)) {
            complained = false;
            log.info("The watch of pods on {} works again.", client.url());
        }
    }

    private void fail(ApiException e) throws InterruptedException {
        Reason reason = Reason.of(e.code());
        String sentence = switch (reason) {
            case FORBIDDEN ->
                "The API server forbids to list and watch pods: the agent's service account needs a ClusterRole with the"
                        + " rule apiGroups [\"\"], resources [\"pods\"], verbs [\"list\", \"watch\"], bound by a"
                        + " ClusterRoleBinding (" + e.getMessage() + ").";
            case UNAUTHORIZED -> "The API server does not accept the agent's token (" + e.getMessage() + ").";
            case EXPIRED -> "The API server no longer remembers where the watch of pods stopped; they are listed anew.";
            default -> "The API server answered " + e.getMessage() + "; names stay as they were.";
        };
        if (reason == Reason.EXPIRED && backOff.isFresh()) {
            errors.add(reason, sentence);
            backOff.failed(DELAY_AT_MOST); // a list at once; should that be expired too, after a while
            return;
        }
        Duration asked = e.retryAfter();
        fail(reason, sentence, DELAY_AT_MOST);
        pause(asked.compareTo(RETRY_AFTER_AT_MOST) > 0 ? RETRY_AFTER_AT_MOST : asked);
    }

    private void fail(Reason reason, String sentence, Duration atMost) throws InterruptedException {
        if (!isClosed()) {
            complained |= errors.add(reason, sentence);
            pause(backOff.failed(atMost));
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void pause(Duration time) throws InterruptedException {
        pause.pause(time, closed);
    }

    /** Between the least and the most, by chance. */
    private static Duration part(Duration most, long leastNanos) {
        double chance = ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos(leastNanos + (long) ((most.toNanos() - leastNanos) * chance));
    }

    private static void await(Duration time, CountDownLatch closed) throws InterruptedException {
        if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            log.debug("The watch of pods ends.");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        client.close();
        thread.interrupt();
    }
}
