package io.kubepods.kernel;

import java.nio.charset.StandardCharsets;

/**
 * One pseudo-file, by its directory and name, with the descriptor that {@link PosixFiles} may have kept for it.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class KernelFile {
    /** How often a file is read, which decides whose descriptors are kept when not all can be. */
    public enum Use {
        /** Read every tick: the first to be kept. */
        EVERY_TICK,
        /** Read when somebody scrapes: kept while there is room for the others. */
        EVERY_SCRAPE,
        /** Read once in a cgroup's life: never kept. */
        ONCE,
        /** Read once, from one piece to the next: kept until a read gives 0 or an error. */
        IN_PIECES
    }

    final KernelDirectory directory;
    final Name name;
    final Use use;
    int descriptor = KernelDirectory.CLOSED;

    public KernelFile(KernelDirectory directory, Name name, Use use) {
        this.directory = directory;
        this.name = name;
        this.use = use;
    }

    /** The file's name, which is how errors are counted: {@code cpu.stat}, {@code oom_score_adj}. */
    public String name() {
        return name.text;
    }

    /** Whether the last read went through a descriptor that is still open. */
    public boolean isKept() {
        return descriptor != KernelDirectory.CLOSED;
    }

    @Override
    public String toString() {
        return directory + "/" + name.text;
    }

    /** A file name as the C library takes it, made once and shared by the files of all directories. */
    public static final class Name {
        final String text;
        final byte[] terminated;

        public Name(String text) {
            this.text = text;
            terminated = (text + "\0").getBytes(StandardCharsets.UTF_8);
        }
    }
}
