package io.kubepods.model;

import io.kubepods.OpenDescriptors;
import io.kubepods.PlainNode;
import io.kubepods.kernel.Errno;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.ErrorCounts.Kind;
import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node in plain files with its sampler, a clock that a test advances, and names that it gives. */
final class SampledNode implements PodSource {
    private static final long SECOND = 1_000_000_000L;

    final PlainNode files;
    final PosixFiles posix = new PosixFiles();
    final NodeSampler sampler;
    final Map<String, Pod> pods = new HashMap<>();
    final List<String> reads = new ArrayList<>();
    /** A cgroup that is removed at the moment when a file of it is read; "" for none. */
    String goesWhenRead = "";

    /** Happens before every read. */
    Runnable beforeRead = () -> {};

    long generation;
    long now = Long.MAX_VALUE - 5 * SECOND; // nanoTime overflows at some time
    private final Path directory;

    SampledNode(Path directory) {
        this.directory = directory;
        files = new PlainNode(directory);
        KernelFiles recording = (file, offset, into) -> {
            String path = relative(file);
            reads.add(path);
            beforeRead.run();
            if (!goesWhenRead.isEmpty() && path.startsWith("cgroup/" + goesWhenRead + "/")) {
                if (Files.exists(files.cgroupfs.resolve(goesWhenRead))) {
                    files.remove(goesWhenRead);
                }
                return -Errno.ENODEV; // which plain files do not say
            }
            return posix.read(file, offset, into);
        };
        sampler = new NodeSampler(posix, recording, files.cgroupfs, files.procfs, this, () -> now);
    }

    private String relative(KernelFile file) {
        return file.toString().substring(directory.toString().length() + 1);
    }

    @Override
    public @Nullable Pod find(String uid) {
        return pods.get(uid);
    }

    @Override
    public long generation() {
        return generation;
    }

    /** A pod with containers by id; one whose name ends in ~ is not the present one. */
    void name(String uid, String name, Map<String, String> containers) {
        Map<String, Pod.Container> named = new HashMap<>();
        containers.forEach((id, container) ->
                named.put(id, new Pod.Container(container.replace("~", ""), !container.endsWith("~"))));
        pods.put(uid, new Pod(uid, "shop", name, named));
        generation++;
    }

    /** A pod with one container in its spec. */
    void onlyContainer(String uid, String name, String id, String container) {
        pods.put(
                uid,
                new Pod(
                        uid,
                        "shop",
                        name,
                        Map.of(id, new Pod.Container(container, true)),
                        new Pod.Info("Burstable", PodPriority.NONE, container, false, null, PodResources.NONE)));
        generation++;
    }

    /** A pod of which the API says that none of its containers runs. */
    void waiting(String uid, String name) {
        pods.put(
                uid,
                new Pod(
                        uid,
                        "shop",
                        name,
                        Map.of(),
                        new Pod.Info("", PodPriority.NONE, "", true, null, PodResources.NONE)));
        generation++;
    }

    /** A pod of which the status says a QoS class. */
    void qosClass(String uid, String name, String qosClass) {
        pods.put(
                uid,
                new Pod(
                        uid,
                        "shop",
                        name,
                        Map.of(),
                        new Pod.Info(qosClass, PodPriority.NONE, "", false, null, PodResources.NONE)));
        generation++;
    }

    /** Whether what is read at this moment is that file of that cgroup. */
    boolean isReading(String cgroup, String file) {
        return reads.get(reads.size() - 1).equals("cgroup/" + cgroup + "/" + file);
    }

    /** Ticks, as once a second. */
    void tick() {
        now += SECOND;
        sampler.tick();
    }

    /** A second later, what a look at the model gives. */
    <R> R sample(NodeSampler.Look<R> look) {
        now += SECOND;
        return sampler.sample(look);
    }

    /** A second later, how many. */
    int count(NodeSampler.Look<Integer> look) {
        return sample(look);
    }

    /** Every container shown, by the name under which it is. */
    Map<String, ContainerState> shown() {
        return sample(model -> {
            Map<String, ContainerState> shown = new HashMap<>();
            for (ContainerState container : model.shownContainers()) {
                shown.put(container.toString(), container);
            }
            return shown;
        });
    }

    /** The only container there is. */
    ContainerState only() {
        Map<String, ContainerState> shown = shown();
        if (shown.size() != 1) {
            throw new AssertionError("not one: " + shown.keySet());
        }
        return shown.values().iterator().next();
    }

    Map<Kind, Long> errors() {
        Map<Kind, Long> all = new HashMap<>();
        for (ErrorCounts errors : List.of(sampler.readErrors(), sampler.malformedFiles())) {
            errors.forEach(all::put);
        }
        return all;
    }

    long openDescriptors() {
        return OpenDescriptors.under(directory);
    }

    /** As the agent itself counts them. */
    int keptDescriptors() {
        return posix.keptFiles() + posix.keptDirectories();
    }
}
