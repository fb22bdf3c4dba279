package io.kubepods.kernel;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** This process's {@code RLIMIT_NOFILE}: {@code struct rlimit} is two u64, the soft and the hard limit. */
final class OpenFilesLimit {
    private static final long UNKNOWN = 1_024;

    private OpenFilesLimit() {}

    /** Raises the soft limit to the hard one, and tells what the limit is now. */
    static long raised() {
        try (Memory rlimit = new Memory(16)) {
            long address = Pointer.nativeValue(rlimit);
            if (Libc.getrlimit(Libc.RLIMIT_NOFILE, address) != 0) {
                return UNKNOWN;
            }
            long soft = rlimit.getLong(0);
            long hard = rlimit.getLong(8);
            rlimit.setLong(0, hard);
            boolean raised = Libc.setrlimit(Libc.RLIMIT_NOFILE, address) == 0;
            long limit = raised ? hard : soft;
            return limit < 0 ? Long.MAX_VALUE : limit; // RLIM_INFINITY is all ones
        }
    }
}
