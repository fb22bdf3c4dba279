package io.kubepods.agent.demo;

/** What a container does with its CPU and memory. */
enum Workload {
    /** Wants a whole CPU at any time, and is held back in every period. */
    SPIN,
    /** Idle but for 400 ms of work every 20 s: a 5-minute rate hides that it is held back then. */
    BURST,
    /** A heap that fills, and is collected every 12 s, just below the memory limit, which it touches now and then. */
    JVM,
    /** Leaks until the kernel kills it: with the limits here after 15 to 35 s. */
    LEAK,
    /** Reads far more than fits: its page cache is always at the limit and always reclaimed, and nobody is killed. */
    CACHE,
    /** Serves a steady load well within its limits. */
    CALM,
    /** Hardly there. */
    LIGHT,
    /** The sandbox container: sleeps for ever. */
    PAUSE;

    private static final long SECOND = 1_000_000;
    private static final double MEBI_PER_USEC = (1 << 20) / 1e6;

    void advance(DemoContainer container, long usec) {
        ContainerMemory memory = container.memory();
        switch (this) {
            case SPIN -> container.want(usec);
            case BURST -> {
                if (container.passes(5 * SECOND, 20 * SECOND, usec)) {
                    container.want(400_000);
                } else if (container.passes(0, SECOND, usec)) {
                    container.want(900);
                }
            }
            case JVM -> {
                double filled = container.ageUsec() % (12 * SECOND) / (12.0 * SECOND);
                memory.holdAnon(container.spec.resources().memoryMax() * (0.912 + 0.05 * filled));
                if (filled > 0.8) {
                    memory.reclaim((long) (16 + container.random(64)), container.random(0.05) * usec);
                }
                container.wantPerSecond(260_000);
            }
            case LEAK -> {
                container.wantPerSecond(60_000);
                if (!memory.growAnon(11 * MEBI_PER_USEC * usec)) {
                    container.oomKill();
                }
            }
            case CACHE -> {
                container.wantPerSecond(180_000);
                memory.readFiles((45 + container.random(20)) * MEBI_PER_USEC * usec);
            }
            case CALM, LIGHT -> {
                container.wantPerSecond(this == CALM ? 30_000 : 2000);
                double swing = 0.06 * Math.sin(container.ageUsec() / 4e6) + container.random(0.02);
                memory.holdAnon((container.spec.anonMi() << 20) * (1 + swing));
            }
            case PAUSE -> {}
        }
    }
}
