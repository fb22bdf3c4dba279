package io.kubepods.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus' text format, read strictly: every family has its HELP and TYPE first, and all its samples together; names,
 * labels and values are well formed; there are no timestamps, and never two samples with the same name and labels.
 */
public final class Exposition {
    private static final Pattern META =
            Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\\]|\\\\[\\\\n])+)");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]Inf|-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\\\\\"]|\\\\[\\\\\"n])*)\"(,|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    /** One line. */
    public record Sample(String name, Map<String, String> labels, double value) {
        /** The value of a label; "" when there is none. */
        public String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    private final List<Sample> samples = new ArrayList<>();
    private final Set<String> families = new HashSet<>();
    private final Set<String> series = new HashSet<>();
    private String family = "";
    private String type = "";
    private boolean helped;

    private Exposition() {}

    /** @throws IllegalArgumentException with the first line that is wrong */
    public static List<Sample> parse(String text) {
        if (!text.isEmpty() && !text.endsWith("\n")) {
            throw new IllegalArgumentException("the last line does not end");
        }
        Exposition exposition = new Exposition();
        text.lines().forEach(exposition::line);
        return List.copyOf(exposition.samples);
    }

    /** The samples of one name. */
    public static List<Sample> of(List<Sample> samples, String name) {
        return samples.stream().filter(sample -> sample.name().equals(name)).toList();
    }

    private void line(String line) {
        if (line.startsWith("#")) {
            meta(line);
        } else {
            sample(line);
        }
    }

    private void meta(String line) {
        Matcher matcher = META.matcher(line);
        check(matcher.matches(), line);
        if (matcher.group(1).equals("HELP")) {
            check(families.add(matcher.group(2)), "a family in two places: " + line);
            family = matcher.group(2);
            type = "";
            helped = true;
        } else {
            check(helped && family.equals(matcher.group(2)) && type.isEmpty(), "TYPE must follow its HELP: " + line);
            type = matcher.group(3);
            check(TYPES.contains(type), line);
            check(type.equals("counter") == family.endsWith("_total"), line);
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        check(matcher.matches(), line);
        String name = matcher.group(1);
        check(!type.isEmpty() && isOfFamily(name), "a sample outside its family: " + line);
        Map<String, String> labels = labels(matcher.group(2) == null ? "" : matcher.group(2), line);
        check(series.add(name + labels), "a duplicate: " + line);
        String value = matcher.group(3);
        samples.add(new Sample(
                name,
                labels,
                value.endsWith("Inf")
                        ? Double.parseDouble(value.replace("Inf", "Infinity"))
                        : Double.parseDouble(value)));
    }

    private boolean isOfFamily(String name) {
        boolean summed = type.equals("summary") || type.equals("histogram");
        return name.equals(family)
                || (summed && (name.equals(family + "_sum") || name.equals(family + "_count")))
                || (type.equals("histogram") && name.equals(family + "_bucket"));
    }

    private static Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        Matcher matcher = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            check(matcher.find(at) && matcher.start() == at, line);
            check(labels.put(matcher.group(1), matcher.group(2)) == null, "a label twice: " + line);
            at = matcher.end();
        }
        return labels;
    }

    private static void check(boolean right, String line) {
        if (!right) {
            throw new IllegalArgumentException(line);
        }
    }
}
