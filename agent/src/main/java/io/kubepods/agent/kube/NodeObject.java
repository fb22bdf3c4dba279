package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * How much this node has, from its Node object: read before a watch begins, which is every few minutes. That it cannot be had
 * costs no names.
 *
 * <p>One thread's; {@link #settled} is any's.
 */
final class NodeObject {
    private static final Duration AGAIN_AFTER = Duration.ofMinutes(4);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration BODY_PATIENCE = Duration.ofSeconds(5);

    private final ApiClient client;
    private final String name;
    private final PodStore store;
    private final WatchErrors errors;
    private final LongSupplier nanos;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final CountDownLatch settled = new CountDownLatch(1);
    private long askedAt;
    private boolean had;

    /** @param nanos {@link System#nanoTime()} */
    NodeObject(ApiClient client, String name, PodStore store, WatchErrors errors, LongSupplier nanos) {
        this.client = client;
        this.name = name;
        this.store = store;
        this.errors = errors;
        this.nanos = nanos;
    }

    /** Opens when it has been had for the first time, or could not be. */
    CountDownLatch settled() {
        return settled;
    }

    /** Reads it, unless that was tried not long ago. */
    void refresh() throws InterruptedException {
        long now = nanos.getAsLong();
        if (settled.getCount() == 0 && now - askedAt < (had ? AGAIN_AFTER : RETRY_AFTER).toNanos()) {
            return;
        }
        askedAt = now;
        had = false;
        try {
            read();
            had = true;
        } catch (ApiException e) {
            fail(
                    e.code() == 403
                            ? "The API server forbids to read the node: the agent's ClusterRole needs the rule apiGroups [\"\"],"
                                    + " resources [\"nodes\"], verbs [\"get\"] for the node's capacity."
                            : cannot(e.getMessage() + "."));
        } catch (StalledException | TokenFile.TokenException e) {
            fail(cannot(String.valueOf(e.getMessage())));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            fail(cannot(Cause.of(e) + "."));
        }
        settled.countDown();
    }

    private String cannot(String why) {
        return "The node " + name + " cannot be read from the API server: " + why;
    }

    private void fail(String sentence) {
        errors.add(Reason.NODE, sentence);
    }

    private void read() throws IOException, InterruptedException {
        try (Answer body = client.get(new ApiClient.Ask(
                "/api/v1/nodes/" + name + "?resourceVersion=0",
                PATIENCE,
                BODY_PATIENCE,
                "it did not come to its end within " + BODY_PATIENCE.toSeconds() + " s."))) {
            Node node = Json.read(serialization, body, Node.class, "the node");
            if (node.getStatus() != null) {
                store.setCapacity(PodSpecReader.quantities(node.getStatus().getCapacity()));
            }
        }
    }
}
