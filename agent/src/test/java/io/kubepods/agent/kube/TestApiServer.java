package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * As much of an API server as the agent asks for: pods listed and watched, one node, over TLS. It can be stopped and
 * started again at the same port, answer with errors, cut its watches, and forget.
 */
public final class TestApiServer implements AutoCloseable {
    private static final String STATUS =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":%d," + "\"message\":\"%s\"}";
    private static final int REMEMBERED = 2_000;

    /** One line of a watch. */
    private record Event(long version, String line) {}

    /** What it can be asked. */
    public enum Asked {
        LIST,
        WATCH,
        NODE,
        EVENT
    }

    /**
     * An answer in the place of the one that it should give.
     *
     * @param stalls whether it says nothing more after that, and does not end it either
     */
    public record Instead(int status, String body, boolean stalls) {}

    /** What it was asked. */
    public record Request(String uri, String authorization) {}

    private final KubernetesSerialization json = new KubernetesSerialization();
    private final Path directory;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final Deque<Event> events = new ArrayDeque<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<String> made = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "test-api-server");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable HttpsServer server;
    private int port;
    private long version = 1_000;
    private long forgottenUpTo = 0;
    private int cuts;
    private int tears;
    private int refusal;
    private final Map<Asked, Instead> instead = new EnumMap<>(Asked.class);
    private String nodeStatus = "{\"capacity\":{\"cpu\":\"8\",\"memory\":\"16Gi\"}}";
    private int watches;

    /** @param directory becomes a service account's that this server accepts */
    public TestApiServer(Path directory) throws IOException {
        this.directory = directory;
        Files.copy(Tls.CERTIFICATE, directory.resolve("ca.crt"));
        Files.writeString(directory.resolve("token"), "first");
        start();
    }

    /** A service account's directory that this server accepts. */
    public Path serviceAccount() {
        return directory;
    }

    public ApiServer inCluster() {
        return ApiServer.inCluster("127.0.0.1", Integer.toString(port()), serviceAccount());
    }

    public synchronized int port() {
        return port;
    }

    /** At the port it had before, if it had any. */
    public synchronized void start() throws IOException {
        SSLContext context = Tls.CONTEXT;
        HttpsServer started = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        started.setHttpsConfigurator(new HttpsConfigurator(context));
        started.setExecutor(threads);
        started.createContext("/api/v1/pods", this::pods);
        started.createContext("/api/v1/nodes/", this::node);
        started.createContext("/api/v1/namespaces/", this::made);
        started.start();
        port = started.getAddress().getPort();
        server = started;
    }

    public void stop() {
        HttpsServer running;
        synchronized (this) {
            running = server;
            server = null;
            cuts++;
            notifyAll();
        }
        if (running != null) {
            running.stop(0);
        }
    }

    /** Ends all watches. */
    public synchronized void cut() {
        cuts++;
        notifyAll();
    }

    /** Ends all watches, in the middle of an event. */
    public synchronized void tear() {
        tears++;
        cut();
    }

    /** From now on answers everything with this status; 0 for as it should. */
    public synchronized void refuse(int status) {
        refusal = status;
        cuts++;
        notifyAll();
    }

    /** From now on answers so; null for as it should. */
    public synchronized void instead(Asked asked, @Nullable Instead answer) {
        if (answer == null) {
            instead.remove(asked);
        } else {
            instead.put(asked, answer);
        }
        cuts++;
        notifyAll();
    }

    /** How often it was asked. */
    public long asked(Asked what) {
        return requests.stream().filter(request -> asked(request.uri()) == what).count();
    }

    private static Asked asked(String uri) {
        return uri.endsWith("/events")
                ? Asked.EVENT
                : uri.contains("/nodes/") ? Asked.NODE : uri.contains("watch=true") ? Asked.WATCH : Asked.LIST;
    }

    /** A watch from any version before now gets 410, those that run an ERROR. */
    public synchronized void forget() {
        forgottenUpTo = ++version;
        events.clear();
        notifyAll();
    }

    /** Puts a line into all watches, whatever it is. */
    public synchronized void say(String line) {
        remember(new Event(++version, line));
    }

    public synchronized long version() {
        return version;
    }

    /** Watches that are open now. */
    public synchronized int watches() {
        return watches;
    }

    public List<Request> requests() {
        return requests;
    }

    /** Adds or changes a pod. */
    public synchronized void put(Pod pod) {
        pod.getMetadata().setResourceVersion(Long.toString(++version));
        String key = pod.getMetadata().getUid();
        Pod before = pods.put(key, pod);
        remember(new Event(version, event(before == null ? "ADDED" : "MODIFIED", pod)));
    }

    public synchronized void delete(Pod pod) {
        pods.remove(pod.getMetadata().getUid());
        pod.getMetadata().setResourceVersion(Long.toString(++version));
        remember(new Event(version, event("DELETED", pod)));
    }

    private String event(String type, Pod pod) {
        return "{\"type\":\"" + type + "\",\"object\":" + json.asJson(pod) + "}";
    }

    private void remember(Event event) {
        events.add(event);
        while (events.size() > REMEMBERED) {
            forgottenUpTo = events.remove().version();
        }
        notifyAll();
    }

    private void pods(HttpExchange exchange) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        if (answersAsItShould(exchange)) {
            if (query.contains("watch=true")) {
                watch(exchange, Long.parseLong(query.replaceAll(".*resourceVersion=(\\d+).*", "$1")));
            } else {
                answer(exchange, 200, list());
            }
        }
    }

    private synchronized String list() {
        List<String> items = new ArrayList<>();
        pods.values().forEach(pod -> items.add(json.asJson(pod)));
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + version
                + "\"},\"items\":[" + String.join(",", items) + "]}";
    }

    private void node(HttpExchange exchange) throws IOException {
        if (answersAsItShould(exchange)) {
            answer(
                    exchange,
                    200,
                    "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\"},\"status\":" + nodeStatus
                            + "}");
        }
    }

    private void made(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (answersAsItShould(exchange)) {
            made.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
            answer(exchange, 201, body);
        }
    }

    /** What was made: method, path and body. */
    public List<String> made() {
        return made;
    }

    private boolean answersAsItShould(HttpExchange exchange) throws IOException {
        String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        String uri = exchange.getRequestURI().toString();
        int status;
        Instead other;
        int cutsBefore;
        synchronized (this) { // who sees that it was asked knows what the answer is
            status = refusal;
            other = instead.get(asked(uri));
            cutsBefore = cuts;
            requests.add(new Request(uri, authorization));
        }
        if (status == 0 && !authorization.equals("Bearer " + Files.readString(directory.resolve("token")))) {
            status = 401;
        }
        if (status != 0) {
            answer(exchange, status, STATUS.formatted(status, "refused by the test"));
            return false;
        }
        return !answersInstead(exchange, other, cutsBefore);
    }

    private boolean answersInstead(HttpExchange exchange, @Nullable Instead answer, int cutsBefore) throws IOException {
        if (answer == null) {
            return false;
        }
        byte[] bytes = answer.body().getBytes(UTF_8);
        int more = answer.stalls() ? 1_000 : 0;
        exchange.sendResponseHeaders(answer.status(), bytes.length + more == 0 ? -1 : bytes.length + more);
        OutputStream out = exchange.getResponseBody();
        out.write(bytes);
        out.flush();
        if (answer.stalls()) {
            stall(cutsBefore);
        }
        exchange.close();
        return true;
    }

    private synchronized void stall(int cutsBefore) {
        try {
            while (cuts == cutsBefore) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
        exchange.close();
    }

    private void watch(HttpExchange exchange, long from) throws IOException {
        long at = from;
        int tearsBefore = tears();
        int cutsBefore;
        synchronized (this) {
            if (from < forgottenUpTo) {
                cutsBefore = -1;
            } else {
                cutsBefore = cuts;
                watches++;
            }
        }
        if (cutsBefore < 0) {
            answer(exchange, 410, STATUS.formatted(410, "too old resource version"));
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.flush();
            while (true) {
                List<Event> next = next(at, cutsBefore);
                if (next.isEmpty()) {
                    if (tears() == tearsBefore) {
                        return;
                    }
                    out.write("{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Po".getBytes(UTF_8));
                    out.flush();
                    return;
                }
                for (Event event : next) {
                    out.write((event.line() + "\n").getBytes(UTF_8));
                    at = event.version();
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                watches--;
            }
            exchange.close();
        }
    }

    private synchronized int tears() {
        return tears;
    }

    /** Waits for events after a version; none when the watch is cut. */
    private synchronized List<Event> next(long after, int cutsBefore) throws InterruptedException {
        while (cuts == cutsBefore) {
            if (after < forgottenUpTo) {
                String gone = STATUS.formatted(410, "too old resource version");
                return List.of(new Event(version, "{\"type\":\"ERROR\",\"object\":" + gone + "}"));
            }
            List<Event> next =
                    events.stream().filter(event -> event.version() > after).toList();
            if (!next.isEmpty()) {
                return next;
            }
            wait();
        }
        return List.of();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
