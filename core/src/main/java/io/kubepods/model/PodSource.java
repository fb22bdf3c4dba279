package io.kubepods.model;

import io.kubepods.kubelet.Quantities;
import org.jspecify.annotations.Nullable;

/** Where pods' names come from: a file, or the API server. Answers at once, with what is known now. */
public interface PodSource {
    /** No names: every cgroup is served under its uid and id. */
    PodSource NONE = new PodSource() {
        @Override
        public @Nullable Pod find(String uid) {
            return null;
        }

        @Override
        public long generation() {
            return 0;
        }
    };

    /** @param uid as the cgroup has it, with dashes */
    @Nullable
    Pod find(String uid);

    /** Another number whenever any pod may have changed, so that names are looked up again only then. */
    long generation();

    /** How much this node has, as the API says; null while it has not said. */
    default @Nullable Quantities capacity() {
        return null;
    }
}
