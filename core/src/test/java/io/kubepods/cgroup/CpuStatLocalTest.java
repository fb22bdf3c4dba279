package io.kubepods.cgroup;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuStatLocalTest extends FlatKeyedLies<CpuStatLocal> {
    CpuStatLocalTest() {
        super(CpuStatLocal.class, CpuStatLocal.KEYS);
    }

    @Test
    void linux66() {
        gives("throttled_usec 3980112\n", Map.of(CpuStatLocal.THROTTLED_USEC, 3_980_112L));
    }

    @Test
    void emptyWithoutTheController() {
        gives("", Map.of());
    }
}
