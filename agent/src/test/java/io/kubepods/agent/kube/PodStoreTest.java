package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import io.kubepods.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who has the name when several pods claim one cgroup. */
class PodStoreTest {
    private static final String HASH = "90f346ae82f32bb7eb3fd979ce01bafd";
    private static final Pod STATIC = mirror("m1", "etcd-n", true, 9);
    private static final Pod COPY = mirror("m2", "etcd-copy", true, 10);
    private static final Pod OLD_POSER = mirror("m3", "poser", false, 8);

    private long now = Long.MAX_VALUE - 1; // nanoTime overflows at some time
    private final PodStore store = new PodStore(() -> now);

    private static Pod mirror(String apiUid, String name, boolean ofNode, int hour) {
        Instant createdAt = Instant.parse("2026-03-01T00:00:00Z").plus(Duration.ofHours(hour));
        Pod.Mirror mirror = new Pod.Mirror(apiUid, ofNode, createdAt);
        return new Pod(
                HASH, "shop", name, Map.of(), new Pod.Info("", PodPriority.NONE, "", false, mirror, PodResources.NONE));
    }

    private @Nullable String name() {
        Pod found = store.find(HASH);
        return found == null ? null : found.name();
    }

    private void pass(Duration time) {
        now += time.toNanos();
        store.expire();
    }

    @Test
    void aCopyOfAMirrorDoesNotTakeTheStaticPodsName() {
        store.put(COPY);
        assertEquals("etcd-copy", name());
        store.put(STATIC);
        assertEquals("etcd-n", name(), "the older one");
        store.put(COPY);
        assertEquals("etcd-n", name());
        store.put(OLD_POSER);
        assertEquals("etcd-n", name(), "the one that the kubelet made");
        assertEquals(3, store.size());
    }

    @Test
    void aCopyOfAMirrorThatIsDeletedTakesNoNameAlong() {
        store.put(STATIC);
        store.put(COPY);
        store.remove(COPY);
        assertEquals("etcd-n", name());
        pass(PodStore.GRACE);
        assertEquals("etcd-n", name());
        assertEquals(1, store.size());
    }

    @Test
    void whenTheOneThatIsBelievedGoesTheNextHasTheName() {
        store.put(OLD_POSER);
        store.put(STATIC);
        long generation = store.generation();
        store.remove(STATIC);
        assertEquals("etcd-n", name(), "its cgroup is there a little longer");
        assertEquals(generation, store.generation());
        pass(PodStore.GRACE);
        assertEquals("poser", name());
        assertNotEquals(generation, store.generation());
        store.remove(OLD_POSER);
        pass(PodStore.GRACE);
        assertNull(store.find(HASH));
        assertEquals(0, store.size());
    }

    @Test
    void aMirrorThatIsMadeAnewIsBelievedAtOnce() {
        store.put(STATIC);
        store.remove(STATIC);
        Pod anew = mirror("m4", "etcd-n", true, 12);
        store.put(anew);
        assertEquals(anew, store.find(HASH));
    }

    @Test
    void aPodThatWentWhileAnImpostorStaysIsForgotten() {
        store.put(new Pod(HASH, "shop", "api-0", Map.of()));
        store.put(OLD_POSER);
        assertEquals("api-0", name());
        store.replaceAll(List.of(OLD_POSER));
        assertEquals("api-0", name());
        pass(PodStore.GRACE);
        assertEquals("poser", name(), "nobody else claims it");
        assertEquals(1, store.size());
    }

    @Test
    void whoClaimsAnotherCgroupLeavesTheOneBefore() {
        store.put(OLD_POSER);
        Pod changed = new Pod("other", "shop", "poser", Map.of(), OLD_POSER.info());
        store.put(changed);
        assertNull(store.find(HASH));
        assertEquals(changed, Objects.requireNonNull(store.find("other")));
        assertEquals(1, store.size());
    }
}
