package io.kubepods.kubelet;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pods in a line: containers and what else there is, separated by semicolons.
 *
 * <pre>
 * app cpu=100m/200m mem=128Mi/170Mi     a container: request/limit, or a request alone, or /limit alone
 * -init …  +proxy …                     an init container, a sidecar
 * pod cpu=1/2 mem=1Gi                   spec.resources
 * overhead cpu=50m mem=5Mi
 * priority=7 class=high, static
 * </pre>
 */
final class PodText {
    private static final String UNITS = "KMGTPE";

    private PodText() {}

    static PodSpec pod(String text) {
        List<ContainerSpec> inits = new ArrayList<>();
        List<ContainerSpec> containers = new ArrayList<>();
        Resources podLevel = null;
        Amounts overhead = Amounts.NONE;
        PodPriority priority = PodPriority.NONE;
        for (String part : text.split(";", -1)) {
            String trimmed = part.strip();
            if (trimmed.startsWith("-") || trimmed.startsWith("+")) {
                inits.add(container(trimmed));
            } else if (trimmed.equals("pod") || trimmed.startsWith("pod ")) {
                podLevel = container(trimmed).resources();
            } else if (trimmed.startsWith("overhead ")) {
                overhead = container(trimmed).resources().requests();
            } else if (trimmed.startsWith("priority=") || trimmed.startsWith("static")) {
                priority = priority(trimmed);
            } else if (!trimmed.isEmpty()) {
                containers.add(container(trimmed));
            }
        }
        return new PodSpec(inits, containers, podLevel, overhead, priority, Resize.NONE, false);
    }

    private static PodPriority priority(String text) {
        int value = 0;
        String className = "";
        boolean isStatic = false;
        for (String word : text.split(" ", -1)) {
            if (word.startsWith("priority=")) {
                value = Integer.parseInt(word.substring(9));
            } else if (word.startsWith("class=")) {
                className = word.substring(6);
            } else if (word.equals("static")) {
                isStatic = true;
            }
        }
        return new PodPriority(value, className, isStatic);
    }

    static ContainerSpec container(String text) {
        String[] words = text.split(" +", -1);
        @Nullable BigDecimal[] amounts = new BigDecimal[4];
        for (int i = 1; i < words.length; i++) {
            String[] values = words[i].substring(4).split("/", -1);
            int at = words[i].startsWith("cpu=") ? 0 : 1;
            amounts[at] = amount(values[0]);
            amounts[2 + at] = values.length < 2 ? null : amount(values[1]);
        }
        boolean isSidecar = words[0].startsWith("+");
        return new ContainerSpec(
                words[0].replaceFirst("^[-+]", ""),
                new Resources(new Amounts(amounts[0], amounts[1]), new Amounts(amounts[2], amounts[3])),
                isSidecar);
    }

    /** 100m, 0.1, 128Mi, 1.5G; null for nothing. */
    private static @Nullable BigDecimal amount(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.endsWith("m")) {
            return new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(3);
        }
        boolean binary = text.endsWith("i");
        String bare = binary ? text.substring(0, text.length() - 1) : text;
        int unit = UNITS.indexOf(bare.charAt(bare.length() - 1));
        if (unit < 0) {
            return new BigDecimal(bare);
        }
        return new BigDecimal(bare.substring(0, bare.length() - 1))
                .multiply(BigDecimal.valueOf(binary ? 1_024 : 1_000).pow(unit + 1));
    }
}
