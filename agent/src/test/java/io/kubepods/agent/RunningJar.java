package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged jar as a process of its own, serving on a port of the system's choice. */
final class RunningJar implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("serves /metrics of .* on .*:(\\d+)\"");

    private final Process process;
    private final List<String> log = new ArrayList<>();
    private final int port;

    private RunningJar(Process process) throws IOException {
        this.process = process;
        BufferedReader errors = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
        String line;
        while ((line = errors.readLine()) != null) {
            log.add(line);
            Matcher matcher = SERVES.matcher(line);
            if (matcher.find()) {
                port = Integer.parseInt(matcher.group(1));
                return;
            }
        }
        throw new IOException("the jar ended without serving: " + log);
    }

    static RunningJar start(String... arguments) throws IOException {
        List<String> command = command(arguments);
        command.add("--web.listen-address=127.0.0.1:0");
        return new RunningJar(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** {@code java -jar} with nothing else. */
    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-jar");
        command.add(System.getProperty("kubepods.jar", "target/kubepods-exporter.jar"));
        command.addAll(List.of(arguments));
        return command;
    }

    int port() {
        return port;
    }

    /** What it wrote to stderr until it served. */
    List<String> log() {
        return log;
    }

    long pid() {
        return process.pid();
    }

    /** Stops it as the kubelet does, and gives its exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
