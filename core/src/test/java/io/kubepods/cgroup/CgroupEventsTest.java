package io.kubepods.cgroup;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CgroupEventsTest extends FlatKeyedLies<CgroupEvents> {
    CgroupEventsTest() {
        super(CgroupEvents.class, CgroupEvents.KEYS);
    }

    @Test
    void linux52() {
        gives("populated 1\nfrozen 0\n", Map.of(CgroupEvents.POPULATED, 1L, CgroupEvents.FROZEN, 0L));
    }

    @Test
    void linux419HasNoFreezer() {
        gives("populated 1\n", Map.of(CgroupEvents.POPULATED, 1L));
    }
}
