package io.kubepods.agent;

import io.kubepods.agent.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The flags, as they are typed. Each may also be an environment variable: see {@link Environment}. */
final class Options {
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m)");

    @Option(
            names = "--path.cgroupfs",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            defaultValue = "/sys/fs/cgroup",
            description = "Where the node's cgroup v2 hierarchy is mounted. Default: ${DEFAULT-VALUE}")
    Path cgroupfs = Path.of("");

    @Option(
            names = "--path.procfs",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            defaultValue = "/proc",
            description = "Where the node's /proc is mounted. Default: ${DEFAULT-VALUE}")
    Path procfs = Path.of("");

    @Option(
            names = "--pods.file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Take the pods' names from a file, as `kubectl get pods -A -o json` (or yaml) prints it;"
                    + " read again when it changes.")
    @Nullable
    Path podsFile;

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

    /** @throws IllegalArgumentException with one sentence for the first setting that is wrong */
    Config check() {
        if (demo && podsFile != null) {
            throw new IllegalArgumentException("--demo brings its own pods; leave --pods.file out.");
        }
        ListenAddress address;
        try {
            address = ListenAddress.parse(listenAddress);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--web.listen-address: " + e.getMessage(), e);
        }
        if (!telemetryPath.startsWith("/") || telemetryPath.length() < 2) {
            throw new IllegalArgumentException(
                    "--web.telemetry-path must be a path other than /, such as /metrics, and is " + telemetryPath
                            + ".");
        }
        return new Config(cgroupfs, procfs, podsFile, address, telemetryPath, duration(sampleInterval), demo);
    }

    private static Duration duration(String text) {
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
                "--sample.interval must be a duration from 100ms to 60m, such as 1s, and is " + text + ".");
    }
}
