package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One count of /proc/vmstat; what is not there is not zero. */
class VmStatTest {
    private final VmStat vmStat = new VmStat(Path.of("/proc"));
    private final Map<String, Long> errors = new HashMap<>();

    private long oomKillsAfter(KernelFiles files) {
        ErrorCounts readErrors = new ErrorCounts("read");
        ErrorCounts malformed = new ErrorCounts("malformed");
        vmStat.read(files, readErrors, malformed, 0);
        readErrors.forEach((kind, count) -> errors.put(kind.toString(), count));
        malformed.forEach((kind, count) -> errors.put(kind.toString(), count));
        return vmStat.oomKills();
    }

    private static KernelFiles saying(String text) {
        return (file, offset, into) -> {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, into, 0, bytes.length);
            return bytes.length;
        };
    }

    @Test
    void theCount() {
        assertEquals(7, oomKillsAfter(saying("pgfault 12\noom_kill 7\ndrop_pagecache 0\n")));
        assertEquals(Map.of(), errors);
    }

    @Test
    void whatIsNotThereIsNotZero() {
        assertEquals(7, oomKillsAfter(saying("oom_kill 7\n")));
        assertEquals(Value.ABSENT, oomKillsAfter(saying("pgfault 12\n")));
        assertEquals(7, oomKillsAfter(saying("oom_kill 7\n")));
        assertEquals(Value.ABSENT, oomKillsAfter((file, offset, into) -> -Errno.ENOENT));
        assertEquals(Map.of(), errors);
    }

    @Test
    void trouble() {
        assertEquals(Value.ABSENT, oomKillsAfter((file, offset, into) -> -Errno.EACCES));
        assertEquals(1, errors.size());
        assertEquals(Value.ABSENT, oomKillsAfter(saying("oom_kill 7")));
        assertEquals(2, errors.size());
    }
}
