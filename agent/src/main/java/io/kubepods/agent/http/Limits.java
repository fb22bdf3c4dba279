package io.kubepods.agent.http;

import java.time.Duration;

/**
 * What the server bears with.
 *
 * @param connections open at once
 * @param queued requests that wait for the worker, beside the one it answers
 * @param lineBytes of a request line
 * @param headBytes of all header fields of a request
 * @param requestBytes of a request's body, which is read only to find the next request
 * @param responseBytes of a response's body before compression
 * @param idle without a request under way
 * @param receive from the first byte of a request to its last
 * @param write for the client to take a whole response
 * @param linger for the client to take note that the connection ends, see {@link Connection}
 * @param grace for {@link HttpServer#close} to wait for responses under way
 */
record Limits(
        int connections,
        int queued,
        int lineBytes,
        int headBytes,
        int requestBytes,
        int responseBytes,
        Duration idle,
        Duration receive,
        Duration write,
        Duration linger,
        Duration grace) {

    static final Limits DEFAULT = new Limits(
            512,
            64,
            4_096,
            16_384,
            16_384,
            128 << 20,
            Duration.ofMinutes(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10));
}
