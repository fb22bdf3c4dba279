package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate of 127.0.0.1's own, made once by the JDK's keytool. */
final class Tls {
    private static final Path DIRECTORY = Path.of("target", "tls");
    private static final Path STORE = DIRECTORY.resolve("server.p12");
    private static final String PASSWORD = "changeit";

    /** What a client must trust. */
    static final Path CERTIFICATE = DIRECTORY.resolve("ca.crt");

    static final SSLContext CONTEXT = make();

    private Tls() {}

    private static SSLContext make() {
        try {
            Files.createDirectories(DIRECTORY);
            Files.deleteIfExists(STORE);
            keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=api", "-ext", "san=ip:127.0.0.1", "-validity", "30");
            keytool("-exportcert", "-rfc", "-file", CERTIFICATE.toString());
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(STORE)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keytool(String command, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                command,
                "-alias",
                "api",
                "-keystore",
                STORE.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        all.addAll(List.of(more));
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("keytool: " + said);
        }
    }
}
