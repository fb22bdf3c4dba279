package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.agent.kube.PodEvents.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written on pods, and what becomes of it when it cannot be. */
@Timeout(120)
class PodEventsTest {
    private static final Instant TIME = Instant.parse("2026-03-01T10:00:00.123Z");
    private static final String PATH = "/api/v1/namespaces/shop/events";

    private final TestApiServer server;
    private final AtomicLong nanos = new AtomicLong();
    private final PodEvents events;

    PodEventsTest(@TempDir Path directory) throws IOException {
        server = new TestApiServer(directory);
        events = new PodEvents(server.inCluster(), "worker-1", nanos::get);
        events.start();
    }

    @AfterEach
    void tearDown() {
        events.close();
        server.close();
    }

    private static Told told(String namespace, String pod, String kind, String message) {
        return new Told(TIME, namespace, pod, "uid-1", kind, "OOMKill", message);
    }

    private Event event(int index) {
        String request = server.made().get(index);
        assertTrue(request.startsWith("POST " + PATH + " "), request);
        return new KubernetesSerialization().unmarshal(request.substring(request.indexOf('{')), Event.class);
    }

    @Test
    void anEventIsOnItsPod() throws Exception {
        events.offer(told("shop", "order-api-0", "api", "It was killed."));
        Wait.until("the event", () -> events.written() == 1);
        Event event = event(0);
        assertEquals("shop", event.getMetadata().getNamespace());
        assertTrue(
                event.getMetadata().getName().matches("order-api-0\\.[0-9a-f]+"),
                event.getMetadata().getName());
        assertEquals(
                List.of("v1", "Pod", "shop", "order-api-0", "uid-1"),
                List.of(
                        event.getInvolvedObject().getApiVersion(),
                        event.getInvolvedObject().getKind(),
                        event.getInvolvedObject().getNamespace(),
                        event.getInvolvedObject().getName(),
                        event.getInvolvedObject().getUid()));
        assertEquals(
                List.of("Warning", "OOMKill", "It was killed.", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
                List.of(
                        event.getType(),
                        event.getReason(),
                        event.getMessage(),
                        event.getFirstTimestamp(),
                        event.getLastTimestamp()));
        assertEquals("kubepods-exporter", event.getSource().getComponent());
        assertEquals("worker-1", event.getSource().getHost());
        assertEquals(0, events.failed());
    }

    @Test
    void theNextOfAKindSaysHowManyThereWere() throws Exception {
        for (int i = 0; i < 3; i++) {
            events.offer(told("shop", "order-api-0", "api", "It was killed."));
        }
        nanos.addAndGet(60_000_000_000L);
        events.offer(told("shop", "order-api-0", "api", "It was killed."));
        Wait.until("two events", () -> events.written() == 2);
        assertEquals("It was killed.", event(0).getMessage());
        assertEquals("It was killed. So did 2 more since the last event.", event(1).getMessage());
        assertTrue(
                !event(0).getMetadata().getName().equals(event(1).getMetadata().getName()));
    }

    @Test
    void aNameOrAMessageThatIsTooLongIsCut() throws Exception {
        events.offer(told("shop", "a".repeat(229) + "-".repeat(24), "api", "b".repeat(2_000)));
        Wait.until("the event", () -> events.written() == 1);
        assertTrue(event(0).getMetadata().getName().matches("a{229}\\.[0-9a-f]+"));
        assertTrue(event(0).getMetadata().getName().length() <= 253);
        assertEquals(1_000, event(0).getMessage().length());
    }

    @Test
    void withoutTheRightItIsSaidOnceAndCounted() throws Exception {
        try (Said said = new Said(PodEvents.class)) {
            server.refuse(403);
            events.offer(told("shop", "order-api-0", "api", "It was killed."));
            events.offer(told("shop", "order-api-0", "log", "It was killed."));
            Wait.until("both refused", () -> events.failed() == 2);
            assertEquals(1, said.lines().size(), said.lines().toString());
            assertTrue(
                    said.lines().get(0).contains("403 refused by the test")
                            && said.lines().get(0).contains("resources: [events], verbs: [create]"),
                    said.lines().get(0));
            server.refuse(0);
            events.offer(told("shop", "order-api-0", "init", "It was killed."));
            Wait.until("the third", () -> events.written() == 1);
        }
    }

    @Test
    void aPodWithoutANameHasNone() throws Exception {
        events.offer(told("", "uid-1", "api", "It was killed."));
        events.offer(told("shop", "order-api-0", "api", "It was killed."));
        Wait.until("the event", () -> events.written() == 1);
        assertEquals(1, server.made().size());
    }
}
