package io.kubepods.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kubepods.cgroup.CgroupRoot;
import io.kubepods.kernel.PosixFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Whatever is wrong with what it is given is one sentence on stderr and exit code 1. */
@Command(
        name = "kubepods-exporter",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        synopsisHeading = "Usage: ",
        customSynopsis = "kubepods-exporter [serve|snapshot] [FLAGS]",
        header = "Tells Prometheus what the kernel really does to every pod's requests and limits.",
        description = "%nReads the cgroup v2 files of this node's pods, and serves them as metrics.%n",
        optionListHeading = "Flags:%n",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Every flag is also an environment variable:",
            "--web.listen-address is KUBEPODS_WEB_LISTEN_ADDRESS.",
            "",
            "Examples:",
            "  kubepods-exporter --demo                    a simulated node, anywhere",
            "  kubepods-exporter --kube.config=$HOME/.kube/config --kube.node-name=worker-1",
            "                                              this node, names from the API server",
            "  kubepods-exporter --pods.file=pods.json     this node, names from a file",
            "  kubepods-exporter snapshot | grep oom_kill  read once, print, exit"
        })
public final class Main implements Callable<Integer> {
    private static final int BAD_INPUT = 1;

    /** Where the kubelet mounts it into every pod, unless told not to. */
    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    @Mixin
    private Options options;

    @Spec
    private CommandSpec spec;

    private final Environment environment;
    private final PrintStream out;

    private Main(Environment environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
        options = new Options();
        spec = CommandSpec.create();
    }

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out, System.err));
    }

    static int run(String[] arguments, Map<String, String> variables, PrintStream out, PrintStream errors) {
        Environment environment = new Environment(variables);
        CommandLine command = new CommandLine(new Main(environment, out));
        command.setOut(new PrintWriter(out, true, UTF_8));
        command.setDefaultValueProvider(environment);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.setParameterExceptionHandler((e, given) -> complain(errors, parameterProblem(e)));
        command.setExecutionExceptionHandler((e, given, result) -> {
            if (e instanceof IOException || e instanceof IllegalArgumentException) {
                return complain(errors, e.getMessage());
            }
            throw e;
        });
        return command.execute(arguments);
    }

    private static int complain(PrintStream errors, @Nullable String sentence) {
        errors.println("kubepods-exporter: " + sentence);
        return BAD_INPUT;
    }

    private static String parameterProblem(ParameterException e) {
        String message = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        return message + (message.endsWith(".") ? "" : ".") + " See --help.";
    }

    /** Without a command: serve. */
    @Override
    public Integer call() throws Exception {
        return serve();
    }

    @Command(
            name = "serve",
            mixinStandardHelpOptions = true,
            description = "Read the node's files and serve metrics until stopped. The default.")
    int serve() throws Exception {
        try (Agent agent = Agent.start(config())) {
            agent.join();
        }
        return 0;
    }

    @Command(
            name = "snapshot",
            mixinStandardHelpOptions = true,
            description = "Read the node's files once, print the metrics, and exit.")
    int snapshot() throws Exception {
        Agent.snapshot(config(), out);
        if (out.checkError()) {
            throw new IOException("The metrics could not be written to standard output to the end.");
        }
        return 0;
    }

    private Config config() throws IOException {
        Logging.configure(options.logLevel, options.logFormat);
        environment.check(spec);
        Config config = options.check(environment, SERVICE_ACCOUNT);
        Optional<String> noLibc = PosixFiles.problem();
        if (noLibc.isPresent()) {
            throw new IOException(noLibc.get());
        }
        if (!config.demo()) {
            Optional<String> problem = CgroupRoot.problem(config.cgroupfs());
            if (problem.isPresent()) {
                throw new IOException(problem.get());
            }
            if (!Files.isDirectory(config.procfs())) {
                throw new IOException("There is no directory " + config.procfs()
                        + "; --path.procfs must name the place where the node's /proc is mounted.");
            }
            if (!Files.exists(config.procfs().resolve("meminfo"))) {
                throw new IOException(config.procfs()
                        + " is no proc file system: it has no file meminfo; --path.procfs must name the place where the node's"
                        + " /proc is mounted.");
            }
        }
        return config;
    }

    /** What the jar's manifest says. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"kubepods-exporter " + version()};
        }
    }

    static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
