package io.kubepods.agent.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import org.jspecify.annotations.Nullable;

/** A whole request, or as much of one as it took to refuse it. */
record Received(HttpRequest head, @Nullable Response refusal) {

    /** What to answer, if the request cannot be taken for the reason of its latest part or its length so far. */
    static @Nullable Response refusal(HttpObject part, HttpRequest head, long bodyBytes, Limits limits) {
        if (part.decoderResult().isFailure()) {
            return malformed(part.decoderResult().cause(), limits);
        }
        if (bodyBytes > limits.requestBytes() || HttpUtil.getContentLength(head, 0L) > limits.requestBytes()) {
            return Response.text(413, "The request body is longer than " + limits.requestBytes() + " bytes.");
        }
        // Refused at once, for the client waits; it then sends the same without the field, or learns its 405.
        if (head.headers().contains(HttpHeaderNames.EXPECT)) {
            return Response.text(417, "No request needs a body here.");
        }
        if (head.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && head.headers().getAll(HttpHeaderNames.HOST).size() != 1) {
            return Response.text(400, "The request needs one Host header field.");
        }
        return null;
    }

    private static Response malformed(Throwable cause, Limits limits) {
        if (cause instanceof TooLongHttpLineException) {
            return Response.text(414, "The request line is longer than " + limits.lineBytes() + " bytes.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Response.text(431, "The header fields are longer than " + limits.headBytes() + " bytes.");
        }
        return Response.text(400, "The request is not HTTP as RFC 9112 has it.");
    }
}
