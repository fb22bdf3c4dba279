package io.kubepods.agent.kube;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with a token. Whoever writes it writes another long before the old one expires, so it is read again for every
 * request: there are a few in five minutes.
 *
 * @param whose in words
 */
record TokenFile(Path path, String whose) {
    /** Nothing is asked without the token: the answer would be that of somebody else. */
    static final class TokenException extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        private TokenException(String sentence, IOException cause) {
            super(sentence, cause);
        }
    }

    /** @throws TokenException with one sentence */
    String read() throws TokenException {
        try {
            String token = Files.readString(path).strip();
            if (token.isEmpty()) {
                throw new IOException("it is empty");
            }
            return token;
        } catch (IOException e) {
            throw new TokenException(
                    "Cannot read " + whose + " token " + path + ": " + Cause.of(e)
                            + ". The API server is not asked without it.",
                    e);
        }
    }
}
