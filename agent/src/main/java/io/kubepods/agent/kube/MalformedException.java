package io.kubepods.agent.kube;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An answer that is not what was asked for. */
final class MalformedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /** @param sentence what was asked for, and what came */
    MalformedException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }
}
