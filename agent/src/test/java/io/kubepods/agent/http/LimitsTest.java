package io.kubepods.agent.http;

import static io.kubepods.agent.http.RunningServer.LONG;
import static io.kubepods.agent.http.RunningServer.SHORT;
import static io.kubepods.agent.http.RunningServer.limits;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times, numbers and the end. What is waited for is an end of the socket or a latch, never a clock. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // sockets do not see an interrupt
class LimitsTest {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Map<String, Route> routes = Map.of(
            "/a", request -> Response.text(200, "a"),
            "/huge", request -> Response.of("application/octet-stream", out -> out.write(new byte[32 << 20])),
            "/held",
                    request -> {
                        entered.countDown();
                        released.await();
                        return Response.text(200, "held");
                    });

    @Test
    void endsAnIdleConnection() throws Exception {
        try (RunningServer server = new RunningServer(limits(9, 9, SHORT, LONG, LONG), routes);
                Wire fresh = server.connect();
                Wire used = server.connect()) {
            assertEquals("a\n", used.get("/a").read().body());

            fresh.assertEnds();
            used.assertEnds();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET /a HTTP/1.1\nHost: h\n",
                "POST /a HTTP/1.1\nHost: h\nContent-Length: 4\n\nb",
                "GET /a HTTP/1.1\nHost: h\n\nPOST /a HTTP/1.1\nHost: h\nContent-Length: 4\n\nb"
            })
    void endsAConnectionThatDoesNotFinishItsRequest(String start) throws Exception {
        try (RunningServer server = new RunningServer(limits(9, 9, LONG, SHORT, LONG), routes);
                Wire wire = server.connect()) {
            wire.send(start);
            if (start.startsWith("GET /a HTTP/1.1\nHost: h\n\n")) {
                assertEquals("a\n", wire.read().body());
            }
            wire.assertEnds();
        }
    }

    @Test
    void doesNotCountTheTimeOfTheRoute() throws Exception {
        try (RunningServer server = new RunningServer(limits(9, 9, SHORT, SHORT, LONG), routes);
                Wire held = server.connect();
                Wire idle = server.connect()) {
            held.get("/held");
            entered.await();
            idle.assertEnds();
            released.countDown();

            assertEquals("held\n", held.read().body());
        }
    }

    @Test
    void endsAConnectionThatDoesNotRead() throws Exception {
        try (RunningServer server = new RunningServer(limits(9, 9, LONG, LONG, SHORT), routes);
                Wire wire = server.connect()) {
            wire.get("/huge");

            wire.assertIsClosed();
            assertEquals(200, server.get("/a").statusCode());
        }
    }

    @Test
    void doesNotWaitForEverForAClientToEndToo() throws Exception {
        Limits limits = new Limits(9, 9, 200, 1_000, 2_000, 1_000, LONG, LONG, LONG, SHORT, LONG);
        try (RunningServer server = new RunningServer(limits, routes);
                Wire wire = server.connect()) {
            wire.send("GET /a HTTP/1.0\n\n");
            assertEquals("a\n", wire.read().body());
            wire.assertEnds();

            wire.assertIsClosed();
        }
    }

    @Test
    void aBurstOfConnectionsIsHeldToTheLimit() throws Exception {
        try (RunningServer server = new RunningServer(limits(4, 9, LONG, LONG, LONG), routes);
                Wire busy = server.connect()) {
            // Compressing this keeps the loop from accepting one by one.
            busy.send("GET /huge HTTP/1.1\nHost: h\nAccept-Encoding: gzip\n\n");
            Queue<Wire> burst = new ArrayDeque<>();
            for (int i = 0; i < 40; i++) {
                burst.add(server.connect());
            }
            while (burst.size() > 4) {
                try (Wire longest = burst.remove()) {
                    longest.assertEnds();
                }
            }
            for (Wire rest : burst) {
                rest.close();
            }
        }
    }

    @Test
    void idleConnectionsKeepNobodyOut() throws Exception {
        try (RunningServer server = new RunningServer(limits(3, 9, LONG, LONG, LONG), routes)) {
            Queue<Wire> idle = new ArrayDeque<>();
            for (int i = 0; i < 20; i++) {
                // Half of them have begun a request.
                idle.add(server.connect().send(i % 2 == 0 ? "" : "GET /"));
                try (Wire wire = server.connect()) {
                    assertEquals("a\n", wire.get("/a").read().body());
                }
            }
            while (idle.size() > 3) {
                try (Wire longest = idle.remove()) {
                    longest.assertEndsOrIsReset();
                }
            }
            for (Wire rest : idle) {
                rest.close();
            }
        }
    }

    @Test
    void refusesAConnectionWhenAllAreBusy() throws Exception {
        try (RunningServer server = new RunningServer(limits(1, 9, LONG, LONG, LONG), routes);
                Wire held = server.connect().get("/held")) {
            entered.await();
            try (Wire second = server.connect()) {
                second.assertEnds();
            }
            released.countDown();

            assertEquals("held\n", held.read().body());
            assertEquals("a\n", held.get("/a").read().body());
        }
    }

    @Test
    void refusesARequestWhenTooManyWait() throws Exception {
        try (RunningServer server = new RunningServer(limits(9, 1, LONG, LONG, LONG), routes);
                Wire held = server.connect().get("/held")) {
            entered.await();
            CompletableFuture<HttpResponse<String>> one = sendAsync(server);
            CompletableFuture<HttpResponse<String>> other = sendAsync(server);
            CompletableFuture.anyOf(one, other).get();
            HttpResponse<String> refused = one.isDone() ? one.get() : other.get();
            released.countDown();

            assertEquals(503, refused.statusCode());
            assertEquals("1", refused.headers().firstValue("Retry-After").orElseThrow());
            assertEquals("held\n", held.read().body());
            assertEquals(200 + 503, one.get().statusCode() + other.get().statusCode());
        }
    }

    private static CompletableFuture<HttpResponse<String>> sendAsync(RunningServer server) {
        return server.client().sendAsync(server.request("/a").build(), BodyHandlers.ofString());
    }

    @Test
    void closeLetsAResponseUnderWayEnd() throws Exception {
        RunningServer server = new RunningServer(routes);
        try (Wire held = server.connect();
                Wire idle = server.connect()) {
            held.get("/held").get("/a");
            entered.await();
            assertEquals(404, idle.get("/nothing").read().status());
            CompletableFuture<Void> close = CompletableFuture.runAsync(server::close);
            idle.assertEnds();
            // The kernel takes connections until the loop has let go of the socket, and no later than that.
            assertThrows(ConnectException.class, () -> {
                while (true) {
                    server.connect().close();
                }
            });
            assertTrue(!close.isDone());
            released.countDown();

            Wire.Reply reply = held.read();
            assertEquals("held\n", reply.body());
            assertEquals("close", reply.headers().get("Connection"));
            held.assertEnds();
            held.endOutput();
            close.get();
        }
    }

    @Test
    void closeDoesNotWaitForEver() throws Exception {
        Limits limits = new Limits(9, 9, 200, 1_000, 2_000, 1_000, LONG, LONG, LONG, LONG, SHORT);
        RunningServer server = new RunningServer(limits, routes);
        try (Wire held = server.connect().get("/held")) {
            entered.await();

            server.close();

            held.assertEndsOrIsReset();
        }
    }
}
