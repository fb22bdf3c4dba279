package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that have no answer: what is said of them, and what they leave behind. */
@Timeout(120)
class ApiClientTest {
    private static ApiClient.Ask pods(Duration patience) {
        return new ApiClient.Ask("/api/v1/pods", patience, Duration.ofSeconds(5), "It was late.");
    }

    @TempDir
    private Path directory;

    private Path kubeconfig(String server) throws IOException {
        return KubeconfigOnDisk.write(directory, "\"" + server + "\"", KubeconfigOnDisk.USER);
    }

    private static String problem(ApiServer server, Duration patience) throws IOException {
        ApiClient client = new ApiClient(server, System::nanoTime);
        try {
            return String.valueOf(assertThrows(IOException.class, () -> client.get(pods(patience)))
                    .getMessage());
        } finally {
            client.dispose();
        }
    }

    private static String problem(ApiServer server) throws IOException {
        return problem(server, Duration.ofMinutes(1));
    }

    @Test
    void aRequestThatTimesOutClosesItsConnection() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = listening.accept()) {
                    int read = socket.getInputStream().read();
                    while (read >= 0) {
                        read = socket.getInputStream().read();
                    }
                    return read;
                } catch (IOException e) {
                    return -1; // reset is closed, too
                }
            });
            ApiServer server = ApiServer.of(kubeconfig("http://127.0.0.1:" + listening.getLocalPort()));
            assertEquals("no answer within 1 s", problem(server, Duration.ofSeconds(1)));
            assertEquals(-1, end.get());
        }
    }

    @Test
    void theCommonestTroubleHasWords() throws Exception {
        int free;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = once.getLocalPort();
        }
        assertEquals("connection refused", problem(ApiServer.of(kubeconfig("http://127.0.0.1:" + free))));
        assertEquals(
                "its name cannot be resolved", problem(ApiServer.of(kubeconfig("http://no-such-host.invalid:6443"))));
    }

    @Test
    void aCertificateOfAnotherAuthorityIsToldWithWhatIsTrusted() throws Exception {
        try (TestApiServer server = new TestApiServer(Files.createDirectory(directory.resolve("account")))) {
            String said = problem(ApiServer.of(kubeconfig("https://127.0.0.1:" + server.port())));
            assertTrue(said.startsWith("TLS: ") && said.endsWith("; trusted is what the JDK trusts"), said);
        }
    }

    @Test
    void whatAnErrorSaysIsOneLine() {
        byte[] body = "{\"message\": \"a\\n\\\"b\\\" \\u00e9\\\\\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertEquals("500 a \"b\" é\\", new ApiException(500, null, body).getMessage());
        assertEquals("410 too old", new ApiException(410, "too\nold").getMessage());
    }
}
