package io.kubepods.agent;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** An HTTP response as it came over the wire, head and all: the guest has only a shell to ask with. */
record KernelLabResponse(String status, String head, String body) {
    static KernelLabResponse parse(byte[] bytes) {
        // One char a byte, so that lengths count bytes.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("is no HTTP response: " + text);
        }
        String head = text.substring(0, end).toLowerCase(Locale.ROOT);
        String body = text.substring(end + 4);
        if (head.contains("transfer-encoding: chunked")) {
            body = join(body);
        }
        String status = text.substring(0, text.indexOf('\r'));
        return new KernelLabResponse(
                status, head, new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    private static String join(String chunked) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int lineEnd = chunked.indexOf("\r\n", at);
            int length = Integer.parseInt(chunked.substring(at, lineEnd).trim(), 16);
            if (length == 0) {
                return body.toString();
            }
            body.append(chunked, lineEnd + 2, lineEnd + 2 + length);
            at = lineEnd + 2 + length + 2;
        }
    }
}
