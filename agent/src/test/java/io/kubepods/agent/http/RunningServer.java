package io.kubepods.agent.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** A server on a free port of 127.0.0.1 whose close checks that every buffer was given back. */
final class RunningServer implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration SHORT = Duration.ofMillis(100);

    /** Nothing times out, but for what a test leaves behind. */
    static final Limits PATIENT = limits(512, 64, LONG, LONG, LONG);

    // Unlike a pooled one it knows to the byte what is not released; the server's way with both is the same.
    private final UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true, true);
    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    RunningServer(Map<String, Route> routes) throws IOException {
        this(PATIENT, routes);
    }

    RunningServer(Limits limits, Map<String, Route> routes) throws IOException {
        server = HttpServer.start(ListenAddress.parse("127.0.0.1:0"), routes, limits, alloc);
    }

    static Limits limits(int connections, int queued, Duration idle, Duration receive, Duration write) {
        return new Limits(
                connections,
                queued,
                200,
                1_000,
                2_000,
                36 << 20,
                idle,
                receive,
                write,
                Duration.ofSeconds(5),
                Duration.ofSeconds(20));
    }

    HttpServer server() {
        return server;
    }

    Wire connect() throws IOException {
        return new Wire(server.address());
    }

    HttpClient client() {
        return client;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
        assertEquals(0, alloc.metric().usedDirectMemory(), "direct bytes not released");
        assertEquals(0, alloc.metric().usedHeapMemory(), "heap bytes not released");
    }
}
