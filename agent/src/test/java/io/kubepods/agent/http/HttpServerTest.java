package io.kubepods.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // sockets do not see an interrupt
class HttpServerTest {

    private static final String LARGE = "kubepods_container_cpu_usage_seconds_total 1.5\n".repeat(10_000);

    private final List<Request> seen = new CopyOnWriteArrayList<>();
    private RunningServer server;

    @BeforeEach
    void start() throws IOException {
        Map<String, Route> routes = Map.of(
                "/", request -> Response.html("<h1>é</h1>"),
                "/large", request -> Response.of("text/plain; version=0.0.4", out -> out.write(LARGE.getBytes(UTF_8))),
                "/seen",
                        request -> {
                            seen.add(request);
                            return Response.text(200, "ok");
                        },
                "/teapot", request -> Response.text(418, "short and stout").with("X-Spout", "1"),
                "/throws",
                        request -> {
                            throw new IllegalStateException("secret");
                        },
                "/overflows",
                        request -> {
                            throw new StackOverflowError();
                        },
                "/breaks-off",
                        request -> Response.of("text/plain", out -> {
                            out.write(LARGE.getBytes(UTF_8));
                            throw new IOException("secret");
                        }),
                "/endless",
                        request -> Response.of("text/plain", out -> {
                            while (true) {
                                out.write(LARGE.getBytes(UTF_8));
                            }
                        }));
        server = new RunningServer(routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersWithTheFieldsOfEveryResponse() throws Exception {
        HttpResponse<String> response = server.get("/");

        assertEquals(200, response.statusCode());
        assertEquals("<h1>é</h1>", response.body());
        assertEquals("text/html; charset=utf-8", field(response, "Content-Type"));
        assertEquals("11", field(response, "Content-Length"));
        assertEquals("nosniff", field(response, "X-Content-Type-Options"));
        assertEquals("accept-encoding", field(response, "Vary"));
        assertEquals("no-store", field(response, "Cache-Control"));
        assertTrue(response.headers().firstValue("Date").isPresent());
    }

    @Test
    void passesStatusAndHeadersOfARouteOn() throws Exception {
        HttpResponse<String> response = server.get("/teapot");

        assertEquals(418, response.statusCode());
        assertEquals("short and stout\n", response.body());
        assertEquals("1", field(response, "X-Spout"));
    }

    @Test
    void givesARouteThePathTheQueryAndTheHeaders() throws Exception {
        server.client()
                .send(
                        server.request("/%73een?name[]=a%26b&name[]=c+d&x")
                                .header("Accept", "text/plain")
                                .header("Accept", "text/html")
                                .build(),
                        BodyHandlers.discarding());

        Request request = seen.get(0);
        assertEquals("/seen", request.path());
        assertEquals(Map.of("name[]", List.of("a&b", "c d"), "x", List.of("")), request.query());
        assertEquals("text/plain, text/html", request.header("aCCEPT"));
        assertEquals(null, request.header("Authorization"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/large/", "//large", "/LARGE", "/large%2F"})
    void matchesPathsExactly(String path) throws Exception {
        HttpResponse<String> response = server.get(path);

        assertEquals(404, response.statusCode());
        assertEquals("There is no such page.\n", response.body());
        assertEquals("text/plain; charset=utf-8", field(response, "Content-Type"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"})
    void refusesOtherMethods(String method) throws Exception {
        HttpResponse<String> response = server.client()
                .send(
                        server.request("/")
                                .method(method, BodyPublishers.ofString("body"))
                                .build(),
                        BodyHandlers.ofString());

        assertEquals(405, response.statusCode());
        assertEquals("GET, HEAD", field(response, "Allow"));
        assertEquals(200, server.get("/").statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/throws", "/overflows", "/breaks-off", "/endless"})
    void aRouteThatFailsCostsItsOwnResponseOnly(String path) throws Exception {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> response = server.get(path);

            assertEquals(500, response.statusCode());
            assertEquals("The page could not be made; the log of the agent says why.\n", response.body());
        }
        assertEquals(200, server.get("/").statusCode());
    }

    @Test
    void compressesForWhoAcceptsIt() throws Exception {
        HttpResponse<byte[]> response = getLarge("deflate;q=0.5, gzip");

        assertEquals("gzip", field(response, "Content-Encoding"));
        assertEquals(response.body().length, Integer.parseInt(field(response, "Content-Length")));
        assertTrue(response.body().length < LARGE.length() / 10);
        byte[] body = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
        assertArrayEquals(LARGE.getBytes(UTF_8), body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "br, zstd, deflate, snappy", ""})
    void doesNotCompressForWhoDoesNot(String acceptEncoding) throws Exception {
        HttpResponse<byte[]> response = getLarge(acceptEncoding);

        assertFalse(response.headers().firstValue("Content-Encoding").isPresent());
        assertArrayEquals(LARGE.getBytes(UTF_8), response.body());
    }

    private HttpResponse<byte[]> getLarge(String acceptEncoding) throws Exception {
        return server.client()
                .send(
                        server.request("/large")
                                .header("Accept-Encoding", acceptEncoding)
                                .build(),
                        BodyHandlers.ofByteArray());
    }

    @Test
    void doesNotCompressWhatIsShort() throws Exception {
        HttpResponse<String> response = server.client()
                .send(server.request("/").header("Accept-Encoding", "gzip").build(), BodyHandlers.ofString());

        assertEquals("<h1>é</h1>", response.body());
    }

    @Test
    void closesTwice() {
        server.server().close();
        server.server().close();
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            ListenAddress address = new ListenAddress("127.0.0.1", taken.getLocalPort());

            IOException e = assertThrows(IOException.class, () -> HttpServer.start(address, Map.of()));

            assertEquals(
                    "Cannot listen on " + address
                            + ": another process does already; stop it, or choose another address or port.",
                    e.getMessage());
        }
    }

    @Test
    void saysThatTheAddressIsNotOurs() {
        // 192.0.2.0/24 is for documentation, and nobody's.
        IOException e =
                assertThrows(IOException.class, () -> HttpServer.start(ListenAddress.parse("192.0.2.1:0"), Map.of()));

        assertEquals(
                "Cannot listen on 192.0.2.1:0: this host has no such address; choose one it has, or leave the host out.",
                e.getMessage());
    }

    @Test
    void saysThatTheHostIsUnknown() {
        IOException e = assertThrows(
                IOException.class, () -> HttpServer.start(ListenAddress.parse("no.such.invalid:0"), Map.of()));

        assertEquals("Cannot listen on no.such.invalid:0: no host of that name is known.", e.getMessage());
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }
}
