package io.kubepods.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One boot of a real kernel by {@code src/test/lab/run}: a script of {@code src/test/lab/guest} runs in the guest, beside
 * the agent's jar, and leaves what it found in {@link #out}. Everything stays below {@code target/kernel-lab} to look at.
 */
final class KernelLab {
    private static final Path LAB = Path.of("src/test/lab").toAbsolutePath();
    private static final int LIMIT_SECONDS = 600;

    private final Path share;
    private final Path out;

    private KernelLab(Path share) {
        this.share = share;
        this.out = share.resolve("out");
    }

    /** Boots the kernel, runs {@code guest/<script> <arguments>} in it and waits for its end. */
    static KernelLab boot(String kernel, String script, String... arguments) throws IOException, InterruptedException {
        String name = kernel + "-" + script.replace(".sh", "")
                + Stream.of(arguments).map(argument -> "-" + argument).reduce("", String::concat);
        KernelLab lab = new KernelLab(Path.of("target/kernel-lab", name).toAbsolutePath());
        lab.fill();
        lab.run(kernel, script, arguments);
        return lab;
    }

    String text(String file) throws IOException {
        return Files.readString(out.resolve(file));
    }

    byte[] bytes(String file) throws IOException {
        return Files.readAllBytes(out.resolve(file));
    }

    private void fill() throws IOException {
        if (Files.exists(share)) {
            try (Stream<Path> old = Files.walk(share)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(out);
        Files.createDirectories(share.resolve("guest"));
        try (Stream<Path> scripts = Files.list(LAB.resolve("guest"))) {
            for (Path script : scripts.toList()) {
                Files.copy(
                        script,
                        share.resolve("guest").resolve(script.getFileName()),
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.copy(
                Path.of(System.getProperty("kubepods.jar", "target/kubepods-exporter.jar")),
                share.resolve("kubepods-exporter.jar"));
    }

    private void run(String kernel, String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(LAB.resolve("run").toString(), "-k", kernel));
        command.addAll(List.of("-s", share.toString(), "-t", String.valueOf(LIMIT_SECONDS)));
        command.addAll(List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), "bash", "/mnt/guest/" + script));
        command.addAll(List.of(arguments));
        Path console = out.resolve("console.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(console.toFile())
                .start();
        try {
            // Twice the guest's own limit: the first boot of a kernel fetches it.
            if (!process.waitFor(2 * LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the kernel lab has not ended:\n" + Files.readString(console));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("the kernel lab ended with status " + process.exitValue() + ":\n"
                    + Files.readString(console) + log());
        }
    }

    private String log() throws IOException {
        Path log = out.resolve("agent.err");
        return Files.exists(log) ? "the agent's log:\n" + Files.readString(log) : "the agent has written no log\n";
    }
}
