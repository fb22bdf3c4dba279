package io.kubepods.agent.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The interface files of a cgroup as kernel 6.12 prints them. See Documentation/admin-guide/cgroup-v2.rst. */
final class CgroupFiles {
    private static final String DISK = "259:0";
    private static final String CONTROLLERS = "cpuset cpu io memory pids";
    private static final List<String> SUBSYSTEMS =
            List.of("cpuset", "cpu", "io", "memory", "perf_event", "hugetlb", "pids", "rdma", "misc");
    private static final Set<String> ROOT_ONLY = Set.of("hugetlb", "rdma", "misc");
    /** Root's cpu.stat comes from /proc/stat, in ticks of CONFIG_HZ=250. */
    private static final long TICK_USEC = 4000;

    private final InPlaceFiles files;
    private final Path root;

    CgroupFiles(InPlaceFiles files, Path root) {
        this.files = files;
        this.root = root;
    }

    /** Writes the files of a cgroup and of all below it. */
    void write(Cgroup cgroup) throws IOException {
        Path directory = root.resolve("." + cgroup.path).normalize();
        if (cgroup.parent == null) {
            writeRoot(directory, cgroup);
        } else {
            writeCommon(directory, cgroup);
            writeCpu(directory, cgroup);
            writeMemory(directory, cgroup);
        }
        for (Cgroup child : cgroup.children) {
            write(child);
        }
    }

    /** The true root has no limits, no cgroup.events, no memory.current. */
    private void writeRoot(Path directory, Cgroup cgroup) throws IOException {
        FlatKeyed cpu = new Counts().cpu;
        for (String key : new String[] {"user_usec", "system_usec"}) {
            cpu.set(key, cgroup.total.cpu.get(key) / TICK_USEC * TICK_USEC);
        }
        cpu.set("usage_usec", cpu.get("user_usec") + cpu.get("system_usec"));
        put(directory, "cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc\n");
        put(directory, "cgroup.procs", "2\n");
        put(directory, "cgroup.stat", stat(cgroup));
        put(directory, "cgroup.subtree_control", CONTROLLERS + "\n");
        put(directory, "cpu.pressure", cgroup.cpuPressure.textWithoutFull());
        put(directory, "cpu.stat", cpu.text(' ', '\n'));
        put(directory, "cpu.stat.local", "throttled_usec 0\n");
        put(directory, "cpuset.cpus.effective", "0-" + (Host.CPUS - 1) + "\n");
        put(directory, "cpuset.mems.effective", "0\n");
        put(directory, "io.pressure", cgroup.ioPressure.text());
        put(directory, "io.stat", io(cgroup));
        put(directory, "memory.pressure", cgroup.memoryPressure.text());
        put(directory, "memory.stat", cgroup.total.memory.text(' ', '\n'));
    }

    private void writeCommon(Path directory, Cgroup cgroup) throws IOException {
        Counts total = cgroup.total;
        put(directory, "cgroup.controllers", CONTROLLERS + "\n");
        put(directory, "cgroup.events", "populated " + (total.threads > 0 ? 1 : 0) + "\nfrozen 0\n");
        put(directory, "cgroup.procs", procs(cgroup));
        put(directory, "cgroup.stat", stat(cgroup));
        put(directory, "cgroup.subtree_control", cgroup.path.endsWith(".slice") ? CONTROLLERS + "\n" : "");
        put(directory, "cgroup.type", "domain\n");
        put(directory, "io.pressure", cgroup.ioPressure.text());
        put(directory, "io.stat", io(cgroup));
        put(directory, "pids.current", total.threads + "\n");
        put(directory, "pids.events", "max 0\n");
        put(directory, "pids.max", orMax(cgroup.pidsMax) + "\n");
        put(directory, "pids.peak", cgroup.threadsPeak + "\n");
    }

    private void writeCpu(Path directory, Cgroup cgroup) throws IOException {
        put(directory, "cpu.idle", "0\n");
        put(directory, "cpu.max", orMax(cgroup.quotaUsec) + " " + Resources.PERIOD_USEC + "\n");
        put(directory, "cpu.max.burst", "0\n");
        put(directory, "cpu.pressure", cgroup.cpuPressure.text());
        put(directory, "cpu.stat", cgroup.total.cpu.text(' ', '\n'));
        put(directory, "cpu.stat.local", "throttled_usec " + cgroup.stalledUsec + "\n");
        put(directory, "cpu.weight", cgroup.cpuWeight + "\n");
    }

    private void writeMemory(Path directory, Cgroup cgroup) throws IOException {
        put(directory, "memory.current", cgroup.total.memoryCurrent + "\n");
        put(directory, "memory.events", cgroup.total.events.text(' ', '\n'));
        put(directory, "memory.events.local", cgroup.own.events.text(' ', '\n'));
        put(directory, "memory.high", orMax(cgroup.memoryHigh) + "\n");
        put(directory, "memory.low", "0\n");
        put(directory, "memory.max", orMax(cgroup.memoryMax) + "\n");
        put(directory, "memory.min", "0\n");
        put(directory, "memory.oom.group", (cgroup.oomGroup ? 1 : 0) + "\n");
        put(directory, "memory.peak", cgroup.memoryPeak + "\n");
        put(directory, "memory.pressure", cgroup.memoryPressure.text());
        put(directory, "memory.stat", cgroup.total.memory.text(' ', '\n'));
        put(directory, "memory.swap.current", "0\n");
        put(directory, "memory.swap.events", "high 0\nmax 0\nfail 0\n");
        put(directory, "memory.swap.max", cgroup.swapForbidden ? "0\n" : "max\n");
        put(directory, "memory.swap.peak", "0\n");
    }

    private void put(Path directory, String name, String text) throws IOException {
        files.put(directory.resolve(name), text);
    }

    private static String procs(Cgroup cgroup) {
        return cgroup.processes.stream().map(process -> process.pid() + "\n").collect(Collectors.joining());
    }

    private static String io(Cgroup cgroup) {
        FlatKeyed io = cgroup.total.io;
        return io.get("rios") + io.get("wios") == 0
                ? ""
                : DISK + " " + io.text('=', ' ').strip() + "\n";
    }

    private static String orMax(long limit) {
        return limit == 0 ? "max" : Long.toString(limit);
    }

    /** Three controllers are the root's alone, perf_event is everywhere and has no files. */
    private static String stat(Cgroup cgroup) {
        StringBuilder live = new StringBuilder("nr_descendants " + cgroup.total.descendants + "\n");
        StringBuilder dying = new StringBuilder("nr_dying_descendants 0\n");
        for (String name : SUBSYSTEMS) {
            boolean rootOnly = ROOT_ONLY.contains(name);
            int count = rootOnly ? (cgroup.parent == null ? 1 : 0) : cgroup.total.descendants + 1;
            live.append("nr_subsys_" + name + " " + count + "\n");
            dying.append("nr_dying_subsys_" + name + " 0\n");
        }
        return live.append(dying).toString();
    }
}
