package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.agent.kube.KubeconfigOnDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input: one sentence on stderr, exit code 1. */
class MainTest {
    private static final String KUBEADM = "../core/src/test/resources/nodes/kubeadm";

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private int run(Map<String, String> environment, String... arguments) {
        return Main.run(
                arguments, environment, new PrintStream(out, true, UTF_8), new PrintStream(errors, true, UTF_8));
    }

    private void complains(String sentence, Map<String, String> environment, String... arguments) {
        errors.reset();
        assertEquals(1, run(environment, arguments));
        List<String> lines = errors.toString(UTF_8).lines().toList();
        assertEquals(1, lines.size(), lines::toString);
        assertEquals("kubepods-exporter: " + sentence, lines.get(0));
    }

    private String node() {
        return "--path.cgroupfs=" + KUBEADM + "/sys/fs/cgroup";
    }

    @Test
    void helpAndVersionAreNoMistakes() {
        assertEquals(0, run(Map.of(), "--help"));
        assertTrue(out.toString(UTF_8).contains("--path.cgroupfs=DIR"), out::toString);
        assertTrue(
                out.toString(UTF_8).lines().allMatch(line -> line.length() <= 120),
                "--help fits a terminal of 120 columns");
        out.reset();
        assertEquals(0, run(Map.of(), "--version"));
        assertEquals("kubepods-exporter development\n", out.toString(UTF_8));
    }

    @Test
    void anUnknownFlag() {
        complains("Unknown option: '--web.listen=:1'. See --help.", Map.of(), "--web.listen=:1");
        complains("Unmatched argument at index 0: 'serf'. See --help.", Map.of(), "serf");
    }

    @Test
    void aFlagWithAWrongValue() {
        complains(
                "--sample.interval must be a duration from 100ms to 60m, such as 1s, and is 1.",
                Map.of(),
                "--sample.interval=1");
        complains(
                "--sample.interval must be a duration from 100ms to 60m, such as 1s, and is 99ms.",
                Map.of(),
                "--sample.interval=99ms");
        complains(
                "--web.telemetry-path must be a path other than /, /healthz, /readyz and /api/…, such as /metrics, and is metrics.",
                Map.of(),
                "--web.telemetry-path=metrics");
        complains("--demo brings its own pods; leave --pods.file out.", Map.of(), "--demo", "--pods.file=x");
    }

    @Test
    void namesFromTheApiServer() throws IOException {
        complains(
                "Cannot read the kubeconfig file " + directory + "/none of --kube.config.",
                Map.of(),
                "--kube.config=" + directory + "/none");
        Path nonsense = Files.writeString(directory.resolve("nonsense"), "apiVersion: v1\nkind: Config\n");
        complains(
                "The kubeconfig file " + nonsense + " of --kube.config has no current context.",
                Map.of(),
                "--kube.config=" + nonsense);
        complains(
                "Pods' names come from one place: leave either --kube.config or --pods.file out.",
                Map.of(),
                "--kube.config=x",
                "--pods.file=y");
        complains(
                "--kube.sync-timeout must be a duration from 100ms to 60m, such as 1s, and is soon.",
                Map.of(),
                "--kube.sync-timeout=soon");
        Path kubeconfig = KubeconfigOnDisk.write(directory, "\"https://127.0.0.1:1\"", KubeconfigOnDisk.USER);
        complains(
                "Names from the API server need the node's name: set --kube.node-name, or in the pod's spec the environment"
                        + " variable NODE_NAME with valueFrom.fieldRef.fieldPath spec.nodeName.",
                Map.of(),
                "--kube.config=" + kubeconfig);
        complains(
                "--kube.node-name must be a node's name, of a-z, 0-9, - and ., and is a/b.",
                Map.of("NODE_NAME", "a/b"),
                "--kube.config=" + kubeconfig);
        assertEquals(
                0,
                run(
                        Map.of("NODE_NAME", "worker-1"),
                        "snapshot",
                        "--kube.config=" + kubeconfig,
                        "--kube.sync-timeout=100ms",
                        node()));
        assertTrue(
                out.toString(UTF_8).contains("kubepods_pod_cpu_usage_seconds_total{namespace=\"\",pod="),
                out::toString);
    }

    @Test
    void namesThatAreAskedForWithoutSayingWhere() {
        complains(
                "--kube.node-name asks for names from the API server, and this is no pod of a cluster: set --kube.config too.",
                Map.of(),
                node(),
                "--kube.node-name=oak-2");
        assertEquals(0, run(Map.of("NODE_NAME", "oak-2"), "snapshot", node()), "nobody asked");
        assertEquals(0, run(Map.of(), "snapshot", node(), "--kube.node-name=oak-2", "--pods.file=" + noPods()));
        complains("--kube.config must not be empty.", Map.of(), "--kube.config=");
    }

    private Path noPods() {
        try {
            return Files.writeString(
                    directory.resolve("pods.json"), "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aKubeconfigWhoseCertificatesCannotBeUsed() throws IOException {
        Path kubeconfig = KubeconfigOnDisk.write(
                directory, "\"https://127.0.0.1:1\", certificate-authority: /nope.crt", KubeconfigOnDisk.USER);
        complains(
                "Cannot read the certificate authority's file /nope.crt of the kubeconfig file " + kubeconfig
                        + "; without it no API server can be trusted.",
                Map.of(),
                node(),
                "--kube.config=" + kubeconfig,
                "--kube.node-name=oak-2");
    }

    @Test
    void theExampleOfTheHelpIsAsAShellTakesIt() {
        assertEquals(0, run(Map.of(), "--help"));
        assertTrue(out.toString(UTF_8).contains("--kube.config=$HOME/.kube/config"), out::toString);
    }

    @Test
    void aPodWithoutAServiceAccountHasNoNames() {
        assertEquals(0, run(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), "snapshot", node()));
    }

    @Test
    void whatCannotGoTogetherOrIsEmpty() {
        complains("--path.cgroupfs must not be empty.", Map.of(), "--path.cgroupfs=");
        complains("--pods.file must not be empty.", Map.of(), "snapshot", "--pods.file=");
        complains(
                "--demo brings its own files; leave --path.cgroupfs and --path.procfs out.",
                Map.of(),
                "--demo",
                "--path.procfs=/nope");
        complains(
                "--web.telemetry-path must be a path other than /, /healthz, /readyz and /api/…, such as /metrics, and is /healthz.",
                Map.of(),
                "--web.telemetry-path=/healthz");
        assertEquals(0, run(Map.of("KUBEPODS_PATH_CGROUPFS", ""), "snapshot", node()), "an empty variable is not set");
    }

    @Test
    void aSnapshotThatCannotBeWritten() {
        PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("no space left");
                    }
                },
                true,
                UTF_8);
        assertEquals(
                1, Main.run(new String[] {"snapshot", node()}, Map.of(), full, new PrintStream(errors, true, UTF_8)));
        assertEquals(
                "kubepods-exporter: The metrics could not be written to standard output to the end.\n",
                errors.toString(UTF_8));
    }

    @Test
    void anUnknownVariableWithOurPrefix() {
        complains(
                "Unknown environment variable KUBEPODS_WEB_LISTEN_PORT; variables that begin with KUBEPODS_ must be named"
                        + " after a flag (see --help).",
                Map.of("KUBEPODS_WEB_LISTEN_PORT", "1"));
        complains(
                "Unknown environment variable KUBEPODS_WEB_LISTEN; variables that begin with KUBEPODS_ must be named after"
                        + " a flag (see --help).",
                Map.of("KUBEPODS_WEB_LISTEN", ":1"));
    }

    @Test
    void aVariableIsAFlagThatAFlagOverrides() {
        Map<String, String> environment = Map.of("KUBEPODS_SAMPLE_INTERVAL", "never");
        complains(
                "--sample.interval must be a duration from 100ms to 60m, such as 1s, and is never.",
                environment,
                "snapshot");
        assertEquals(0, run(environment, "snapshot", "--sample.interval=2s", node(), "--path.procfs=/proc"));
    }

    @Test
    void whatTheKubeletSetsForAServiceOfOurNameIsNoMistake() {
        Map<String, String> environment = Map.of(
                "KUBEPODS_EXPORTER_SERVICE_HOST", "10.0.0.1",
                "KUBEPODS_EXPORTER_SERVICE_PORT", "10990",
                "KUBEPODS_EXPORTER_SERVICE_PORT_METRICS", "10990",
                "KUBEPODS_EXPORTER_PORT", "tcp://10.0.0.1:10990",
                "KUBEPODS_EXPORTER_PORT_10990_TCP", "tcp://10.0.0.1:10990",
                "KUBEPODS_EXPORTER_PORT_10990_TCP_ADDR", "10.0.0.1");
        assertEquals(0, run(environment, "snapshot", node()));
    }

    @Test
    void noCgroupV2() throws IOException {
        complains(
                "There is no directory " + directory
                        + "/none; --path.cgroupfs must name the place where the node's cgroup v2"
                        + " hierarchy is mounted.",
                Map.of(),
                "--path.cgroupfs=" + directory + "/none");
        Path v1 = Files.createDirectories(directory.resolve("v1"));
        Files.createDirectory(v1.resolve("memory"));
        complains(
                v1
                        + " is cgroup v1; this agent needs cgroup v2 (kernel parameter systemd.unified_cgroup_hierarchy=1, and"
                        + " Linux 5.8 or later).",
                Map.of(),
                "--path.cgroupfs=" + v1);
        Files.createDirectory(v1.resolve("unified"));
        Files.writeString(v1.resolve("unified/cgroup.controllers"), "hugetlb\n");
        complains(
                v1
                        + "/unified is a cgroup v2 hierarchy without the cpu and memory controllers, as in a hybrid setup; this agent"
                        + " needs cgroup v2 alone (kernel parameter systemd.unified_cgroup_hierarchy=1).",
                Map.of(),
                "--path.cgroupfs=" + v1 + "/unified");
        complains(
                v1 + " is a hybrid hierarchy: cgroup v1 controllers, and a cgroup v2 at " + v1
                        + "/unified that does not have them; this agent needs cgroup v2 alone (kernel parameter"
                        + " systemd.unified_cgroup_hierarchy=1).",
                Map.of(),
                "--path.cgroupfs=" + v1);
        Path other = Files.createDirectories(directory.resolve("other"));
        assertEquals(1, run(Map.of(), "--path.cgroupfs=" + other));
        assertTrue(errors.toString(UTF_8).contains("no cgroup v2 hierarchy: it has no file cgroup.controllers"));
    }

    @Test
    void noProcfs() {
        complains(
                "There is no directory " + directory
                        + "/proc; --path.procfs must name the place where the node's /proc is" + " mounted.",
                Map.of(),
                node(),
                "--path.procfs=" + directory + "/proc");
    }

    @Test
    void aPodsFileThatCannotBeRead() throws IOException {
        complains(
                "Cannot read the pods file " + directory + "/none: there is no such file.",
                Map.of(),
                node(),
                "--pods.file=" + directory + "/none");
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"kind\": \"List\", \"items\": [");
        assertEquals(1, run(Map.of(), node(), "--pods.file=" + broken));
        assertTrue(
                errors.toString(UTF_8).contains("The pods file " + broken + " is neither JSON nor YAML"),
                errors::toString);
        Path other = Files.writeString(directory.resolve("other.yaml"), "kind: Service\napiVersion: v1\n");
        complains(
                "The pods file " + other + " does not hold a list of pods, as `kubectl get pods -A -o json` prints it.",
                Map.of(),
                node(),
                "--pods.file=" + other);
    }

    @Test
    void ofAPodsFileThisNodesPodsAreTaken() {
        String node = "../core/src/test/resources/nodes/kubeadm/"; // called oak-2
        String[] snapshot = {
            "snapshot",
            "--path.cgroupfs=" + node + "sys/fs/cgroup",
            "--path.procfs=" + node + "proc",
            "--pods.file=" + node + "pods.yaml"
        };
        for (String name : List.of("", "oak-2", "oak-3")) {
            out.reset();
            assertEquals(0, run(Map.of("NODE_NAME", name), snapshot));
            boolean named = out.toString(UTF_8).contains("kubepods_pod_info{");
            assertEquals(!name.equals("oak-3"), named, name);
        }
        complains(
                "--kube.node-name must be a node's name, of a-z, 0-9, - and ., and is a/b.",
                Map.of("NODE_NAME", "a/b"),
                snapshot);
    }

    @Test
    void aPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertEquals(1, run(Map.of(), node(), "--web.listen-address=" + address));
            String said = errors.toString(UTF_8);
            assertEquals(1, said.lines().count(), said);
            assertTrue(said.contains(address), said);
        }
    }
}
