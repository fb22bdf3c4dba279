package io.kubepods.agent.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All files of a node at one instant, by directory relative to the cgroup file system ("" is the root) and by name. */
record NodeTree(Map<String, Map<String, String>> cgroups, String pods, Map<String, Map<String, Double>> parsed) {
    static NodeTree read(DemoNode node) {
        Map<String, Map<String, String>> cgroups = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(node.cgroupfs())) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (Files.isRegularFile(path)) {
                    String directory =
                            node.cgroupfs().relativize(path.getParent()).toString();
                    cgroups.computeIfAbsent(directory, key -> new TreeMap<>())
                            .put(path.getFileName().toString(), Files.readString(path));
                }
            }
            return new NodeTree(cgroups, Files.readString(node.podsFile()), new HashMap<>());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Numbers of a file by key: {@code usage_usec}, {@code some.total}, {@code 259:0.rbytes}, "" for a lone one. */
    Map<String, Double> numbers(String cgroup, String file) {
        return parsed.computeIfAbsent(
                cgroup + "/" + file,
                key -> parse(cgroups.getOrDefault(cgroup, Map.of()).getOrDefault(file, "")));
    }

    private static Map<String, Double> parse(String text) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", -1);
            if (line.indexOf('=') > 0) {
                for (int i = 1; i < words.length; i++) {
                    int equals = words[i].indexOf('=');
                    numbers.put(
                            words[0] + "." + words[i].substring(0, equals),
                            Double.valueOf(words[i].substring(equals + 1)));
                }
            } else if (Character.isDigit(line.charAt(line.length() - 1)) && words.length <= 2) {
                numbers.put(words.length == 1 ? "" : words[0], Double.valueOf(words[words.length - 1]));
            }
        }
        return numbers;
    }

    long number(String cgroup, String file, String key) {
        Double number = numbers(cgroup, file).get(key);
        if (number == null) {
            throw new AssertionError("no " + key + " in " + cgroup + "/" + file);
        }
        return number.longValue();
    }

    String text(String cgroup, String file) {
        String text = cgroups.getOrDefault(cgroup, Map.of()).get(file);
        if (text == null) {
            throw new AssertionError("no " + cgroup + "/" + file);
        }
        return text;
    }

    List<String> children(String cgroup) {
        List<String> children = new ArrayList<>(cgroups.keySet());
        children.removeIf(child -> !cgroup.equals(parent(child)));
        return children;
    }

    static String parent(String cgroup) {
        return cgroup.isEmpty() ? "/" : cgroup.substring(0, Math.max(0, cgroup.lastIndexOf('/')));
    }

    /** The directory of the running container of that name. */
    String scope(String container) {
        String id = containerId(container);
        return cgroups.keySet().stream()
                .filter(directory -> directory.endsWith("cri-containerd-" + id + ".scope"))
                .findAny()
                .orElse("");
    }

    String containerId(String container) {
        return match(
                "\"containerID\": \"containerd://(\\w{64})\",\\s*\"image\": \"registry.example/" + container + ":");
    }

    /** The part of the pods file that is the status of that container. */
    String status(String container) {
        int from = pods.indexOf("containerd://" + containerId(container));
        int end = pods.indexOf("\"state\": {", from);
        return pods.substring(from, pods.indexOf('}', pods.indexOf('}', end) + 1));
    }

    String match(String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(pods);
        if (!matcher.find()) {
            throw new AssertionError("no " + regex + " in " + pods);
        }
        return matcher.group(1);
    }
}
