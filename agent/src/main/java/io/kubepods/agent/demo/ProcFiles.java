package io.kubepods.agent.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The files below /proc as kernel 6.12 prints them, in part. See Documentation/filesystems/proc.rst. */
final class ProcFiles {
    private static final long PAGE = Resources.PAGE;
    private static final int USER_HZ = 100;
    private static final long USEC_PER_TICK = 1_000_000 / USER_HZ;

    /** Of its 52 fields: pid, comm, parent, faults, CPU ticks, threads, start, sizes. */
    private static final String STAT =
            "%1$d (%2$s) S %3$d %1$d %1$d 0 -1 4194560 %4$d 0 %5$d 0 %6$d %7$d 0 0 20 0 %8$d 0 %9$d %10$d %11$d "
                    + Long.toUnsignedString(-1)
                    + " 0 0 0 0 0 0 0 4096 17663 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    /** {@code %4$s} is empty or the pid inside the container; sizes are in kB. */
    private static final String STATUS = """
            Name:\t%1$s
            Umask:\t0022
            State:\tS (sleeping)
            Tgid:\t%2$d
            Ngid:\t0
            Pid:\t%2$d
            PPid:\t%3$d
            TracerPid:\t0
            Uid:\t0\t0\t0\t0
            Gid:\t0\t0\t0\t0
            NStgid:\t%2$d%4$s
            NSpid:\t%2$d%4$s
            NSpgid:\t%2$d%4$s
            NSsid:\t%2$d%4$s
            Kthread:\t0
            VmSize:\t%5$8d kB
            VmRSS:\t%6$8d kB
            RssAnon:\t%7$8d kB
            RssFile:\t%8$8d kB
            RssShmem:\t       0 kB
            VmSwap:\t       0 kB
            Threads:\t%9$d
            """;

    private final InPlaceFiles files;
    private final Path proc;

    ProcFiles(InPlaceFiles files, Path proc) {
        this.files = files;
        this.proc = proc;
    }

    /** Writes the files of all processes in a cgroup and below it. */
    void writeProcesses(Cgroup cgroup) throws IOException {
        for (DemoProcess process : cgroup.processes) {
            write(process, cgroup);
        }
        for (Cgroup child : cgroup.children) {
            writeProcesses(child);
        }
    }

    /** A cgroup's processes share evenly in what it holds and has used. */
    private void write(DemoProcess process, Cgroup cgroup) throws IOException {
        int pid = process.pid();
        int parent = process.parentPid();
        String name = process.name();
        String inside = process.namespacePid() == 0 ? "" : "\t" + process.namespacePid();
        int processes = cgroup.processes.size();
        FlatKeyed memory = cgroup.own.memory;
        long anon = memory.get("anon") / processes;
        long file = memory.get("file_mapped");
        long rssPages = (anon + file) / PAGE;
        long virtual = (64 << 20) + cgroup.memoryPeak * 2;
        long minor = memory.get("pgfault") / processes;
        long major = memory.get("pgmajfault") / processes;
        long user = cgroup.own.cpu.get("user_usec") / processes / USEC_PER_TICK;
        long system = cgroup.own.cpu.get("system_usec") / processes / USEC_PER_TICK;
        int threads = process.threads();
        long started = process.startedUsec() / USEC_PER_TICK;

        put(pid, "cgroup", "0::%s\n", cgroup.path);
        put(pid, "comm", "%s\n", name);
        put(pid, "oom_score", "%d\n", oomScore(process.oomScoreAdj(), rssPages));
        put(pid, "oom_score_adj", "%d\n", process.oomScoreAdj());
        put(pid, "stat", STAT, pid, name, parent, minor, major, user, system, threads, started, virtual, rssPages);
        put(
                pid,
                "status",
                STATUS,
                name,
                pid,
                parent,
                inside,
                kb(virtual),
                kb(anon + file),
                kb(anon),
                kb(file),
                threads);
    }

    private void put(Object directory, String name, String format, Object... arguments) throws IOException {
        Path file = proc.resolve(directory.toString()).resolve(name);
        files.put(file, String.format(Locale.ROOT, format, arguments));
    }

    private static long kb(long bytes) {
        return bytes / 1024;
    }

    /** As fs/proc/base.c computes it: 0 to about 2000. */
    private static long oomScore(int adj, long rssPages) {
        long totalPages = Host.MEMORY / PAGE;
        return (1000 + (rssPages + adj * totalPages / 1000) * 1000 / totalPages) * 2 / 3;
    }

    void writeNode(Host host, Cgroup root) throws IOException {
        FlatKeyed cpu = root.total.cpu;
        long idleTicks = (host.uptimeUsec() * Host.CPUS - cpu.get("usage_usec")) / USEC_PER_TICK;
        put("", "meminfo", "%s", meminfo(root.total.memory));
        put(
                "",
                "vmstat",
                "pgfault %d\noom_kill %d\n",
                root.total.memory.get("pgfault"),
                root.total.events.get("oom_kill"));
        put("", "stat", "%s", nodeStat(host, cpu, idleTicks));
        put("", "uptime", "%.2f %.2f\n", host.uptimeUsec() / 1e6, idleTicks / (double) USER_HZ);
        put("sys/kernel", "osrelease", "6.12.117+deb12-cloud-amd64\n");
        put("sys/kernel/random", "boot_id", "%s\n", host.bootId);
    }

    private static String nodeStat(Host host, FlatKeyed cpu, long idleTicks) {
        long user = cpu.get("user_usec") / USEC_PER_TICK;
        long system = cpu.get("system_usec") / USEC_PER_TICK;
        StringBuilder text = new StringBuilder("cpu  " + user + " 0 " + system + " " + idleTicks + " 0 0 0 0 0 0\n");
        for (int i = 0; i < Host.CPUS; i++) {
            text.append("cpu" + i + " " + user / Host.CPUS + " 0 " + system / Host.CPUS + " ");
            text.append(idleTicks / Host.CPUS + " 0 0 0 0 0 0\n");
        }
        text.append("btime " + host.bootedAt.getEpochSecond() + "\n");
        return text.append("procs_running 1\nprocs_blocked 0\n").toString();
    }

    private static String meminfo(FlatKeyed memory) {
        long cache = memory.get("active_file") + memory.get("inactive_file");
        long free = Host.MEMORY - memory.get("anon") - memory.get("file") - memory.get("kernel");
        StringBuilder text = new StringBuilder();
        meminfo(text, "MemTotal", Host.MEMORY);
        meminfo(text, "MemFree", free);
        meminfo(text, "MemAvailable", free + cache / 2);
        meminfo(text, "Buffers", 0);
        meminfo(text, "Cached", memory.get("file"));
        meminfo(text, "SwapTotal", 0);
        meminfo(text, "SwapFree", 0);
        meminfo(text, "AnonPages", memory.get("anon"));
        meminfo(text, "Shmem", memory.get("shmem"));
        meminfo(text, "Slab", memory.get("slab"));
        return text.toString();
    }

    private static void meminfo(StringBuilder text, String key, long bytes) {
        text.append(String.format(Locale.ROOT, "%-16s%8d kB\n", key + ":", kb(bytes)));
    }
}
