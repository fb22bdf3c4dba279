package io.kubepods.agent.metrics;

import io.kubepods.cgroup.CgroupFile;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.model.NodeModel;
import io.kubepods.model.NodeSampler;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The agent's own metrics, and its JVM's.
 *
 * <pre>
 * kubepods_agent_cgroups 212.0
 * kubepods_agent_read_errors_total{errno="EIO",file="memory.stat"} 3.0
 * </pre>
 */
public final class AgentMetrics implements AutoCloseable {
    private static final String LAST_POD_EVENT = "kubepods.agent.pod.watch.last.event.timestamp";

    private final MeterRegistry registry;
    private final NodeSampler sampler;
    /** What has a series since it was met. */
    private final Set<String> registered = new HashSet<>();

    /** Micrometer itself holds what it counts weakly. */
    private final List<DoubleSupplier> held = new ArrayList<>();

    private final JvmGcMetrics gc = new JvmGcMetrics();
    private LongSupplier lastPodEvent = () -> 0;
    private volatile int podsQosMismatched;

    public AgentMetrics(MeterRegistry registry, NodeSampler sampler, String version) {
        this.registry = registry;
        this.sampler = sampler;
        // Names that `promtool check metrics` complains of; process_cpu_seconds_total takes the place of the first.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        Gauge.builder("kubepods.agent.build.info", () -> 1)
                .description("1, with the agent's version and its JVM's.")
                .tag("version", version)
                .tag("java_version", System.getProperty("java.version", ""))
                .register(registry);
        status("cgroups", "Cgroups known, outside and inside the kubepods trees.", NodeSampler.Status::cgroups);
        status(
                "kubepods_trees",
                "Directories found that are a kubelet's root for pods; 0 means that no kubelet has made one yet.",
                NodeSampler.Status::kubepodsTrees);
        status(
                "cgroups_unknown",
                "Directories in kubepods trees that are like nothing this agent knows.",
                NodeSampler.Status::unknownCgroups);
        status(
                "cgroups_unnamed",
                "Containers that are served under their id, because nothing has named them yet.",
                NodeSampler.Status::unnamedContainers);
        Gauge.builder("kubepods.agent.pods.qos.mismatched", () -> podsQosMismatched)
                .description("Pods whose status says another QoS class than their cgroup's place.")
                .register(registry);
        status("open_files", "Descriptors of interface files kept open.", NodeSampler.Status::openFiles);
        status(
                "open_files_limit",
                "Descriptors of interface files that may be kept open; beyond it each read opens its file.",
                NodeSampler.Status::openFilesLimit);
        status("open_directories", "Descriptors of cgroup directories kept open.", NodeSampler.Status::openDirectories);
        hidden("cgroup_namespace", status -> status.hiddenByCgroupNamespace() ? 1 : 0);
        hidden("pid_namespace", status -> status.hiddenByPidNamespace() ? 1 : 0);
        for (CgroupFile file : CgroupFile.values()) {
            if (!file.hasKeys()) {
                continue;
            }
            Gauge.builder("kubepods.agent.unknown.keys", sampler, s -> s.unknownKeys(file))
                    .description("The most keys found in one interface file that this agent does not know.")
                    .tag("file", file.fileName())
                    .register(registry);
        }
        process();
        gc.bindTo(registry);
    }

    /** The JVM and its process, as Micrometer names them. */
    private void process() {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator) {
            // Not Micrometer's own binder of these: it has no help texts, and promtool complains.
            Gauge.builder(
                            "netty.allocator.direct.memory",
                            allocator,
                            a -> a.metric().usedDirectMemory())
                    .description("Direct memory that Netty's buffers take.")
                    .baseUnit("bytes")
                    .register(registry);
        }
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), AgentMetrics::cpuSeconds)
                .description("CPU time used by this process.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    private void status(String name, String help, ToDoubleFunction<NodeSampler.Status> value) {
        Gauge.builder("kubepods.agent." + name, sampler, s -> value.applyAsDouble(s.status()))
                .description(help)
                .register(registry);
    }

    private void hidden(String by, ToDoubleFunction<NodeSampler.Status> value) {
        Gauge.builder("kubepods.agent.hidden", sampler, s -> value.applyAsDouble(s.status()))
                .description("1 when a namespace of the agent's own hides the node from it.")
                .tag("by", by)
                .register(registry);
    }

    /** Times the reading of the node's files. */
    public Timer scanDuration() {
        return Timer.builder("kubepods.agent.scan.duration")
                .description("How long a tick took: looking what is there, and reading what is read every time.")
                .register(registry);
    }

    public void tickLag(DoubleSupplier seconds) {
        Gauge.builder("kubepods.agent.tick.lag", seconds::getAsDouble)
                .description("How late the last tick began.")
                .baseUnit("seconds")
                .register(registry);
    }

    /** @param lost negative when it is not read */
    public void kernelLog(BooleanSupplier up, LongSupplier lost) {
        Gauge.builder("kubepods.agent.kmsg.up", () -> up.getAsBoolean() ? 1 : 0)
                .description("1 while the kernel log is read, which tells the victims of OOMs and whose limit was hit.")
                .register(registry);
        if (lost.getAsLong() >= 0) {
            errors(
                    "kmsg.records.lost",
                    "Records of the kernel log that were overwritten before they were read.",
                    lost::getAsLong);
        }
    }

    /** A count of something that went wrong. */
    public void errors(String name, String help, DoubleSupplier count) {
        held.add(count);
        FunctionCounter.builder("kubepods.agent." + name, count, DoubleSupplier::getAsDouble)
                .description(help)
                .register(registry);
    }

    /** @param lastEventMillis milliseconds since 1970; 0 before the first, which is no series */
    public void podWatch(BooleanSupplier up, LongSupplier lastEventMillis) {
        Gauge.builder("kubepods.agent.pod.watch.up", () -> up.getAsBoolean() ? 1 : 0)
                .description("1 while the watch of pods on the API server is established.")
                .register(registry);
        lastPodEvent = lastEventMillis;
    }

    public void podWatchErrors(String reason, DoubleSupplier count) {
        held.add(count);
        FunctionCounter.builder("kubepods.agent.pod.watch.errors", count, DoubleSupplier::getAsDouble)
                .description(
                        "Times something went wrong with the API server; names stay as they were, and it is tried again.")
                .tag("reason", reason)
                .register(registry);
    }

    /**
     * Looks at what is not looked at all the time, and makes a series of every kind of error that has been met by now; to be
     * called before each exposition.
     */
    public void update() {
        podsQosMismatched = sampler.sample(NodeModel::podsQosMismatched);
        if (lastPodEvent.getAsLong() > 0 && registered.add(LAST_POD_EVENT)) {
            Gauge.builder(LAST_POD_EVENT, () -> lastPodEvent.getAsLong() / 1e3)
                    .description(
                            "When the API server was last heard of: a list, an event, or a bookmark, about once a minute.")
                    .baseUnit("seconds")
                    .register(registry);
        }
        register(
                sampler.readErrors(),
                "read.errors",
                "Reads that failed for another reason than a file or cgroup not being there.",
                true);
        register(
                sampler.malformedFiles(),
                "malformed.files",
                "Interface files with something in them that no kernel writes; what could not be read of them is absent.",
                false);
    }

    private void register(ErrorCounts errors, String name, String help, boolean withErrno) {
        errors.forEach((kind, count) -> {
            if (!registered.add(name + kind)) {
                return;
            }
            Tags tags = Tags.of("file", kind.file());
            FunctionCounter.builder("kubepods.agent." + name, errors, e -> e.count(kind))
                    .description(help)
                    .tags(withErrno ? tags.and("errno", kind.problem()) : tags)
                    .register(registry);
        });
    }

    @Override
    public void close() {
        gc.close();
    }
}
