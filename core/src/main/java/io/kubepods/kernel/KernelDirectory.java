package io.kubepods.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A directory of pseudo-files. While its descriptor is kept, files are opened relative to it: that is cheaper than the
 * whole path, and it is this very directory, not one made later under the same name.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class KernelDirectory {
    static final int CLOSED = -1;

    final byte[] path;
    final boolean mayBeKept;
    int descriptor = CLOSED;

    public KernelDirectory(Path path) {
        this(path.toString(), true);
    }

    private KernelDirectory(String path, boolean mayBeKept) {
        this.path = path.getBytes(StandardCharsets.UTF_8);
        this.mayBeKept = mayBeKept;
    }

    /** The directory {@code name} in this one. Whoever asks for it closes it with {@link PosixFiles#close}. */
    public KernelDirectory child(String name) {
        return new KernelDirectory(this + "/" + name, true);
    }

    /** The directory {@code name} in this one, to be looked at once: no descriptor is kept for it. */
    public KernelDirectory passing(String name) {
        return new KernelDirectory(this + "/" + name, false);
    }

    @Override
    public String toString() {
        return new String(path, StandardCharsets.UTF_8);
    }
}
