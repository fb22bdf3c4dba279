package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryEventsTest extends FlatKeyedLies<MemoryEvents> {
    MemoryEventsTest() {
        super(MemoryEvents.class, MemoryEvents.KEYS);
    }

    @Test
    void linux515HasNoGroupKills() {
        gives(
                "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n",
                Map.of(
                        MemoryEvents.LOW, 0L,
                        MemoryEvents.HIGH, 0L,
                        MemoryEvents.MAX, 12L,
                        MemoryEvents.OOM, 1L,
                        MemoryEvents.OOM_KILL, 1L));
    }

    @Test
    void linux619() {
        gives(
                "low 0\nhigh 137\nmax 1085\noom 30\noom_kill 30\noom_group_kill 0\nsock_throttled 0\n",
                Map.of(
                        MemoryEvents.LOW, 0L,
                        MemoryEvents.HIGH, 137L,
                        MemoryEvents.MAX, 1_085L,
                        MemoryEvents.OOM, 30L,
                        MemoryEvents.OOM_KILL, 30L,
                        MemoryEvents.OOM_GROUP_KILL, 0L,
                        MemoryEvents.SOCK_THROTTLED, 0L));
    }

    /** Here max is a key, never the word for no limit. */
    @Test
    void theWordMaxIsNoValue() {
        assertFalse(parses("max max\n"));
        assertEquals(Map.of(), parsed("max max\n"));
    }
}
