package io.kubepods.model;

import static io.kubepods.PlainNode.containerPath;
import static io.kubepods.PlainNode.podPath;

import io.kubepods.PlainNode;
import io.kubepods.oom.OomCause;
import io.kubepods.oom.OomState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A node in plain files whose memory.events are counted as the kernel counts them. */
final class OomNode {
    static final String KUBEPODS = "kubepods.slice";
    static final String BURSTABLE = "kubepods.slice/kubepods-burstable.slice";
    /** The whole machine: its OOMs are counted nowhere. */
    static final String MACHINE = "";

    SampledNode node;
    private final Path directory;

    @Nullable
    OomState kept;

    private final Map<String, long[]> events = new HashMap<>();

    OomNode(Path directory) {
        this.directory = directory;
        node = new SampledNode(directory);
    }

    /** Makes a container whose OOMs take all of it, with the limits of its pod and its own. */
    String container(int pod, int container, String podLimit, String limit) {
        String path = containerPath(pod, container);
        node.files.cgroup(path);
        for (String at = path; !at.isEmpty(); at = above(at)) {
            events.computeIfAbsent(at, created -> new long[4]);
            write(at);
        }
        node.files.write(podPath(pod), "memory.max", podLimit + "\n");
        node.files.write(path, "memory.max", limit + "\n");
        node.files.write(path, "memory.oom.group", "1\n");
        return path;
    }

    /** Makes a sandbox that is a virtual machine. */
    void kata(int pod, int container) {
        String path = podPath(pod) + "/kata_" + PlainNode.id(container);
        node.files.cgroup(path);
        events.put(path, new long[4]);
        write(path);
    }

    private static String above(String path) {
        int end = path.lastIndexOf('/');
        return end < 0 ? "" : path.substring(0, end);
    }

    /** An OOM in the cgroup {@code domain}, with a victim in {@code container}, and its group if it has one. */
    void oom(String domain, String container, int processes, boolean group) {
        if (!domain.isEmpty()) {
            ooms(domain, 1);
        }
        victims(container, 1);
        if (group) {
            groupKill(container);
            victims(container, processes);
        }
    }

    /** An OOM at the container's own limit that takes all of it. */
    void ownLimit(String container, int processes) {
        oom(container, container, processes, true);
    }

    /** Makes a container that the API does not name, and kills it. */
    void killUnnamed(int pod, int number) {
        String path = container(pod, number, "max", "20971520");
        node.files.init(path, 300 + number, "java"); // no sandbox, wherever its inode stands
        shown();
        ownLimit(path, 1);
        settle();
    }

    /** A limit that was hit so often, with or without a victim. */
    void ooms(String domain, int times) {
        counts(domain)[0] += times;
        count(domain, 1, times);
    }

    void victims(String container, int processes) {
        count(container, 2, processes);
    }

    void groupKill(String container) {
        count(container, 3, 1);
    }

    /** memory.events of a cgroup and of all above; local events of the cgroup alone. */
    private void count(String cgroup, int event, int by) {
        for (String at = cgroup; !at.isEmpty(); at = above(at)) {
            counts(at)[event] += by;
            write(at);
        }
    }

    private long[] counts(String cgroup) {
        return Objects.requireNonNull(events.get(cgroup));
    }

    private void write(String cgroup) {
        long[] counts = counts(cgroup);
        String text = "low 0\nhigh 0\nmax 7\noom %d\noom_kill %d\noom_group_kill %d\n";
        node.files.write(cgroup, "memory.events", String.format(Locale.ROOT, text, counts[1], counts[2], counts[3]));
        node.files.write(cgroup, "memory.events.local", String.format(Locale.ROOT, text, counts[0], 0, 0));
    }

    /** The cgroup's id, the inode. */
    long idOf(String cgroup) {
        try {
            return (long) Files.getAttribute(node.files.cgroupfs.resolve(cgroup), "unix:ino");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void remove(String cgroup) {
        node.files.remove(cgroup);
        events.keySet().removeIf(path -> path.equals(cgroup) || path.startsWith(cgroup + "/"));
    }

    void tick() {
        node.tick();
        OomState state = node.sampler.takeState("boot");
        kept = state == null ? kept : state;
    }

    /** The agent ends, in the midst of whatever it does, and another begins with what was kept. */
    void restart() {
        SampledNode before = node;
        node = new SampledNode(directory);
        node.pods.putAll(before.pods);
        node.generation = before.generation;
        node.now = before.now;
        node.sampler.restore(Objects.requireNonNull(kept));
    }

    /** A tick at which a cgroup's memory.events cannot be read. */
    void tickWithout(String cgroup) {
        node.files.write(cgroup, "memory.events", "");
        tick();
        write(cgroup);
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    /** Enough for everything that has happened to be booked. */
    void settle() {
        ticks(5);
    }

    /** What is shown, as {@code pod/container kills cause=incidents …} without zeros; {@code pod kills …} of a pod. */
    Map<String, String> shown() {
        return node.sampler.sample(model -> {
            Map<String, String> shown = new HashMap<>();
            for (OomSeries ooms : model.containerOoms()) {
                shown.put(ooms.pod() + "/" + ooms.container(), text(ooms));
            }
            for (OomSeries ooms : model.podOoms()) {
                shown.put(ooms.pod(), text(ooms));
            }
            for (SliceState slice : model.shownSlices()) {
                StringBuilder text = new StringBuilder().append(slice.ooms().kills());
                for (OomCause cause : OomCause.values()) {
                    append(text, cause, slice.ooms().incidents(cause));
                }
                shown.put(slice.label(), text.toString());
            }
            return shown;
        });
    }

    private static String text(OomSeries ooms) {
        StringBuilder text = new StringBuilder().append(ooms.kills());
        for (OomCause cause : OomCause.values()) {
            append(text, cause, ooms.incidents(cause));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, OomCause cause, long incidents) {
        if (incidents != 0) {
            text.append(' ').append(cause.label()).append('=').append(incidents);
        }
    }
}
