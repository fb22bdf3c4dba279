package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers of the API server, which are JSON objects; whatever else comes is told in words that say what it was. */
final class Json {
    private static final Logger log = LoggerFactory.getLogger(Json.class);
    private static final int SHOWN = 60;

    private Json() {}

    /**
     * @param what was asked for
     * @throws MalformedException when it is something else
     */
    static <T> T read(KubernetesSerialization serialization, InputStream in, Class<T> type, String what)
            throws IOException {
        BufferedInputStream all = new BufferedInputStream(in);
        all.mark(SHOWN);
        String beginning = new String(all.readNBytes(SHOWN), UTF_8).strip();
        all.reset();
        if (!beginning.startsWith("{")) {
            throw new MalformedException(
                    "The API server's answer for " + what + " is no JSON object, but "
                            + (beginning.isEmpty() ? "empty" : "begins with " + OneLine.of(beginning, SHOWN))
                            + "; is it an API server, and no proxy or login page?",
                    null);
        }
        try {
            T read = serialization.unmarshal(all, type);
            if (read != null) {
                return read;
            }
        } catch (RuntimeException | StackOverflowError e) {
            for (Throwable at = e; at != null; at = at.getCause()) {
                if (at instanceof IOException io) {
                    throw io; // it did not come to its end
                }
            }
            log.debug("The answer that cannot be read.", e);
            throw malformed(what, e);
        }
        throw malformed(what, null);
    }

    /** The same of text that has come. */
    static <T> T read(KubernetesSerialization serialization, String text, Class<T> type, String what)
            throws IOException {
        return read(serialization, new ByteArrayInputStream(text.getBytes(UTF_8)), type, what);
    }

    private static MalformedException malformed(String what, @org.jspecify.annotations.Nullable Throwable e) {
        return new MalformedException(
                "The API server's answer for " + what + " was cut off, or is no JSON that can be read as such"
                        + (e == null ? "." : ": " + OneLine.of(Cause.of(e), 200) + "."),
                e);
    }
}
