package io.kubepods.agent.demo;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A container through its lives: each has an id, a scope and processes of its own, and the pod outlasts them. */
final class DemoContainer {
    /** From one id's start to its end. */
    record Run(String id, Instant startedAt, @Nullable Instant finishedAt) {}

    private enum Phase {
        RUNNING,
        /** No process is left, and the runtime has not removed the scope yet. */
        KILLED,
        REMOVED
    }

    private static final long PERIOD_USEC = Resources.PERIOD_USEC;
    private static final double PERIODS_PER_SECOND = 1e6 / PERIOD_USEC;

    final ContainerSpec spec;
    final String image;
    final String imageId;
    private final Host host;
    private final Cgroup pod;
    private final int shimPid;
    private final int oomScoreAdj;

    private Phase phase = Phase.REMOVED;
    private Cgroup scope;
    private ContainerMemory memory;
    private Run run;
    private @Nullable Run previousRun;
    private int restarts;
    private long restartInUsec;
    private long ageUsec;

    /** CPU time it wants and has not had yet. */
    private long backlogUsec;

    private long wantPerSecond;
    private boolean ranInLastPeriod;

    DemoContainer(ContainerSpec spec, Host host, Cgroup pod, int shimPid, int oomScoreAdj) {
        this.spec = spec;
        this.image = "registry.example/" + spec.name() + ":1.4.2";
        this.imageId = "sha256:" + host.hex(64);
        this.host = host;
        this.pod = pod;
        this.shimPid = shimPid;
        this.oomScoreAdj = oomScoreAdj;
        run = newRun();
        scope = start();
        memory = new ContainerMemory(pod, scope);
    }

    /** Says whether the pod's status changed. */
    boolean advance(long usec) {
        switch (phase) {
            case RUNNING -> {
                ageUsec += usec;
                spec.workload().advance(this, usec);
                return false;
            }
            case KILLED -> {
                scope.remove();
                phase = Phase.REMOVED;
                // As with the kubelet's crashLoopBackOff.maxContainerRestartPeriod at its least, so that there is much
                // to see.
                restartInUsec = 1_000_000L * (1 + host.random.nextInt(3));
                return true;
            }
            default -> {
                restartInUsec -= usec;
                if (restartInUsec > 0) {
                    return false;
                }
                previousRun = run;
                restarts++;
                run = newRun();
                scope = start();
                memory = new ContainerMemory(pod, scope);
                return true;
            }
        }
    }

    private Run newRun() {
        return new Run(host.hex(64), host.now(), null);
    }

    private Cgroup start() {
        Cgroup started = pod.child("cri-containerd-" + run.id + ".scope");
        boolean isSandbox = spec.workload() == Workload.PAUSE;
        started.limit(spec.resources(), spec.resources().scopeWeight());
        started.oomGroup = !isSandbox;
        started.swapForbidden = !isSandbox;
        if (spec.workload() == Workload.LIGHT) {
            // The kubelet sets neither by default; a plug-in of the runtime does, so that they are seen here too.
            started.memoryHigh = started.memoryMax / 2;
            started.pidsMax = 256;
        }
        int firstPid = host.nextPid();
        for (int i = 0; i < spec.processes(); i++) {
            started.processes.add(new DemoProcess(
                    spec.command(),
                    i == 0 ? firstPid : host.nextPid(),
                    i == 0 ? 1 : 6 + i,
                    i == 0 ? shimPid : firstPid,
                    i == 0 ? spec.threads() : 1,
                    oomScoreAdj,
                    host.uptimeUsec()));
        }
        long file = isSandbox ? 0 : 4L << 20;
        started.hold(spec.anonMi() << 20, file, file / 2, 0);
        started.own.io.add("rbytes", file);
        started.own.io.add("rios", file >> 17);
        started.run(isSandbox ? 9000 : 30_000);
        ageUsec = 0;
        backlogUsec = 0;
        phase = Phase.RUNNING;
        return started;
    }

    void want(long usec) {
        backlogUsec += usec;
    }

    /** Spread over the periods to come. */
    void wantPerSecond(long usec) {
        wantPerSecond = usec;
    }

    void oomKill() {
        List<DemoProcess> killed = List.copyOf(scope.processes);
        long anonKb = scope.own.memory.get("anon") >> 10;
        log(memory.oomKill(18 + host.random.nextInt(20)), killed, anonKb);
        backlogUsec = 0;
        wantPerSecond = 0;
        run = new Run(run.id, run.startedAt, host.now());
        phase = Phase.KILLED;
    }

    /** What Linux 6.12 writes of a group kill, without the stack and the tables. */
    private void log(Cgroup limiting, List<DemoProcess> killed, long anonKb) {
        DemoProcess victim = killed.get(0);
        String path = scope.path;
        host.log(
                4,
                victim.name() + " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj="
                        + oomScoreAdj);
        logMemory(limiting);
        host.log(
                6,
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-" + run.id
                        + ".scope,mems_allowed=0,oom_memcg=" + limiting.path + ",task_memcg=" + path + ",task="
                        + victim.name() + ",pid=" + victim.pid() + ",uid=1000");
        logKill(victim, anonKb);
        host.log(6, "Tasks in " + path + " are going to be killed due to memory.oom.group set");
        for (DemoProcess process : killed) {
            logKill(process, process.pid() == victim.pid() ? anonKb : 512);
        }
    }

    private void logMemory(Cgroup limiting) {
        long limitKb = limiting.memoryMax >> 10;
        long failures = limiting.own.events.get("max");
        host.log(6, "memory: usage " + limitKb + "kB, limit " + limitKb + "kB, failcnt " + failures);
        host.log(6, "swap: usage 0kB, limit 0kB, failcnt 0");
        host.log(6, "Memory cgroup stats for " + limiting.path + ":");
        for (String key : List.of("anon", "file", "kernel", "shmem")) {
            host.log(6, key + " " + limiting.total.memory.get(key));
        }
    }

    private void logKill(DemoProcess process, long anonKb) {
        host.log(
                3,
                "Memory cgroup out of memory: Killed process " + process.pid() + " (" + process.name() + ") total-vm:"
                        + (2 * anonKb + 4096) + "kB, anon-rss:" + anonKb
                        + "kB, file-rss:2048kB, shmem-rss:0kB, UID:1000 pgtables:"
                        + (anonKb / 500 + 40) + "kB oom_score_adj:" + oomScoreAdj);
    }

    ContainerMemory memory() {
        return memory;
    }

    /** Whether a moment that comes once per period, first at {@code first}, lies in the last {@code usec}. */
    boolean passes(long first, long period, long usec) {
        return Math.floorDiv(ageUsec - first, period) > Math.floorDiv(ageUsec - usec - first, period);
    }

    double random(double bound) {
        return host.random.nextDouble() * bound;
    }

    long ageUsec() {
        return ageUsec;
    }

    /**
     * Runs for one period of the quota's timer, which is armed until a period passes without work. Gives for how long
     * it was held back. Where the pod has the very same quota, most of that time is booked on the pod, as measured on
     * 6.12.
     */
    long runPeriod(boolean podHasSameQuota) {
        if (phase != Phase.RUNNING) {
            return 0;
        }
        backlogUsec += (long) (wantPerSecond / PERIODS_PER_SECOND * (0.5 + random(1)));
        long quota = scope.quotaUsec == 0 ? PERIOD_USEC : scope.quotaUsec;
        long ran = Math.min(Math.min(backlogUsec, quota), PERIOD_USEC);
        boolean throttled = scope.quotaUsec > 0 && backlogUsec > quota;
        long stalled = throttled ? Math.max(0, PERIOD_USEC - ran - (long) random(800)) : 0;
        backlogUsec -= ran;
        scope.run(ran);
        scope.cpuPressure.stall(stalled + ran / 64, stalled + ran / 128);
        if (scope.quotaUsec > 0) {
            scope.own.cpu.add("nr_periods", ran > 0 || ranInLastPeriod ? 1 : 0);
            scope.own.cpu.add("nr_throttled", throttled ? 1 : 0);
            scope.own.cpu.add("throttled_usec", podHasSameQuota ? stalled * 19 / 100 : stalled);
            scope.stalledUsec += stalled;
        }
        ranInLastPeriod = ran > 0;
        return stalled;
    }

    boolean ranInLastPeriod() {
        return ranInLastPeriod;
    }

    Run run() {
        return run;
    }

    @Nullable
    Run previousRun() {
        return previousRun;
    }

    int restarts() {
        return restarts;
    }
}
