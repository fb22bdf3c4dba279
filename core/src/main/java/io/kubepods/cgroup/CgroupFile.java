package io.kubepods.cgroup;

import io.kubepods.kernel.KernelFile;
import io.kubepods.kernel.KernelFile.Use;
import java.util.function.Supplier;

/**
 * The interface files that are read, one row each: its name, how often it is read, and what parses it. Any may be missing:
 * the controller is off, or the kernel is older.
 */
@SuppressWarnings("ImmutableEnumChecker") // a name's bytes and a constructor, neither ever changed
public enum CgroupFile {
    CPU_STAT("cpu.stat", Use.EVERY_TICK, () -> new FlatKeyed<>(CpuStat.KEYS)),
    MEMORY_EVENTS("memory.events", Use.EVERY_TICK, () -> new FlatKeyed<>(MemoryEvents.KEYS)),
    CPU_STAT_LOCAL("cpu.stat.local", Use.EVERY_SCRAPE, () -> new FlatKeyed<>(CpuStatLocal.KEYS)),
    CPU_MAX("cpu.max", Use.EVERY_SCRAPE, CpuMax::new),
    /** Microseconds that may be saved up over periods; since 5.14. */
    CPU_MAX_BURST("cpu.max.burst", Use.EVERY_SCRAPE, SingleValue::new),
    /** 1 to 10,000; 0 while cpu.idle is 1. */
    CPU_WEIGHT("cpu.weight", Use.EVERY_SCRAPE, SingleValue::new),
    /** Bytes, as all of memory.* without an own class. */
    MEMORY_CURRENT("memory.current", Use.EVERY_SCRAPE, SingleValue::new),
    /** Since 5.19. */
    MEMORY_PEAK("memory.peak", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_MAX("memory.max", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_HIGH("memory.high", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_LOW("memory.low", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_MIN("memory.min", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_STAT("memory.stat", Use.EVERY_SCRAPE, () -> new FlatKeyed<>(MemoryStat.KEYS)),
    MEMORY_EVENTS_LOCAL("memory.events.local", Use.EVERY_SCRAPE, () -> new FlatKeyed<>(MemoryEvents.KEYS)),
    MEMORY_SWAP_CURRENT("memory.swap.current", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_SWAP_MAX("memory.swap.max", Use.EVERY_SCRAPE, SingleValue::new),
    MEMORY_SWAP_EVENTS("memory.swap.events", Use.EVERY_SCRAPE, () -> new FlatKeyed<>(SwapEvents.KEYS)),
    /** 1 when the OOM killer takes all processes of the cgroup together. */
    MEMORY_OOM_GROUP("memory.oom.group", Use.EVERY_SCRAPE, SingleValue::new),
    CPU_PRESSURE("cpu.pressure", Use.EVERY_SCRAPE, Pressure::new),
    MEMORY_PRESSURE("memory.pressure", Use.EVERY_SCRAPE, Pressure::new),
    IO_PRESSURE("io.pressure", Use.EVERY_SCRAPE, Pressure::new),
    /** Threads, for all that the name says. */
    PIDS_CURRENT("pids.current", Use.EVERY_SCRAPE, SingleValue::new),
    PIDS_MAX("pids.max", Use.EVERY_SCRAPE, SingleValue::new),
    CGROUP_EVENTS("cgroup.events", Use.EVERY_SCRAPE, () -> new FlatKeyed<>(CgroupEvents.KEYS));

    private final KernelFile.Name fileName;
    private final String text;
    private final Use use;
    private final Supplier<InterfaceFile> parser;

    CgroupFile(String name, Use use, Supplier<InterfaceFile> parser) {
        this.fileName = new KernelFile.Name(name);
        this.text = name;
        this.use = use;
        this.parser = parser;
    }

    /** The file's name below the cgroup's directory. */
    public String fileName() {
        return text;
    }

    /** Whether it is a flat-keyed file, in which a newer kernel may have keys that are not known here. */
    public boolean hasKeys() {
        return newParser() instanceof FlatKeyed;
    }

    KernelFile.Name kernelName() {
        return fileName;
    }

    Use use() {
        return use;
    }

    InterfaceFile newParser() {
        return parser.get();
    }
}
