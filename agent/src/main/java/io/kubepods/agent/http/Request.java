package io.kubepods.agent.http;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a route is told of a request. Its body is not kept.
 *
 * @param path the path, percent-decoded
 * @param query the parameters in the order of the request, percent-decoded; a parameter may be there many times
 * @param headers the header fields, whatever the case of their names; one sent on several lines is joined with commas
 */
public record Request(String path, Map<String, List<String>> query, Map<String, String> headers) {

    /** Copies the headers into a map that does not mind the case of names. */
    public Request {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        headers = Collections.unmodifiableMap(anyCase);
    }

    /** The value of one header field, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** @throws IllegalArgumentException if the percent-encoding is broken */
    static Request of(HttpRequest head) {
        QueryStringDecoder uri = new QueryStringDecoder(originForm(head.uri()));
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, String> field : head.headers()) {
            headers.merge(field.getKey(), field.getValue(), (first, next) -> first + ", " + next);
        }
        return new Request(uri.path(), uri.parameters(), headers);
    }

    /** A proxy may name the whole URI, and RFC 9112 §3.2.2 has servers accept it. */
    private static String originForm(String target) {
        int scheme = target.indexOf("://");
        if (target.startsWith("/") || scheme < 0) {
            return target;
        }
        int path = target.indexOf('/', scheme + 3);
        return path < 0 ? "/" : target.substring(path);
    }
}
