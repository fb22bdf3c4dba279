package io.kubepods.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An exposition in the text format, read strictly: every line is a comment or a sample without a timestamp, no series comes
 * twice, every sample's family has a type, {@code counter} where and only where the name ends in {@code _total}.
 */
final class KernelLabExposition {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"(,|$)");

    /** Values by {@link #series}. */
    private final Map<String, Double> values = new TreeMap<>();

    private final List<String> complaints = new ArrayList<>();

    private KernelLabExposition() {}

    static KernelLabExposition parse(String text) {
        KernelLabExposition exposition = new KernelLabExposition();
        Map<String, String> types = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                types.put(type.group(1), type.group(2));
            } else if (!line.startsWith("# HELP ")) {
                exposition.sample(line, types);
            }
        });
        return exposition;
    }

    /** {@code name{label="value",…}}, the labels in the order of their names. */
    static String series(String name, Map<String, String> labels) {
        return name
                + new TreeMap<>(labels)
                        .entrySet().stream()
                                .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                                .collect(Collectors.joining(",", "{", "}"));
    }

    Map<String, Double> values() {
        return values;
    }

    List<String> complaints() {
        return complaints;
    }

    private void sample(String line, Map<String, String> types) {
        Matcher matcher = SAMPLE.matcher(line);
        if (!matcher.matches()) {
            complaints.add("is no sample: " + line);
            return;
        }
        String name = matcher.group(1);
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        if (values.put(series(name, labels), Double.valueOf(matcher.group(3))) != null) {
            complaints.add("comes twice: " + line);
        }
        if (name.startsWith("kubepods_")) {
            type(name, types, line);
        }
    }

    private void type(String name, Map<String, String> types, String line) {
        String type = types.get(name);
        if (type == null) {
            type = types.getOrDefault(name.replaceFirst("_(bucket|sum|count|max)$", ""), "none");
        }
        if (type.equals("none") || type.equals("untyped") || name.endsWith("_total") != type.equals("counter")) {
            complaints.add("has the type " + type + ": " + line);
        }
    }
}
