package io.kubepods.agent.kube;

import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.model.Pod;
import io.kubepods.model.PodSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Pods from a file: what {@code kubectl get pods -A -o json} (or yaml) prints. Read again when the file changes; one that
 * cannot be read any more leaves the last good one in force, and is counted.
 *
 * <p>It may hold the pods of all nodes. Those of others are left out when this node's name is known. Without it nothing is
 * lost but names: static pods of several nodes may have one uid, and then nobody can tell which of them is here.
 *
 * <p>{@link #refresh} is called by one thread; the other methods by any.
 */
public final class PodsFile implements PodSource {
    private static final Logger log = LoggerFactory.getLogger(PodsFile.class);

    private static final int JSON_WITHIN = 1_000;
    private static final String TOO_LONG = "exceeds the limit";

    /** Up to 64 MiB, which takes some 1 GiB to read. */
    private static final LoadSettings YAML =
            LoadSettings.builder().setCodePointLimit(64 << 20).build();

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Path path;
    private final String nodeName;
    private volatile Map<String, Pod> byUid = Map.of();
    private final AtomicLong generation = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private @Nullable Object readVersion;

    /** A pod, and the node that it is bound to; "" when it does not say. */
    private record Claim(Pod pod, String nodeName) {}

    private PodsFile(Path path, String nodeName) {
        this.path = path;
        this.nodeName = nodeName;
    }

    /**
     * @param nodeName this node, as the API calls it; "" when nobody said
     * @throws IOException with one sentence that says what is wrong with the file
     */
    public static PodsFile open(Path path, String nodeName) throws IOException {
        PodsFile file = new PodsFile(path, nodeName);
        file.readVersion = file.version();
        file.byUid = file.read();
        return file;
    }

    @Override
    public @Nullable Pod find(String uid) {
        return byUid.get(uid);
    }

    @Override
    public long generation() {
        return generation.get();
    }

    /** How often the file had changed and could not be read. */
    public long errors() {
        return errors.get();
    }

    /** Reads the file again if it is another than before. */
    public void refresh() {
        Object version = version();
        if (version.equals(readVersion)) {
            return;
        }
        readVersion = version;
        try {
            byUid = read();
            generation.incrementAndGet();
        } catch (IOException | RuntimeException e) {
            errors.incrementAndGet();
            log.warn("{} The pods read before stay in force.", e.getMessage());
        }
    }

    /** What tells one state of the file from the next, without reading it. */
    private Object version() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return List.of(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
        } catch (IOException e) {
            return "none";
        }
    }

    private Map<String, Pod> read() throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IOException("The pods file " + path
                    + " is a directory or a pipe; it must be a regular file, which can be read again.");
        }
        @Nullable Object document;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            document = isJson(in) ? serialization.unmarshal(in) : yaml(in);
        } catch (IOException e) {
            throw new IOException("Cannot read the pods file " + path + ": " + Cause.of(e) + ".", e);
        } catch (RuntimeException | StackOverflowError e) {
            String why = e instanceof StackOverflowError ? "it is nested too deeply" : Cause.of(e);
            throw new IOException(
                    "The pods file " + path + " is neither JSON nor YAML of a Kubernetes list: " + why
                            + (why.contains(TOO_LONG) ? "; so much is read as JSON only (kubectl's -o json)." : "."),
                    e);
        }
        if (!(document instanceof KubernetesResourceList<?> list)) {
            throw new IOException("The pods file " + path
                    + " does not hold a list of pods, as `kubectl get pods -A -o json` prints it.");
        }
        List<?> items = list.getItems();
        Map<String, List<Claim>> claims = new HashMap<>();
        int others = 0;
        for (Object item : items == null ? List.of() : items) {
            if (item instanceof io.fabric8.kubernetes.api.model.Pod pod) {
                Pod read = PodReader.read(pod).orElse(null);
                String boundTo = boundTo(pod);
                if (read != null && isHere(boundTo)) {
                    claims.computeIfAbsent(read.uid(), uid -> new ArrayList<>(1))
                            .add(new Claim(read, boundTo));
                }
                others += isHere(boundTo) ? 0 : 1;
            }
        }
        if (items != null && !items.isEmpty() && !hasPod(items)) {
            throw new IOException("The pods file " + path
                    + " holds a list, but of no pods; it must be what `kubectl get pods -A -o json` prints.");
        }
        if (claims.isEmpty() && others > 0) {
            log.warn(
                    "All {} pods in {} are on other nodes than {}, which this one is said to be.",
                    others,
                    path,
                    nodeName);
        }
        return settle(claims);
    }

    private static String boundTo(io.fabric8.kubernetes.api.model.Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    private boolean isHere(String node) {
        return nodeName.isEmpty() || node.isEmpty() || node.equals(nodeName);
    }

    private Map<String, Pod> settle(Map<String, List<Claim>> claims) {
        Map<String, Pod> pods = new HashMap<>();
        int onSeveralNodes = 0;
        for (Map.Entry<String, List<Claim>> each : claims.entrySet()) {
            List<Claim> rivals = each.getValue();
            rivals.sort(Comparator.comparing(Claim::pod, ClaimOrder.BY_MAKER.thenComparing(ClaimOrder.BY_AGE)));
            Claim first = rivals.get(0);
            boolean isOne = rivals.stream()
                    .filter(rival -> ClaimOrder.BY_MAKER.compare(rival.pod(), first.pod()) == 0)
                    .allMatch(rival -> rival.nodeName().equals(first.nodeName()));
            if (isOne) {
                pods.put(each.getKey(), first.pod());
            } else {
                onSeveralNodes++;
            }
        }
        if (onSeveralNodes > 0) {
            log.warn(
                    "{} static pods in {} have one uid on several nodes and are left without names; --kube.node-name would"
                            + " say which are here.",
                    onSeveralNodes,
                    path);
        }
        return pods;
    }

    private static boolean hasPod(List<?> items) {
        return items.stream().anyMatch(item -> item instanceof io.fabric8.kubernetes.api.model.Pod);
    }

    private static boolean isJson(InputStream in) throws IOException {
        in.mark(JSON_WITHIN);
        int first = in.read();
        for (int i = 1; i < JSON_WITHIN && Character.isWhitespace(first); i++) {
            first = in.read();
        }
        in.reset();
        return first == '{';
    }

    /** As fabric8 reads it, but for the limit of 3 MiB that it does not let be raised: a node's pods may be more. */
    private @Nullable Object yaml(InputStream in) {
        List<Object> documents = new ArrayList<>();
        for (Object document : new Load(YAML).loadAllFromInputStream(in)) {
            documents.add(serialization.convertValue(document, KubernetesResource.class));
        }
        return documents.size() == 1 ? documents.get(0) : null;
    }
}
