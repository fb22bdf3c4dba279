package io.kubepods.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What shows only in the bytes: order, persistence, HEAD, bad requests, clients that go. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // sockets do not see an interrupt
class WireTest {

    // More than the kernel's buffers of both ends together take.
    private static final int HUGE = 32 << 20;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private RunningServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RunningServer(Map.of(
                "/a", request -> Response.text(200, "a"),
                "/b", request -> Response.text(200, "b"),
                "/long",
                        request -> Response.of(
                                "text/plain",
                                out -> out.write("b\n".repeat(5_000).getBytes(UTF_8))),
                "/huge", request -> Response.of("application/octet-stream", out -> out.write(new byte[HUGE])),
                "/throws",
                        request -> {
                            throw new IOException("as it is meant to");
                        },
                "/held",
                        request -> {
                            entered.countDown();
                            released.await();
                            return Response.of("text/plain", out -> out.write(new byte[100_000]));
                        }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void keepsTheConnection() throws Exception {
        try (Wire wire = server.connect()) {
            assertEquals("a\n", wire.get("/a").read().body());
            assertEquals(404, wire.get("/nothing").read().status());
            assertEquals(500, wire.get("/throws").read().status());
            assertEquals(
                    405,
                    wire.send("POST /a HTTP/1.1\nHost: h\nContent-Length: 4\n\nbody")
                            .read()
                            .status());
            Wire.Reply last = wire.get("/b").read();
            assertEquals("b\n", last.body());
            assertFalse(last.headers().containsKey("Connection"));
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        try (Wire wire = server.connect()) {
            wire.send("""
                    GET /held HTTP/1.1
                    Host: h

                    GET /nothing HTTP/1.1
                    Host: h

                    HEAD /a HTTP/1.1
                    Host: h

                    GET /b HTTP/1.1
                    Host: h
                    Accept-Encoding: gzip

                    GET /long HTTP/1.1
                    Host: h

                    POST /a HTTP/1.1
                    Host: h
                    Content-Length: 5000

                    """);
            entered.await();
            released.countDown();

            assertEquals(100_000, wire.read().body().length());
            assertEquals(404, wire.read().status());
            assertEquals("2", wire.readHead().headers().get("Content-Length"));
            assertEquals("b\n", wire.read().body());
            assertEquals(10_000, wire.read().body().length());
            assertEquals(413, wire.read().status());
            wire.assertEnds();
        }
    }

    @Test
    void answersManyPipelinedRequests() throws Exception {
        try (Wire wire = server.connect()) {
            wire.send("GET /nothing HTTP/1.1\nHost: h\n\nGET /a HTTP/1.1\nHost: h\n\n".repeat(50));
            for (int i = 0; i < 50; i++) {
                assertEquals(404, wire.read().status());
                assertEquals("a\n", wire.read().body());
            }
        }
    }

    @Test
    void takesARequestByteByByte() throws Exception {
        try (Wire wire = server.connect()) {
            for (byte one : "GET /a HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(UTF_8)) {
                wire.send(new byte[] {one});
            }
            assertEquals("a\n", wire.read().body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/long", "/nothing", "/throws"})
    void answersHeadAsGet(String path) throws Exception {
        try (Wire wire = server.connect()) {
            String rest = " " + path + " HTTP/1.1\nHost: h\nAccept-Encoding: gzip\n\n";
            Wire.Reply get = wire.send("GET" + rest).read();
            Wire.Reply head = wire.send("HEAD" + rest).readHead();

            get.headers().remove("Date");
            head.headers().remove("Date");
            assertEquals(get.headers(), head.headers());
            assertEquals(get.status(), head.status());
            // Were there a body, it would be taken for the next response.
            assertEquals("a\n", wire.get("/a").read().body());
        }
    }

    @Test
    void endsTheConnectionWhenAsked() throws Exception {
        try (Wire wire = server.connect()) {
            Wire.Reply reply = wire.send("GET /a HTTP/1.1\nHost: h\nConnection: close\n\nGET /b HTTP/1.1\nHost: h\n\n")
                    .read();

            assertEquals("close", reply.headers().get("Connection"));
            wire.assertEnds();
        }
    }

    @Test
    void servesHttp10() throws Exception {
        try (Wire wire = server.connect()) {
            Wire.Reply reply =
                    wire.send("GET /a HTTP/1.0\nConnection: keep-alive\n\n").read();
            assertEquals("keep-alive", reply.headers().get("Connection"));

            assertEquals("a\n", wire.send("GET /a HTTP/1.0\n\n").read().body());
            wire.assertEnds();
        }
    }

    @Test
    void answersAClientThatHasEndedItsOutput() throws Exception {
        try (Wire wire = server.connect()) {
            wire.get("/held").endOutput();
            entered.await();
            released.countDown();

            assertEquals(100_000, wire.read().body().length());
            wire.assertEnds();
        }
    }

    @ParameterizedTest
    @CsvSource({"http://example:1/a, 200", "http://example/nothing, 404", "http://example, 404"})
    void takesAWholeUri(String uri, int status) throws Exception {
        try (Wire wire = server.connect()) {
            assertEquals(status, wire.get(uri).read().status());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    nonsense\\n\\n                                                                   | 400
                    GET /a\\n\\n                                                                     | 400
                    GET /a HTTP/1.1\\n\\n                                                            | 400
                    GET /a HTTP/1.1\\nHost: h\\nHost: i\\n\\n                                        | 400
                    GET /a HTTP/1.1\\nHost: h\\nno colon\\n\\n                                       | 400
                    GET /%zz HTTP/1.1\\nHost: h\\n\\n                                                | 400
                    GET /a?%f HTTP/1.1\\nHost: h\\n\\n                                               | 400
                    POST /a HTTP/1.1\\nHost: h\\nContent-Length: x\\n\\n                             | 400
                    POST /a HTTP/1.1\\nHost: h\\nTransfer-Encoding: chunked\\n\\nxyz\\n              | 400
                    POST /a HTTP/1.1\\nHost: h\\nContent-Length: 2001\\n\\n                          | 413
                    POST /a HTTP/1.1\\nHost: h\\nTransfer-Encoding: chunked\\n\\n7d1\\n@2001         | 413
                    POST /a HTTP/1.1\\nHost: h\\nContent-Length: 4\\nExpect: 100-continue\\n\\n      | 417
                    GET /@200 HTTP/1.1\\nHost: h\\n\\n                                               | 414
                    GET /a HTTP/1.1\\nHost: h\\nX: @1000\\n\\n                                       | 431
                    """)
    void refusesBadRequests(String request, int status) throws Exception {
        try (Wire wire = server.connect()) {
            wire.send(filled(request).replace("\\n", "\n"));

            Wire.Reply reply = wire.read();

            assertEquals(status, reply.status());
            assertTrue(reply.body().endsWith(".\n"), reply.body());
        }
        try (Wire wire = server.connect()) {
            assertEquals("a\n", wire.get("/a").read().body());
        }
    }

    /** Puts so many letters for each {@code @number}. */
    private static String filled(String template) {
        return Pattern.compile("@(\\d+)").matcher(template).replaceAll(at -> "x".repeat(Integer.parseInt(at.group(1))));
    }

    @Test
    void aRefusalReachesAClientThatIsStillSending() throws Exception {
        try (Wire wire = server.connect()) {
            wire.send("POST /a HTTP/1.1\nHost: h\nContent-Length: " + HUGE + "\n\n")
                    .send(new byte[HUGE]);

            assertEquals(413, wire.read().status());
            wire.assertEnds();
        }
    }

    @Test
    void aClientMayGoBeforeItsResponse() throws Exception {
        Wire wire = server.connect();
        wire.get("/held");
        entered.await();
        wire.reset();
        released.countDown();

        assertEquals(200, server.get("/a").statusCode());
    }

    @Test
    void aClientMayGoInTheMiddleOfItsResponse() throws Exception {
        Wire wire = server.connect();
        assertEquals(200, wire.get("/huge").readHead().status());
        wire.reset();

        assertEquals(200, server.get("/a").statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /a HT", "POST /a HTTP/1.1\nHost: h\nContent-Length: 9\n\nx"})
    void aClientMayGoInTheMiddleOfItsRequest(String request) throws Exception {
        try (Wire wire = server.connect()) {
            wire.send(request).endOutput();
            wire.assertEnds();
        }
    }

    @Test
    void survivesNoise() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] good = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"
                .getBytes(UTF_8);
        for (int i = 0; i < 200; i++) {
            byte[] bad = good.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try (Wire wire = server.connect()) {
                wire.send(bad).endOutput();
                wire.assertEndsSomehow();
            }
        }
        assertEquals(200, server.get("/a").statusCode(), "-Dseed=" + seed);
    }
}
