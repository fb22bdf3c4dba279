package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.kubepods.agent.kube.TestApiServer.Asked;
import io.kubepods.agent.kube.TestApiServer.Instead;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server, or what is before it, that stalls, ends what it should not, or says something else. */
@Timeout(120)
@EnabledForJreRange(
        max = JRE.JAVA_24,
        disabledReason =
                "on a JDK 25 the test's own HTTPS server leaves the next two servers' clients without an answer"
                        + " after a stalled one; why is not known yet")
class TroubleTest {
    private static final String BOOKMARK =
            "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1000\"}}}\n";

    private final AtomicLong ahead = new AtomicLong();
    private final Pauses pauses = new Pauses();
    private final TestApiServer server;
    private final PodWatcher watcher;

    TroubleTest(@TempDir Path directory) throws Exception {
        server = new TestApiServer(directory);
        watcher = new PodWatcher(
                server.inCluster(), "worker-1", Duration.ZERO, () -> System.nanoTime() + ahead.get(), pauses);
    }

    @AfterEach
    void tearDown() {
        watcher.close();
        server.close();
    }

    private static Pod pod(String uid) {
        return new PodBuilder()
                .withNewMetadata()
                .withUid(uid)
                .withNamespace("shop")
                .withName(uid)
                .endMetadata()
                .build();
    }

    private void start() throws Exception {
        watcher.start();
        Wait.until("a watch", () -> watcher.isUp() && server.watches() == 1);
    }

    private void named(String uid) throws Exception {
        Wait.until(uid + " has a name", () -> watcher.find(uid) != null);
    }

    private void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
        watcher.refresh();
    }

    /** Ticks, each a second after the one before, until it is so. */
    private void tickUntil(Reason reason, long count) throws Exception {
        Wait.until(count + " " + reason, () -> {
            pass(Duration.ofSeconds(1));
            return watcher.errors(reason) >= count;
        });
    }

    @Test
    void aNodeThatStallsCostsNoNames() throws Exception {
        server.instead(Asked.NODE, new Instead(200, "{\"kind\":\"Node\",", true));
        server.put(pod("a"));
        watcher.start();
        Wait.until("the node is asked for", () -> server.asked(Asked.NODE) == 1);
        tickUntil(Reason.NODE, 1);
        server.put(pod("b"));
        named("a");
        named("b");
        assertEquals(1, watcher.errors(Reason.NODE));
    }

    @Test
    void aListThatStallsIsCountedAndTriedAgain() throws Exception {
        server.instead(Asked.LIST, new Instead(200, "{\"kind\":\"PodList\",", true));
        server.put(pod("a"));
        watcher.start();
        tickUntil(Reason.SILENCE, 2);
        server.instead(Asked.LIST, null);
        named("a");
    }

    @Test
    void anErrorThatStallsIsThatError() throws Exception {
        server.instead(Asked.LIST, new Instead(500, "{\"k", true));
        server.put(pod("a"));
        watcher.start();
        tickUntil(Reason.SERVER, 2);
        server.instead(Asked.LIST, null);
        named("a");
    }

    @Test
    void aSilentWatchIsOneErrorAndMadeAnew() throws Exception {
        start();
        pass(Duration.ofMinutes(3));
        Wait.until("another watch", () -> server.asked(Asked.WATCH) == 2 && watcher.isUp());
        server.put(pod("a"));
        named("a");
        for (Reason reason : Reason.values()) {
            assertEquals(reason == Reason.SILENCE ? 1 : 0, watcher.errors(reason), reason::label);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}}\n",
                "{\"type\":\"ADDED\",\"obj\n"
            })
    void watchesThatEndSoonAreMadeLessAndLessOften(String end) throws Exception {
        server.instead(Asked.WATCH, new Instead(200, BOOKMARK + end, false));
        watcher.start();
        Wait.until("twelve watches", () -> server.asked(Asked.WATCH) >= 12);
        assertTrue(
                pauses.total().compareTo(Duration.ofSeconds(30)) > 0,
                () -> pauses.asked().toString());
        if (end.isEmpty()) {
            assertTrue(watcher.errors(Reason.SHORT_WATCH) >= 10);
            assertEquals(1, server.asked(Asked.LIST));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500, 503})
    void aServerThatRefusesTheWatchIsNotAskedForAListToo(int status) throws Exception {
        start();
        server.instead(Asked.WATCH, new Instead(status, "{}", false));
        server.cut();
        Wait.until("five watches", () -> server.asked(Asked.WATCH) >= 5);
        assertEquals(1, server.asked(Asked.LIST));
    }

    @Test
    void aListDoesNotGoBackInTime() throws Exception {
        start();
        server.put(pod("a"));
        named("a");
        server.instead(
                Asked.WATCH,
                new Instead(
                        200,
                        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410}}\n",
                        false));
        server.cut();
        Wait.until("another list", () -> server.asked(Asked.LIST) >= 2);
        List<String> lists = server.requests().stream()
                .map(TestApiServer.Request::uri)
                .filter(uri -> uri.contains("/pods?") && !uri.contains("watch="))
                .toList();
        assertTrue(lists.get(0).endsWith("&resourceVersion=0"), lists.get(0));
        assertTrue(
                lists.get(1).endsWith("&resourceVersion=" + server.version() + "&resourceVersionMatch=NotOlderThan"),
                lists.get(1));
    }

    /** It is behind what has been seen, perhaps for ever. */
    @Test
    void aServerThatCannotKeepUpWithWhatHasBeenSeenIsAskedForWhatItHas() throws Exception {
        start();
        server.put(pod("a"));
        named("a");
        server.instead(Asked.WATCH, new Instead(504, "{}", false));
        server.instead(Asked.LIST, new Instead(504, "{}", false));
        server.cut();
        Wait.until("three lists", () -> server.asked(Asked.LIST) >= 3);
        List<String> lists = server.requests().stream()
                .map(TestApiServer.Request::uri)
                .filter(uri -> uri.contains("/pods?") && !uri.contains("watch="))
                .toList();
        assertTrue(lists.get(1).contains("NotOlderThan"), lists.get(1));
        assertTrue(lists.get(2).endsWith("&resourceVersion=0"), lists.get(2));
    }

    @Test
    void theNodeIsAskedForAgainSoonAfterItCouldNotBeHad() throws Exception {
        server.instead(Asked.NODE, new Instead(503, "{}", false));
        start();
        assertEquals(1, server.asked(Asked.NODE));
        pass(PodWatcher.LASTING);
        server.cut();
        Wait.until("the node is asked for again", () -> server.asked(Asked.NODE) == 2);
    }

    @Test
    void aWatchThatHasLastedIsFollowedByAnotherAfterAMoment() throws Exception {
        start();
        for (int i = 1; i <= 10; i++) {
            pass(PodWatcher.LASTING);
            server.cut();
            int asked = 1 + i;
            Wait.until("another watch", () -> server.asked(Asked.WATCH) == asked && watcher.isUp());
        }
        assertEquals(0, watcher.errors(Reason.SHORT_WATCH));
        assertTrue(
                pauses.asked().stream().skip(1).allMatch(pause -> pause.toMillis() >= 200 && pause.toMillis() <= 1_000),
                () -> pauses.asked().toString());
    }

    @Test
    void thatTheWatchWorksAgainIsSaidOnceAndOnlyWhenItDoes() throws Exception {
        server.instead(Asked.WATCH, new Instead(200, BOOKMARK, false));
        try (Said said = new Said(PodWatcher.class)) {
            watcher.start();
            Wait.until("short watches", () -> watcher.errors(Reason.SHORT_WATCH) >= 4);
            server.instead(Asked.WATCH, null);
            Wait.until("a watch", () -> server.watches() == 1 && watcher.isUp());
            server.put(pod("a"));
            named("a");
            assertEquals(0, said.lines().size(), () -> said.lines().toString());
            pass(PodWatcher.LASTING);
            server.put(pod("b"));
            named("b");
            server.put(pod("c"));
            named("c");
            assertEquals(1, said.lines().size(), () -> said.lines().toString());
        }
    }

    @Test
    void aBlankLineIsNothing() throws Exception {
        start();
        server.say("");
        server.put(pod("a"));
        named("a");
        assertEquals(0, watcher.errors(Reason.MALFORMED));
        assertEquals(1, server.asked(Asked.LIST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\"}",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"}}",
                "{}",
                "",
                "null",
                "<html><title>Log in</title></html>"
            })
    void anAnswerThatIsNoListIsNotAnEmptyOne(String answer) throws Exception {
        server.put(pod("a"));
        start();
        server.instead(Asked.LIST, new Instead(200, answer, false));
        server.forget();
        Wait.until("two lists that are none", () -> watcher.errors(Reason.MALFORMED) >= 2);
        pass(PodStore.GRACE);
        assertNotNull(watcher.find("a"));
        server.instead(Asked.LIST, null);
        server.put(pod("b"));
        named("b");
        pass(PodStore.GRACE);
        assertNotNull(watcher.find("a"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutATokenNothingIsAskedAndNothingForgotten(boolean isEmpty) throws Exception {
        server.put(pod("a"));
        start();
        Path token = server.serviceAccount().resolve("token");
        if (isEmpty) {
            Files.writeString(token, "");
        } else {
            Files.delete(token);
        }
        server.cut();
        Wait.until("no token", () -> watcher.errors(Reason.TOKEN) >= 2);
        Files.writeString(token, "first");
        server.put(pod("b"));
        named("b");
        assertEquals(1, server.asked(Asked.LIST));
        assertEquals(0, watcher.errors(Reason.MALFORMED));
        assertTrue(server.requests().stream()
                .allMatch(request -> request.authorization().equals("Bearer first")));
    }

    @Test
    void a401IsAskedOnce() throws Exception {
        server.refuse(401);
        watcher.start();
        Wait.until("refused", () -> watcher.errors(Reason.UNAUTHORIZED) >= 3);
        server.stop();
        Wait.until("gone", () -> watcher.errors(Reason.CONNECTION) >= 1);
        assertEquals(watcher.errors(Reason.UNAUTHORIZED), server.requests().size());
    }

    @Test
    void whoWaitsForNamesWaitsForTheNodeToo() throws Exception {
        server.instead(Asked.NODE, new Instead(200, "{", true));
        watcher.start();
        CompletableFuture<Boolean> names = CompletableFuture.supplyAsync(() -> {
            try {
                return watcher.awaitSync(Duration.ofMinutes(1)) && watcher.errors(Reason.NODE) == 1;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Wait.until("the node is asked for", () -> server.asked(Asked.NODE) == 1 && watcher.isSynced());
        server.instead(Asked.NODE, null);
        assertTrue(names.get());
    }
}
