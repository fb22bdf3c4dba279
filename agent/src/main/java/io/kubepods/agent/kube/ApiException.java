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
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|[^u])");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,4}");
    private static final int MESSAGE_AT_MOST = 300;

    private final int code;
    private final long retryAfterSeconds;

    /** @param code an HTTP status, or the code of a Status object */
    ApiException(int code, @Nullable String message) {
        super(code + (message == null || message.isBlank() ? "" : " " + OneLine.of(message, MESSAGE_AT_MOST)));
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
        return matcher.find() ? " " + OneLine.of(unescaped(matcher.group(1)), MESSAGE_AT_MOST) : "";
    }

    /** The text of a JSON string: what is not to be seen in a line is a space. */
    private static String unescaped(String json) {
        return ESCAPE.matcher(json).replaceAll(match -> {
            String escape = match.group().substring(1);
            String text = switch (escape.charAt(0)) {
                case 'n', 'r', 't', 'b', 'f' -> " ";
                case 'u' -> String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
                default -> escape;
            };
            return Matcher.quoteReplacement(text);
        });
    }
}
