package io.kubepods.agent.kube;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An answer that began and did not come to its end in time. */
final class StalledException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param sentence what did not come */
    StalledException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
