package io.kubepods.agent.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Turns what a route answers into what goes over the wire, but for {@code Connection} and the compression. */
final class Rendering {

    // Most pages of a node fit; the rest doubles its way up.
    private static final int INITIAL_BYTES = 16_384;

    // RFC_1123_DATE_TIME is not it: HTTP wants two digits for the day.
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Rendering() {}

    /** Writes the body into one buffer, which belongs to the caller with the response. */
    static FullHttpResponse render(Response response, ByteBufAllocator alloc, int maxBytes) throws IOException {
        ByteBuf body = alloc.buffer(Math.min(INITIAL_BYTES, maxBytes), maxBytes);
        try {
            try (OutputStream out = new ByteBufOutputStream(body)) {
                response.body().writeTo(out);
            }
            FullHttpResponse rendered = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()), body);
            HttpHeaders headers = rendered.headers();
            response.headers().forEach(headers::set);
            headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType())
                    .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
                    .set(HttpHeaderNames.DATE, DATE.format(Instant.now()))
                    .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
                    .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                    .set("x-content-type-options", "nosniff");
            return rendered;
        } catch (Throwable e) {
            body.release();
            throw e;
        }
    }
}
