package io.kubepods.cgroup;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryStatTest extends FlatKeyedLies<MemoryStat> {
    MemoryStatTest() {
        super(MemoryStat.class, MemoryStat.KEYS);
    }

    @Test
    void linux54HasNoSuffixes() {
        gives(
                "anon 1\nslab 2\npgfault 3\nworkingset_refault 7\nworkingset_activate 8\n",
                Map.of(
                        MemoryStat.ANON, 1L,
                        MemoryStat.SLAB, 2L,
                        MemoryStat.PGFAULT, 3L,
                        MemoryStat.WORKINGSET_REFAULT, 7L,
                        MemoryStat.WORKINGSET_ACTIVATE, 8L));
    }

    /** Many keys begin like another: file and file_thp, pgscan and pgscan_direct, zswap and zswapped. */
    @Test
    void keysThatBeginAlike() {
        gives(
                "file_thp 1\nfile 2\npgscan_direct 3\npgscan 4\nzswapped 5\nzswap 6\n",
                Map.of(
                        MemoryStat.FILE_THP, 1L,
                        MemoryStat.FILE, 2L,
                        MemoryStat.PGSCAN_DIRECT, 3L,
                        MemoryStat.PGSCAN, 4L,
                        MemoryStat.ZSWAPPED, 5L,
                        MemoryStat.ZSWAP, 6L));
    }
}
