package io.kubepods.agent.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a route answers. The length, the date, the compression and the fields every response has are the server's work.
 *
 * @param status the HTTP status code
 * @param contentType the media type with its parameters
 * @param headers further header fields
 * @param body writes the body, at most once, on the thread of the routes
 */
public record Response(int status, String contentType, Map<String, String> headers, Body body) {

    /** Writes a body. */
    @FunctionalInterface
    public interface Body {
        /** Writes all of it, into memory: a client that has gone is never seen from here. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Keeps its own copy of the headers. */
    public Response {
        headers = Map.copyOf(headers);
    }

    /** A 200 of any type. */
    public static Response of(String contentType, Body body) {
        return new Response(200, contentType, Map.of(), body);
    }

    /** A 200 with a page. */
    public static Response html(String page) {
        return of("text/html; charset=utf-8", out -> out.write(page.getBytes(StandardCharsets.UTF_8)));
    }

    /** One line of plain text, without its line end. */
    public static Response text(int status, String line) {
        byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
        return new Response(status, "text/plain; charset=utf-8", Map.of(), out -> out.write(bytes));
    }

    /** The same with one more header field. */
    public Response with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Response(status, contentType, more, body);
    }
}
