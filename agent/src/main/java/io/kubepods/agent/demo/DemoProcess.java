package io.kubepods.agent.demo;

/** A process; {@code namespacePid} is its pid inside the container, 0 for one of the node itself. */
record DemoProcess(
        String name, int pid, int namespacePid, int parentPid, int threads, int oomScoreAdj, long startedUsec) {}
