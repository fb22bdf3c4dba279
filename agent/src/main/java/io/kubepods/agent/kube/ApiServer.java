package io.kubepods.agent.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the API server is, and how to get in; fabric8 knows kubeconfig files, TLS, proxies and the JDK's HTTP client. */
public final class ApiServer {
    static final Duration CONNECT_PATIENCE = Duration.ofSeconds(3);

    private final Config config;
    private final String source;
    private final String trusted;
    private final @Nullable String token;
    private final @Nullable TokenFile tokenFile;

    /**
     * @param source what the certificates and keys are from, in words
     * @param trusted whose signature the server's certificate must have, in words
     * @param token to be sent, if it never changes
     * @param tokenFile whose token is to be sent; with neither, fabric8 knows what to send
     */
    ApiServer(Config config, String source, String trusted, @Nullable String token, @Nullable TokenFile tokenFile) {
        this.config = config;
        this.source = source;
        this.trusted = trusted;
        this.token = token;
        this.tokenFile = tokenFile;
        config.setRequestRetryBackoffLimit(0); // the watcher has its own idea of when to try again
        config.setConnectionTimeout((int) CONNECT_PATIENCE.toMillis());
        config.setUserAgent("kubepods-exporter");
        // A connection of HTTP/2 that is dead without a word would be used again and again: nothing pings it here.
        config.setHttp2Disable(true);
    }

    /**
     * As every pod can reach it.
     *
     * @param host KUBERNETES_SERVICE_HOST
     * @param port KUBERNETES_SERVICE_PORT
     * @param serviceAccount a directory with {@code token} and {@code ca.crt}
     */
    public static ApiServer inCluster(String host, String port, Path serviceAccount) {
        Path authority = serviceAccount.resolve("ca.crt");
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port)
                .withCaCertFile(authority.toString())
                .build();
        return new ApiServer(
                config,
                "of the service account in " + serviceAccount,
                authority.toString(),
                null,
                new TokenFile(serviceAccount.resolve("token"), "the service account's"));
    }

    /** @throws IOException with one sentence that says what is wrong with the kubeconfig file */
    public static ApiServer of(Path kubeconfig) throws IOException {
        return Kubeconfig.read(kubeconfig).server();
    }

    /** Its address, without a slash at its end. */
    String url() {
        return config.getMasterUrl().replaceFirst("/+$", "");
    }

    String trusted() {
        return trusted;
    }

    /** What to send as a bearer's; null when that is left to fabric8. */
    @Nullable
    String token() throws TokenFile.TokenException {
        return tokenFile == null ? token : tokenFile.read();
    }

    /** @throws IOException with one sentence that says which certificate or key cannot be used */
    HttpClient connect() throws IOException {
        String authority = config.getCaCertFile();
        if (authority != null && !Files.isReadable(Path.of(authority))) {
            throw new IOException("Cannot read the certificate authority's file " + authority + " " + source
                    + "; without it no API server can be trusted.");
        }
        try {
            HttpClient.Builder builder = new JdkHttpClientFactory().newBuilder(config);
            if (token != null || tokenFile != null) {
                builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, nothing()); // it asks twice after a 401
            }
            return builder.build();
        } catch (RuntimeException e) {
            throw new IOException("A certificate or key " + source + " cannot be used: " + Cause.of(e) + ".", e);
        }
    }

    private static io.fabric8.kubernetes.client.http.Interceptor nothing() {
        return new io.fabric8.kubernetes.client.http.Interceptor() {};
    }
}
