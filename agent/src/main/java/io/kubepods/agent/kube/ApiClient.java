package io.kubepods.agent.kube;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server, one thing at a time. Nothing of it lasts for ever: the beginning of an answer is waited for, and an
 * answer that has begun is due at some time, which {@link #endWhatIsLate} enforces.
 *
 * <p>{@link #get}, {@link #post} and what they return are one thread's; all else any's.
 */
final class ApiClient implements AutoCloseable {
    private static final Duration ERROR_BODY_PATIENCE = Duration.ofSeconds(5);
    private static final int ERROR_BODY_AT_MOST = 10_000;

    /** From this version on, the time that the JDK gives a request includes the body of the answer. */
    private static final int TIMEOUT_INCLUDES_BODY = 26;

    private final ApiServer server;
    private final LongSupplier nanos;
    private final HttpClient client;
    private volatile @Nullable Answer open;
    private volatile boolean closed;

    /**
     * @param nanos {@link System#nanoTime()}
     * @throws IOException with one sentence that says which certificate or key cannot be used
     */
    ApiClient(ApiServer server, LongSupplier nanos) throws IOException {
        this.server = server;
        this.nanos = nanos;
        client = server.connect();
    }

    /** Where it asks, to be logged. */
    String url() {
        return server.url();
    }

    /**
     * What is asked for.
     *
     * @param patience until the answer begins
     * @param bodyPatience until it has come to its end, or is given more time
     * @param bodyAtMost until it has come to its end, whatever it is given
     * @param whenLate a sentence for an answer that does not
     */
    record Ask(String path, Duration patience, Duration bodyPatience, Duration bodyAtMost, String whenLate) {
        Ask(String path, Duration patience, Duration bodyPatience, String whenLate) {
            this(path, patience, bodyPatience, bodyPatience, whenLate);
        }
    }

    /**
     * Asks, and waits until the answer begins.
     *
     * @throws ApiException when the server answers with an error
     * @throws TokenFile.TokenException when there is no token to ask with
     * @throws IOException when there is no answer
     */
    Answer get(Ask ask) throws IOException, InterruptedException {
        return answer(ask, send(ask, request(ask)));
    }

    /**
     * Has something made; otherwise like {@link #get}.
     *
     * @param json what
     */
    Answer post(Ask ask, String json) throws IOException, InterruptedException {
        return answer(ask, send(ask, request(ask).post("application/json", json)));
    }

    private Answer answer(Ask ask, HttpResponse<InputStream> response) throws IOException {
        boolean isSuccess = response.isSuccessful();
        Answer answer = new Answer(
                response.body(), isSuccess ? ask.bodyPatience() : ERROR_BODY_PATIENCE, ask.whenLate(), nanos);
        open = answer;
        if (closed) {
            answer.end();
        }
        if (isSuccess) {
            return answer;
        }
        try (answer) {
            throw new ApiException(response.code(), response.header("Retry-After"), beginning(answer));
        }
    }

    private HttpRequest.Builder request(Ask ask) throws IOException {
        // It is the JDK's own timeout that closes the connection of a request that has no answer.
        Duration timeout = Runtime.version().feature() < TIMEOUT_INCLUDES_BODY
                ? ask.patience()
                : ask.patience().plus(ask.bodyAtMost());
        HttpRequest.Builder request = client.newHttpRequestBuilder()
                .uri(URI.create(server.url() + ask.path()))
                .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .forStreaming();
        String token = server.token();
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private HttpResponse<InputStream> send(Ask ask, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        var coming = client.sendAsync(request.build(), InputStream.class);
        try {
            return coming.get(ask.patience().toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(reason(e, ask), e);
        } catch (TimeoutException e) {
            coming.cancel(true);
            throw new IOException(reason(e, ask), e);
        } catch (InterruptedException e) {
            coming.cancel(true);
            throw e;
        }
    }

    private String reason(Exception e, Ask ask) {
        boolean isHandshake = false;
        for (Throwable at = e; at != null; at = at.getCause()) {
            isHandshake |= at instanceof SSLHandshakeException;
            boolean isTimeout = at instanceof TimeoutException || at.getClass() == HttpTimeoutException.class;
            if (isTimeout) {
                return "no answer within " + ask.patience().toSeconds() + " s";
            }
        }
        return isHandshake ? "TLS: " + Cause.of(e) + "; trusted is " + server.trusted() : Cause.of(e);
    }

    /** Of an error's body; what comes of it says more than that it does not come to its end. */
    private static byte[] beginning(Answer answer) {
        byte[] bytes = new byte[ERROR_BODY_AT_MOST];
        int length = 0;
        try {
            int read = answer.read(bytes, 0, bytes.length);
            while (read > 0) {
                length += read;
                read = answer.read(bytes, length, bytes.length - length);
            }
        } catch (IOException e) {
            // the status is what is to be told
        }
        return Arrays.copyOf(bytes, length);
    }

    /** Ends the answer that is being read, if it is late. */
    void endWhatIsLate() {
        Answer answer = open;
        if (answer != null) {
            answer.endIfLate();
        }
    }

    /** Ends what is being read. */
    @Override
    public void close() {
        closed = true;
        Answer answer = open;
        if (answer != null) {
            answer.end();
        }
    }

    /** Nothing will be asked any more. */
    void dispose() {
        client.close();
    }
}
