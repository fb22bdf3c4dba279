package io.kubepods.cgroup;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SwapEventsTest extends FlatKeyedLies<SwapEvents> {
    SwapEventsTest() {
        super(SwapEvents.class, SwapEvents.KEYS);
    }

    @Test
    void linux54HasNoHigh() {
        gives("max 3\nfail 12\n", Map.of(SwapEvents.MAX, 3L, SwapEvents.FAIL, 12L));
    }
}
