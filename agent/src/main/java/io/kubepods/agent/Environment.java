package io.kubepods.agent;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Flags by environment variables: {@code --web.listen-address} is {@code KUBEPODS_WEB_LISTEN_ADDRESS}. A flag wins. Beside
 * them what Kubernetes and its users call by names of their own.
 */
final class Environment implements IDefaultValueProvider {
    private static final String PREFIX = "KUBEPODS_";

    /** What the kubelet sets in every pod for a Service whose name begins with kubepods: nobody typed it. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile("KUBEPODS_.*(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_.*)?)");

    /** What most agents' manifests call the node's name, given by the downward API. */
    private static final String NODE_NAME = "NODE_NAME";

    private static final String KUBE_NODE_NAME = "KUBEPODS_KUBE_NODE_NAME";

    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, String> all;

    Environment(Map<String, String> environment) {
        all = Map.copyOf(environment);
        environment.forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !value.isEmpty() && !isOfAService(name, value)) {
                variables.put(name, value);
            }
        });
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (argument instanceof OptionSpec option && isSetting(option)) {
            String value = variables.get(variable(option));
            if (value != null) {
                return value;
            }
            if (variable(option).equals(KUBE_NODE_NAME) && all.containsKey(NODE_NAME)) {
                return all.get(NODE_NAME);
            }
        }
        return argument.defaultValue();
    }

    private static boolean isOfAService(String name, String value) {
        return OF_A_SERVICE.matcher(name).matches() || (name.endsWith("_PORT") && value.contains("://"));
    }

    /** A variable that is no flag's; "" when it is not set. */
    String get(String name) {
        return all.getOrDefault(name, "");
    }

    /** @throws IllegalArgumentException with one sentence when a variable with our prefix is no flag's */
    void check(CommandSpec command) {
        for (String name : variables.keySet()) {
            if (command.options().stream()
                    .noneMatch(option -> isSetting(option) && variable(option).equals(name))) {
                throw new IllegalArgumentException("Unknown environment variable " + name
                        + "; variables that begin with " + PREFIX + " must be named after a flag (see --help).");
            }
        }
    }

    private static boolean isSetting(OptionSpec option) {
        return !option.usageHelp() && !option.versionHelp();
    }

    private static String variable(OptionSpec option) {
        return PREFIX
                + option.longestName()
                        .substring(2)
                        .toUpperCase(Locale.ROOT)
                        .replace('.', '_')
                        .replace('-', '_');
    }
}
