package io.kubepods.agent.kube;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes down how long the watcher would wait, and has it wait for a small part of that. */
final class Pauses implements PodWatcher.Pause {
    private final List<Duration> asked = new CopyOnWriteArrayList<>();
    private final int faster;

    /** A hundredth. */
    Pauses() {
        this(100);
    }

    /** @param faster how many times */
    Pauses(int faster) {
        this.faster = faster;
    }

    @Override
    public void pause(Duration time, CountDownLatch closed) throws InterruptedException {
        asked.add(time);
        if (!closed.await(time.dividedBy(faster).toNanos(), TimeUnit.NANOSECONDS)) {
            Thread.onSpinWait();
        }
    }

    List<Duration> asked() {
        return asked;
    }

    Duration total() {
        return asked.stream().reduce(Duration.ZERO, Duration::plus);
    }
}
