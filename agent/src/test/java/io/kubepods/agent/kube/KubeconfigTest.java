package io.kubepods.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a kubeconfig file is one sentence with the file in it, and never something else than it says. */
class KubeconfigTest {
    private static final String USER = "{name: u, user: {token: t}}";

    @TempDir
    private Path directory;

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("config"), text);
    }

    private Path config(String cluster, String user) throws IOException {
        return KubeconfigOnDisk.write(directory, "\"https://127.0.0.1:1\"" + cluster, user);
    }

    private void complains(String why, Path path) {
        complains(why, path, path);
    }

    private void complains(String why, Path named, Path path) {
        IOException e = assertThrows(IOException.class, () -> ApiServer.of(path).connect());
        String said = String.valueOf(e.getMessage());
        assertEquals(1, said.lines().count(), said);
        assertTrue(said.contains(why), said);
        assertTrue(said.contains(named.toString()), said);
        assertTrue(said.endsWith(".") && !said.endsWith(".."), said);
    }

    @Test
    void aFileThatIsNone() throws IOException {
        complains("is a directory", directory);
        complains("Cannot read", directory.resolve("none"));
        complains("is empty", write(""));
        complains("is empty", write("# nothing\n"));
        complains("it is no text", Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0}));
        complains("is not a kubeconfig", write("contexts: 1\n"));
        complains("it is nested too deeply", write("contexts: " + "[".repeat(100_000) + "\n"));
    }

    @Test
    void aNameThatIsNotThere() throws IOException {
        complains("has no current context", write("kind: Config\n"));
        complains("has no context c,", write("kind: Config\ncurrent-context: c\n"));
        String context = "kind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n";
        complains("has no cluster a,", write(context));
        complains(
                "has no user u,",
                write(context + "clusters: [{name: a, cluster: {server: \"https://127.0.0.1:1\"}}]\n"));
    }

    @Test
    void anAddressThatIsNone() throws IOException {
        for (String server : new String[] {"not a url", "127.0.0.1:6443", "https://", "ftp://a", "https://[::1"}) {
            String text = Files.readString(config("", USER)).replace("https://127.0.0.1:1", server);
            complains("but " + server + ".", write(text));
        }
    }

    @Test
    void certificatesAndKeys() throws IOException {
        String garbage = Base64.getEncoder().encodeToString("garbage".getBytes(UTF_8));
        complains("/nope.crt", config(", certificate-authority: /nope.crt", USER));
        complains("no certificate", config(", certificate-authority-data: " + garbage, USER));
        complains("no certificate", config(", certificate-authority-data: \"%\"", USER));
        complains("/nope.crt", config("", "{name: u, user: {client-certificate: /nope.crt, client-key: /nope.key}}"));
        complains(
                "A certificate or key",
                config(
                        "",
                        "{name: u, user: {client-certificate-data: %s, client-key-data: %s}}"
                                .formatted(garbage, garbage)));
    }

    @Test
    void tokens() throws Exception {
        Path none = directory.resolve("none");
        complains("Cannot read the kubeconfig's token", none, config("", "{name: u, user: {tokenFile: none}}"));
        Path empty = Files.writeString(directory.resolve("token"), "\n");
        complains("it is empty", empty, config("", "{name: u, user: {tokenFile: token}}"));
        ApiServer server;
        Files.writeString(empty, "one");
        server = ApiServer.of(config("", "{name: u, user: {tokenFile: token}}"));
        assertEquals("one", server.token());
        Files.writeString(empty, "two");
        assertEquals("two", server.token(), "it is read again");
        assertEquals("t", ApiServer.of(config("", USER)).token());
    }

    @Test
    void aProgramThatIsNotThere() throws IOException {
        String exec = "{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %s}}}";
        complains("The program no-such-plugin that", config("", exec.formatted("no-such-plugin")));
        complains("The program ./plugin that", config("", exec.formatted("./plugin")));
    }

    @Test
    void aServiceAccountWithoutAnAuthority() throws IOException {
        Files.writeString(directory.resolve("token"), "t");
        IOException e = assertThrows(
                IOException.class,
                () -> ApiServer.inCluster("127.0.0.1", "1", directory).connect());
        assertTrue(String.valueOf(e.getMessage()).contains(directory + "/ca.crt"), e::getMessage);
    }
}
