package io.kubepods.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What {@code grep -H ''} in the guest said of every interface file at one instant:
 *
 * <pre>
 * /sys/fs/cgroup/kubepods.slice/cpu.weight:79
 * /sys/fs/cgroup/kubepods.slice/memory.events:low 0
 * /proc/197/oom_score_adj:985
 * </pre>
 */
final class KernelLabDump {
    private final Map<String, String> contents = new HashMap<>();

    private KernelLabDump() {}

    static KernelLabDump parse(String text) {
        KernelLabDump dump = new KernelLabDump();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            dump.contents.merge(
                    line.substring(0, colon), line.substring(colon + 1), (before, more) -> before + "\n" + more);
        });
        return dump;
    }

    boolean has(String file) {
        return contents.containsKey(file);
    }

    /** The number that is the file's whole content; empty if there is no such file, and for {@code max}. */
    OptionalDouble value(String file) {
        return number(contents.getOrDefault(file, "max"));
    }

    /** The value of the line {@code key value}. */
    OptionalDouble value(String file, String key) {
        return lastWord(file, key, " ");
    }

    /** The total of a pressure file's line {@code some avg10=… total=N} or {@code full …}. */
    OptionalDouble total(String file, String line) {
        return lastWord(file, line, "total=");
    }

    /** Quota over period of a cpu.max; empty if there is no quota. */
    OptionalDouble cores(String cpuMax) {
        String[] words = cpuMax(cpuMax);
        OptionalDouble quota = number(words[0]);
        return quota.isEmpty() ? quota : OptionalDouble.of(quota.getAsDouble() / Double.parseDouble(words[1]));
    }

    /** The period of a cpu.max that has a quota. */
    OptionalDouble period(String cpuMax) {
        String[] words = cpuMax(cpuMax);
        return number(words[0]).isEmpty() ? OptionalDouble.empty() : number(words[1]);
    }

    private String[] cpuMax(String file) {
        return contents.getOrDefault(file, "max 100000").split(" ");
    }

    private OptionalDouble lastWord(String file, String firstWord, String before) {
        return contents.getOrDefault(file, "")
                .lines()
                .filter(line -> line.startsWith(firstWord + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(before) + before.length())))
                .findFirst();
    }

    private static OptionalDouble number(String text) {
        return text.equals("max") ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    }
}
