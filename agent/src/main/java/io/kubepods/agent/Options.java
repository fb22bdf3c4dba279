package io.kubepods.agent;

import io.kubepods.agent.http.ListenAddress;
import io.kubepods.agent.kube.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The flags, as they are typed. Each may also be an environment variable: see {@link Environment}. */
final class Options {
    private static final Logger log = LoggerFactory.getLogger(Options.class);
    private static final String CGROUPFS = "/sys/fs/cgroup";
    private static final String PROCFS = "/proc";
    private static final String KMSG = "/dev/kmsg";
    private static final Pattern NODE_NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    @Option(
            names = "--path.cgroupfs",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            defaultValue = CGROUPFS,
            description = "Where the node's cgroup v2 hierarchy is mounted. Default: ${DEFAULT-VALUE}")
    Path cgroupfs = Path.of("");

    @Option(
            names = "--path.procfs",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            defaultValue = PROCFS,
            description = "Where the node's /proc is mounted. Default: ${DEFAULT-VALUE}")
    Path procfs = Path.of("");

    @Option(
            names = "--path.kmsg",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            defaultValue = KMSG,
            description =
                    "The kernel log, which tells an OOM's victim and whose limit was hit; without it OOMs are counted all"
                            + " the same. Default: ${DEFAULT-VALUE}")
    Path kmsg = Path.of("");

    @Option(
            names = "--pods.file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Take the pods' names from a file, as `kubectl get pods -A -o json` (or yaml) prints it;"
                    + " read again when it changes.")
    @Nullable
    Path podsFile;

    @Option(
            names = "--kube.node-name",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description =
                    "This node, as the API server calls it: take the names of its pods from there, or of a pods file"
                            + " those only. The environment variable NODE_NAME says it too.")
    String nodeName = "";

    @Option(
            names = "--kube.config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Reach the API server by this kubeconfig file; without it, in a pod, by its service account.")
    @Nullable
    Path kubeconfig;

    @Option(
            names = "--kube.sync-timeout",
            paramLabel = "DURATION",
            scope = ScopeType.INHERIT,
            defaultValue = "30s",
            description = "Be ready after this long even if the API server has not answered yet."
                    + " Default: ${DEFAULT-VALUE}")
    String syncTimeout = "";

    @Option(
            names = "--kube.events",
            scope = ScopeType.INHERIT,
            description =
                    "Write an Event on the pod for an OOM, with its cause and the limit; at most one a minute of a kind."
                            + " Needs the right to create events.")
    boolean events;

    @Option(
            names = "--web.listen-address",
            paramLabel = "ADDRESS",
            scope = ScopeType.INHERIT,
            defaultValue = ":10990",
            description = "Serve HTTP on this [HOST]:PORT. Default: ${DEFAULT-VALUE}")
    String listenAddress = "";

    @Option(
            names = "--web.telemetry-path",
            paramLabel = "PATH",
            scope = ScopeType.INHERIT,
            defaultValue = "/metrics",
            description = "Serve metrics under this path. Default: ${DEFAULT-VALUE}")
    String telemetryPath = "";

    @Option(
            names = "--sample.interval",
            paramLabel = "DURATION",
            scope = ScopeType.INHERIT,
            defaultValue = "1s",
            description = "Read what must not be missed this often: 500ms, 1s, ... Default: ${DEFAULT-VALUE}")
    String sampleInterval = "";

    @Option(
            names = "--state.file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Keep the OOM counts in this file, so that a restart of the agent loses none.")
    @Nullable
    Path stateFile;

    @Option(
            names = "--demo",
            scope = ScopeType.INHERIT,
            description = "Serve a small simulated node that is always in trouble, instead of this machine.")
    boolean demo;

    @Option(
            names = "--log.level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            defaultValue = "info",
            description = "Log what is at least this important: debug, info, warn, error. Default: ${DEFAULT-VALUE}")
    Logging.Level logLevel = Logging.Level.INFO;

    @Option(
            names = "--log.format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            defaultValue = "logfmt",
            description = "Write log lines as logfmt or json. Default: ${DEFAULT-VALUE}")
    Logging.Format logFormat = Logging.Format.LOGFMT;

    /**
     * @param environment says whether this is a pod of a cluster
     * @param serviceAccount where the kubelet puts the service account's token
     * @throws IllegalArgumentException with one sentence for the first setting that is wrong
     * @throws IOException likewise, when it is a file
     */
    Config check(Environment environment, Path serviceAccount) throws IOException {
        notEmpty("--path.cgroupfs", cgroupfs);
        notEmpty("--path.procfs", procfs);
        notEmpty("--path.kmsg", kmsg);
        if (podsFile != null) {
            notEmpty("--pods.file", podsFile);
        }
        if (stateFile != null) {
            notEmpty("--state.file", stateFile);
        }
        if (demo && stateFile != null) {
            throw new IllegalArgumentException("--demo has no restarts to keep counts over; leave --state.file out.");
        }
        if (kubeconfig != null) {
            notEmpty("--kube.config", kubeconfig);
        }
        if (demo && podsFile != null) {
            throw new IllegalArgumentException("--demo brings its own pods; leave --pods.file out.");
        }
        if (demo && !(cgroupfs.equals(Path.of(CGROUPFS)) && procfs.equals(Path.of(PROCFS)))) {
            throw new IllegalArgumentException(
                    "--demo brings its own files; leave --path.cgroupfs and --path.procfs out.");
        }
        if (kubeconfig != null && (demo || podsFile != null)) {
            throw new IllegalArgumentException("Pods' names come from one place: leave either --kube.config or "
                    + (demo ? "--demo" : "--pods.file") + " out.");
        }
        ListenAddress address;
        try {
            address = ListenAddress.parse(listenAddress);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--web.listen-address: " + e.getMessage(), e);
        }
        boolean isTaken = telemetryPath.equals("/healthz")
                || telemetryPath.equals("/readyz")
                || telemetryPath.startsWith("/api/");
        if (!telemetryPath.startsWith("/") || telemetryPath.length() < 2 || isTaken) {
            throw new IllegalArgumentException(
                    "--web.telemetry-path must be a path other than /, /healthz, /readyz and /api/…, such as /metrics, and is "
                            + telemetryPath + ".");
        }
        Duration timeout = duration("--kube.sync-timeout", syncTimeout);
        ApiServer server = demo || podsFile != null ? null : apiServer(environment, serviceAccount);
        if (events && server == null) {
            throw new IllegalArgumentException("--kube.events are written to the API server, and "
                    + (demo
                            ? "--demo has none."
                            : podsFile != null
                                    ? "with --pods.file none is asked."
                                    : "there is none: set --kube.config too."));
        }
        return new Config(
                cgroupfs,
                procfs,
                kmsg,
                podsFile == null ? null : new Config.PodsList(podsFile, nodeName.isEmpty() ? "" : checkedNodeName()),
                server == null ? null : new Config.Kube(server, checkedNodeName(), timeout, events),
                address,
                telemetryPath,
                duration("--sample.interval", sampleInterval),
                stateFile,
                demo);
    }

    private static void notEmpty(String flag, Path path) {
        if (path.toString().isEmpty()) {
            throw new IllegalArgumentException(flag + " must not be empty.");
        }
    }

    private @Nullable ApiServer apiServer(Environment environment, Path serviceAccount) throws IOException {
        if (kubeconfig != null) {
            return ApiServer.of(kubeconfig);
        }
        String host = environment.get("KUBERNETES_SERVICE_HOST");
        String port = environment.get("KUBERNETES_SERVICE_PORT");
        if (host.isEmpty()) {
            if (!nodeName.isEmpty() && !nodeName.equals(environment.get("NODE_NAME"))) {
                throw new IllegalArgumentException(
                        "--kube.node-name asks for names from the API server, and this is no pod of a cluster: set --kube.config"
                                + " too.");
            }
            log.info(
                    "Pods have no names: this is no pod of a cluster, and neither --kube.config nor --pods.file is given.");
            return null;
        }
        if (!Files.exists(serviceAccount.resolve("token"))) {
            log.warn(
                    "Pods have no names: there is no service account's token in {}. Set automountServiceAccountToken: true in"
                            + " this pod's spec.",
                    serviceAccount);
            return null;
        }
        return ApiServer.inCluster(host, port.isEmpty() ? "443" : port, serviceAccount);
    }

    private String checkedNodeName() {
        if (nodeName.isEmpty()) {
            throw new IllegalArgumentException(
                    "Names from the API server need the node's name: set --kube.node-name, or in the pod's spec the environment"
                            + " variable NODE_NAME with valueFrom.fieldRef.fieldPath spec.nodeName.");
        }
        if (!NODE_NAME.matcher(nodeName).matches()) {
            throw new IllegalArgumentException(
                    "--kube.node-name must be a node's name, of a-z, 0-9, - and ., and is " + nodeName + ".");
        }
        return nodeName;
    }

    private static Duration duration(String flag, String text) {
        Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
        if (matcher.matches() && matcher.group(1).length() < 8) {
            long amount = Long.parseLong(matcher.group(1));
            Duration duration = switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                default -> Duration.ofMinutes(amount);
            };
            if (duration.toMillis() >= 100 && duration.toMinutes() <= 60) {
                return duration;
            }
        }
        throw new IllegalArgumentException(
                flag + " must be a duration from 100ms to 60m, such as 1s, and is " + text + ".");
    }
}
