package io.kubepods.agent.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Where the API server is, and how to get in; fabric8 knows kubeconfig files, TLS, proxies and the JDK's HTTP client. */
public final class ApiServer {
    private static final int CONNECT_MILLIS = 3_000;

    private final Config config;

    private ApiServer(Config config) {
        this.config = config;
        config.setRequestRetryBackoffLimit(0); // the watcher has its own idea of when to try again
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setUserAgent("kubepods-exporter");
    }

    /**
     * As every pod can reach it.
     *
     * @param host KUBERNETES_SERVICE_HOST
     * @param port KUBERNETES_SERVICE_PORT
     * @param serviceAccount a directory with {@code token} and {@code ca.crt}. The kubelet writes another token long before
     *     the old one expires, so it is read again for every request: there are a few in five minutes
     */
    public static ApiServer inCluster(String host, String port, Path serviceAccount) {
        Path token = serviceAccount.resolve("token");
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port)
                .withCaCertFile(serviceAccount.resolve("ca.crt").toString())
                .withOauthTokenProvider(() -> read(token))
                .build();
        return new ApiServer(config);
    }

    private static String read(Path token) {
        try {
            return Files.readString(token).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the service account's token " + token + ".", e);
        }
    }

    /** @throws IOException with one sentence that says what is wrong with the kubeconfig file */
    public static ApiServer of(Path kubeconfig) throws IOException {
        if (!Files.isReadable(kubeconfig)) {
            throw new IOException("Cannot read the kubeconfig file " + kubeconfig + " of --kube.config.");
        }
        try {
            Config config = Config.fromKubeconfig(new File(kubeconfig.toString()));
            if (config.getCurrentContext() == null) {
                throw new IOException(
                        "The kubeconfig file " + kubeconfig + " of --kube.config has no current context.");
            }
            return new ApiServer(config);
        } catch (RuntimeException e) {
            throw new IOException(
                    "The file " + kubeconfig + " of --kube.config is not a kubeconfig: " + reason(e) + ".", e);
        }
    }

    /** Its address, to be logged. */
    String url() {
        return config.getMasterUrl();
    }

    HttpClient connect() {
        return new JdkHttpClientFactory().newBuilder(config).build();
    }

    /**
     * Asks for a path, and waits until the answer begins.
     *
     * @throws ApiException when the server answers with an error
     * @throws IOException when there is no answer
     */
    InputStream get(HttpClient client, String path, Duration patience) throws IOException, InterruptedException {
        URI uri = URI.create(url().replaceFirst("/+$", "") + path);
        var answer = client.sendAsync(
                client.newHttpRequestBuilder().uri(uri).forStreaming().build(), InputStream.class);
        HttpResponse<InputStream> response;
        try {
            response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(reason(e), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no answer within " + patience.toSeconds() + " s", e);
        }
        if (response.isSuccessful()) {
            return response.body();
        }
        try (InputStream body = response.body()) {
            throw new ApiException(response.code(), response.header("Retry-After"), body.readNBytes(10_000));
        }
    }

    /** The first line of what the first cause says. */
    static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
