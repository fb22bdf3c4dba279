package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An error that the API server, or something before it, answered with. */
final class ApiException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final Pattern MESSAGE = Pattern.compile("\"message\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,4}");
    private static final int MESSAGE_AT_MOST = 300;

    private final int code;
    private final long retryAfterSeconds;

    /** @param code an HTTP status, or the code of a Status object */
    ApiException(int code, @Nullable String message) {
        super(code + (message == null || message.isEmpty() ? "" : " " + cut(message)));
        this.code = code;
        retryAfterSeconds = 0;
    }

    /** @param body a Status object, as a rule */
    ApiException(int code, @Nullable String retryAfter, byte[] body) {
        super(code + messageIn(new String(body, UTF_8)));
        this.code = code;
        retryAfterSeconds =
                retryAfter != null && SECONDS.matcher(retryAfter).matches() ? Long.parseLong(retryAfter) : 0;
    }

    int code() {
        return code;
    }

    /** How long the server asks to be left alone; zero when it does not. */
    Duration retryAfter() {
        return Duration.ofSeconds(retryAfterSeconds);
    }

    private static String messageIn(String body) {
        Matcher matcher = MESSAGE.matcher(body);
        return matcher.find() ? " " + cut(matcher.group(1).replace("\\\"", "\"")) : "";
    }

    private static String cut(String message) {
        return message.length() <= MESSAGE_AT_MOST ? message : message.substring(0, MESSAGE_AT_MOST) + "…";
    }
}
