package io.kubepods.oom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Role;
import io.kubepods.oom.OomKill.Scope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told of an OOM to people. */
class OomIncidentTest {
    private static OomKill victim(@Nullable OomMemory memory) {
        return new OomKill(
                7, 6, 5, Role.VICTIM, Scope.CGROUP, 4_711, "java", 0, 985, 4_096, 0, 0, "/a", "/a/b", memory);
    }

    private static OomIncident incident(
            String pod, String container, OomCause cause, long kills, long limit, @Nullable OomKill victim) {
        return new OomIncident(
                Instant.EPOCH, pod.isEmpty() ? "" : "shop", pod, "", container, "", cause, kills, limit, victim);
    }

    @Test
    void allThatIsKnown() {
        assertEquals(
                "OOM kill in shop/order-api-0/api: the pod reached its memory limit of 8Ki, 2 kills counted;"
                        + " charged were 8Ki, anon 4Ki, file 2Ki, of that shmem 1Ki, kernel 512 bytes;"
                        + " the victim was process 4711 (java), anon-rss 4Ki, oom_score_adj 985.",
                incident(
                                "order-api-0",
                                "api",
                                OomCause.POD_LIMIT,
                                2,
                                8_192,
                                victim(new OomMemory(8_192, 8_192, 4_096, 2_048, 1_024, 512)))
                        .sentence());
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        assertEquals(
                "OOM kill in a pod that is gone: nothing tells whose limit was reached.",
                incident("", "", OomCause.UNKNOWN, Value.ABSENT, Value.ABSENT, null)
                        .sentence());
        assertEquals(
                "OOM kill in shop/order-api-0, in no container that can be named: the node ran out of memory, 1 kill"
                        + " counted; the victim was process 4711 (java), anon-rss 4Ki, oom_score_adj 985.",
                incident("order-api-0", "", OomCause.NODE, 1, Value.ABSENT, victim(null))
                        .sentence());
    }
}
