package io.kubepods.agent.demo;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One *.pressure file: {@code some avg10=37.27 avg60=8.04 avg300=1.73 total=6315536} and the same for {@code full}.
 * See Documentation/accounting/psi.rst.
 */
final class Pressure {
    private static final double[] WINDOWS_USEC = {10e6, 60e6, 300e6};

    private final Line some = new Line();
    private final Line full = new Line();

    /** A stall in a leaf; of it, {@code fullUsec} had nothing else to run. What exceeds the tick goes to the next. */
    void stall(long someUsec, long fullUsec) {
        some.pendingUsec += someUsec;
        full.pendingUsec += fullUsec;
    }

    /** Ends a tick of a leaf. */
    void settle(long usec) {
        some.settle(usec, Math.min((double) usec, some.pendingUsec));
        full.settle(usec, Math.min(some.share * usec, full.pendingUsec));
    }

    /**
     * Ends a tick of an inner cgroup, whose children stall independently of each other: it stalls while any child does,
     * fully while none runs and at least one is not idle.
     */
    void settle(long usec, List<Cgroup> children, Function<Cgroup, Pressure> pressure) {
        double nobodyStalls = 1;
        double nobodyRuns = 1;
        double allIdle = 1;
        for (Cgroup child : children) {
            Pressure ofChild = pressure.apply(child);
            double runs = Math.min(child.running, 1 - ofChild.full.share);
            nobodyStalls *= 1 - ofChild.some.share;
            nobodyRuns *= 1 - runs;
            allIdle *= Math.max(0, 1 - runs - ofChild.full.share);
        }
        some.settle(usec, (1 - nobodyStalls) * usec);
        full.settle(usec, Math.max(0, Math.min(some.share, nobodyRuns - allIdle)) * usec);
    }

    /** The root cgroup's cpu.pressure counts no full stalls. */
    String textWithoutFull() {
        return some.text("some") + new Line().text("full");
    }

    String text() {
        return some.text("some") + full.text("full");
    }

    private static final class Line {
        private final double[] averages = new double[WINDOWS_USEC.length];
        private double totalUsec;
        private double pendingUsec;
        private double share;

        void settle(long usec, double stalledUsec) {
            pendingUsec = Math.max(0, pendingUsec - stalledUsec);
            totalUsec += stalledUsec;
            share = usec == 0 ? 0 : stalledUsec / usec;
            for (int i = 0; i < averages.length; i++) {
                averages[i] = share + (averages[i] - share) * Math.exp(-usec / WINDOWS_USEC[i]);
            }
        }

        String text(String kind) {
            return String.format(
                    Locale.ROOT,
                    "%s avg10=%.2f avg60=%.2f avg300=%.2f total=%d\n",
                    kind,
                    100 * averages[0],
                    100 * averages[1],
                    100 * averages[2],
                    (long) totalUsec);
        }
    }
}
