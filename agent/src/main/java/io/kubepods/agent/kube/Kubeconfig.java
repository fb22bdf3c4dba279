package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig file. fabric8 reads it, and takes what is missing or wrong for something else without a word (a cluster that
 * is not there for {@code https://kubernetes.default.svc}, an address without a scheme for plain HTTP): so it is checked
 * first. Every complaint is one sentence.
 */
final class Kubeconfig {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^/].*");

    private final Path path;
    private final Context context;
    private final Cluster cluster;
    private final AuthInfo user;

    private Kubeconfig(Path path, Context context, Cluster cluster, AuthInfo user) {
        this.path = path;
        this.context = context;
        this.cluster = cluster;
        this.user = user;
    }

    static Kubeconfig read(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new IOException("The kubeconfig file " + path + " of --kube.config is a directory.");
        }
        if (!Files.isReadable(path)) {
            throw new IOException("Cannot read the kubeconfig file " + path + " of --kube.config.");
        }
        Config config = parse(path);
        String current = config.getCurrentContext();
        if (current == null || current.isEmpty()) {
            throw new IOException("The kubeconfig file " + path + " of --kube.config has no current context.");
        }
        NamedContext context = find(config.getContexts(), named -> current.equals(named.getName()));
        if (context == null || context.getContext() == null) {
            throw new IOException("The kubeconfig file " + path + " of --kube.config has no context " + current
                    + ", which it says is the current one.");
        }
        String clusterName = context.getContext().getCluster();
        NamedCluster cluster = find(config.getClusters(), named -> Objects.equals(clusterName, named.getName()));
        if (cluster == null || cluster.getCluster() == null) {
            throw new IOException("The kubeconfig file " + path + " of --kube.config has no cluster " + clusterName
                    + ", which its current context " + current + " names.");
        }
        String userName = context.getContext().getUser();
        NamedAuthInfo user = find(config.getUsers(), named -> Objects.equals(userName, named.getName()));
        if (userName != null && !userName.isEmpty() && user == null) {
            throw new IOException("The kubeconfig file " + path + " of --kube.config has no user " + userName
                    + ", which its current context " + current + " names.");
        }
        AuthInfo info = user == null ? null : user.getUser();
        return new Kubeconfig(path, context.getContext(), cluster.getCluster(), info == null ? new AuthInfo() : info);
    }

    private static Config parse(Path path) throws IOException {
        try {
            String text = Files.readString(path);
            Config config = text.isBlank() ? null : parse(text);
            if (config == null) {
                throw new IOException("The kubeconfig file " + path + " of --kube.config is empty.");
            }
            return config;
        } catch (CharacterCodingException e) {
            throw notOne(path, "it is no text in UTF-8", e);
        } catch (RuntimeException | StackOverflowError e) {
            throw notOne(path, e instanceof StackOverflowError ? "it is nested too deeply" : Cause.of(e), e);
        }
    }

    private static @Nullable Config parse(String text) {
        return new KubernetesSerialization().unmarshal(new ByteArrayInputStream(text.getBytes(UTF_8)), Config.class);
    }

    private static IOException notOne(Path path, String why, Throwable e) {
        return new IOException("The file " + path + " of --kube.config is not a kubeconfig: " + why + ".", e);
    }

    private static <T> @Nullable T find(@Nullable List<T> all, Predicate<T> isIt) {
        return all == null
                ? null
                : all.stream().filter(Objects::nonNull).filter(isIt).findFirst().orElse(null);
    }

    /** Where it says the API server is, and how to get in. */
    ApiServer server() throws IOException {
        checkAddress();
        String trusted = checkAuthority();
        checkFile("client-certificate", user.getClientCertificate(), user.getClientCertificateData());
        checkFile("client-key", user.getClientKey(), user.getClientKeyData());
        TokenFile tokenFile = tokenFile();
        checkCommand();
        io.fabric8.kubernetes.client.Config config;
        try {
            config = io.fabric8.kubernetes.client.Config.fromKubeconfig(new File(path.toString()));
        } catch (RuntimeException e) {
            throw notOne(path, Cause.of(e), e);
        }
        if (user.getExec() != null && config.getOauthToken() == null && config.getClientCertData() == null) {
            throw new IOException("The program " + user.getExec().getCommand() + " that the kubeconfig file " + path
                    + " of --kube.config names for its user " + context.getUser() + " gave neither a token nor a"
                    + " certificate.");
        }
        String token = tokenFile == null ? user.getToken() : null;
        return new ApiServer(
                config,
                "of the kubeconfig file " + path,
                trusted,
                token == null || token.isEmpty() ? null : token,
                tokenFile);
    }

    private void checkAddress() throws IOException {
        String server = cluster.getServer();
        try {
            if (server != null
                    && ADDRESS.matcher(server).matches()
                    && URI.create(server).getHost() != null) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw noAddress(server, e);
        }
        throw noAddress(server, null);
    }

    private IOException noAddress(@Nullable String server, @Nullable Exception e) {
        return new IOException(
                "The kubeconfig file " + path + " of --kube.config has for the server of the cluster "
                        + context.getCluster() + " no address such as https://10.0.0.1:6443, but "
                        + (server == null ? "none" : server) + ".",
                e);
    }

    /** @return whose signature the server's certificate must have */
    private String checkAuthority() throws IOException {
        String data = cluster.getCertificateAuthorityData();
        if (data == null || data.isEmpty()) {
            String file = cluster.getCertificateAuthority();
            return file == null || file.isEmpty() ? "what the JDK trusts" : file;
        }
        String trusted = "certificate-authority-data of " + path;
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(data);
            if (!CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .isEmpty()) {
                return trusted;
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw noAuthority(trusted, e);
        }
        throw noAuthority(trusted, null);
    }

    private static IOException noAuthority(String trusted, @Nullable Exception e) {
        return new IOException(
                "There is no certificate in the " + trusted + ", the kubeconfig file of --kube.config.", e);
    }

    private void checkFile(String field, @Nullable String file, @Nullable String data) throws IOException {
        boolean isUsed = file != null && !file.isEmpty() && (data == null || data.isEmpty());
        if (isUsed && !Files.isReadable(path.resolveSibling(file))) {
            throw new IOException("Cannot read the file " + file + " that the kubeconfig file " + path
                    + " of --kube.config names as its user's " + field + ".");
        }
    }

    private @Nullable TokenFile tokenFile() throws IOException {
        String file = user.getTokenFile();
        if (file == null || file.isEmpty()) {
            return null;
        }
        TokenFile found = new TokenFile(path.resolveSibling(file), "the kubeconfig's");
        found.read(); // a name that is wrong is better told now
        return found;
    }

    /** fabric8 says nothing but a stack trace. */
    private void checkCommand() throws IOException {
        String command = user.getExec() == null ? null : user.getExec().getCommand();
        if (command == null) {
            return;
        }
        boolean isFound = command.indexOf('/') >= 0
                ? Files.isExecutable(path.toAbsolutePath().resolveSibling(command))
                : Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(Objects.requireNonNullElse(System.getenv("PATH"), ""))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
        if (!isFound) {
            throw new IOException("The program " + command + " that the kubeconfig file " + path
                    + " of --kube.config names for its user " + context.getUser()
                    + ", to be run for a token, is not there"
                    + (command.indexOf('/') >= 0 ? "." : ", in no directory of PATH."));
        }
    }
}
