package io.kubepods.agent.demo;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pods as {@code kubectl get pods -A -o json} prints them, without the fields that no agent reads. */
final class PodList {
    private static final int SYSTEM_NODE_CRITICAL = 2_000_001_000;

    private PodList() {}

    static String json(List<DemoPod> pods, Instant createdAt) {
        List<?> items = pods.stream().map(pod -> item(pod, createdAt)).toList();
        Object metadata = object("resourceVersion", "");
        StringBuilder json = new StringBuilder(32 << 10);
        append(json, object("apiVersion", "v1", "items", items, "kind", "List", "metadata", metadata), "\n");
        return json.append('\n').toString();
    }

    private static Object item(DemoPod pod, Instant createdAt) {
        String hash = pod.configHash;
        Map<String, Object> metadata = object("name", pod.name, "namespace", pod.namespace, "uid", pod.uid);
        metadata.put("creationTimestamp", createdAt);
        Map<String, Object> spec = object("nodeName", Host.NAME, "restartPolicy", "Always", "priority", 0);
        if (hash != null) {
            metadata.put("annotations", object("kubernetes.io/config.hash", hash, "kubernetes.io/config.mirror", hash));
            spec.put("priority", SYSTEM_NODE_CRITICAL);
            spec.put("priorityClassName", "system-node-critical");
        }
        Map<String, Object> status = object("phase", "Running", "qosClass", pod.qos.label, "startTime", createdAt);
        spec.put("containers", each(pod, false, PodList::container));
        spec.put("initContainers", each(pod, true, PodList::container));
        status.put("containerStatuses", each(pod, false, PodList::status));
        status.put("initContainerStatuses", each(pod, true, PodList::status));
        return object("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec, "status", status);
    }

    private static Object each(DemoPod pod, boolean sidecars, Function<DemoContainer, Object> part) {
        return pod.containers.stream()
                .filter(container -> container.spec.sidecar() == sidecars)
                .map(part)
                .toList();
    }

    private static Object container(DemoContainer container) {
        Resources resources = container.spec.resources();
        Object limits = quantities(resources.limitMilli(), resources.limitMemory());
        Object requests = quantities(resources.requestMilli(), resources.requestMemory());
        return object(
                "image",
                container.image,
                "name",
                container.spec.name(),
                "resources",
                object("limits", limits, "requests", requests),
                "restartPolicy",
                container.spec.sidecar() ? "Always" : null);
    }

    private static @Nullable Object quantities(long milli, long bytes) {
        Map<String, Object> quantities = object(
                "cpu", milli == 0 ? null : milli % 1000 == 0 ? Long.toString(milli / 1000) : milli + "m",
                "memory", bytes == 0 ? null : (bytes >> 20) + "Mi");
        return quantities.isEmpty() ? null : quantities;
    }

    private static Object status(DemoContainer container) {
        DemoContainer.Run run = container.run();
        DemoContainer.Run previous = container.previousRun();
        boolean running = run.finishedAt() == null;
        return object(
                "containerID",
                "containerd://" + run.id(),
                "image",
                container.image,
                "imageID",
                container.imageId,
                "lastState",
                previous == null ? object() : state(previous),
                "name",
                container.spec.name(),
                "ready",
                running,
                "restartCount",
                container.restarts(),
                "started",
                running,
                "state",
                state(run));
    }

    /** Whatever ends in the demo was OOM-killed. */
    private static Object state(DemoContainer.Run run) {
        if (run.finishedAt() == null) {
            return object("running", object("startedAt", run.startedAt()));
        }
        Object terminated = object(
                "containerID",
                "containerd://" + run.id(),
                "exitCode",
                137,
                "finishedAt",
                run.finishedAt(),
                "reason",
                "OOMKilled",
                "startedAt",
                run.startedAt());
        return object("terminated", terminated);
    }

    /** A JSON object of names and values in turn, without those that are null; kubectl sorts by name. */
    private static Map<String, Object> object(@Nullable Object... namesAndValues) {
        Map<String, Object> object = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                object.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return object;
    }

    /** No text in here needs escaping. */
    private static void append(StringBuilder json, Object value, String newLine) {
        String inner = newLine + "    ";
        String separator = inner;
        if (value instanceof Map<?, ?> object) {
            json.append('{');
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                json.append(separator).append('"').append(entry.getKey()).append("\": ");
                append(json, entry.getValue(), inner);
                separator = "," + inner;
            }
            json.append(object.isEmpty() ? "}" : newLine + "}");
        } else if (value instanceof List<?> list) {
            json.append('[');
            for (Object element : list) {
                json.append(separator);
                append(json, element, inner);
                separator = "," + inner;
            }
            json.append(list.isEmpty() ? "]" : newLine + "]");
        } else {
            boolean bare = value instanceof Number || value instanceof Boolean;
            json.append(bare ? value : "\"" + value + "\"");
        }
    }
}
