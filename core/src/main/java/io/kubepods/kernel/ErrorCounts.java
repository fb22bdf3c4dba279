package io.kubepods.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What went wrong with which kind of file: counted by file name and kind, logged at the first of each pair and then once
 * an hour, however often it happens.
 *
 * <p>Safe for use by several threads.
 */
public final class ErrorCounts {
    private static final Logger log = LoggerFactory.getLogger(ErrorCounts.class);

    /** A file's name, and what was wrong with it: the name of an errno, or {@code malformed}. */
    public record Kind(String file, String problem) {}

    /** Receives one kind of error with its count. */
    @FunctionalInterface
    public interface Each {
        void count(Kind kind, long errors);
    }

    private static final class Seen {
        final OncePerHour logged = new OncePerHour();
        long count;
    }

    private final String metric;
    private final Map<Kind, Seen> seen = new LinkedHashMap<>();

    /** @param metric the name under which these counts are exported, for the log line */
    public ErrorCounts(String metric) {
        this.metric = metric;
    }

    /**
     * @param file the file's name, the same for all cgroups: cpu.stat, oom_score_adj
     * @param path what was read, for the log line only
     * @param now {@link System#nanoTime()}
     */
    public synchronized void count(String file, String problem, Object path, long now) {
        Kind kind = new Kind(file, problem);
        Seen errors = seen.get(kind);
        if (errors == null) {
            errors = new Seen();
            seen.put(kind, errors);
        }
        errors.count++;
        if (errors.logged.isDue(now)) {
            log.warn(
                    "{}: {}. Others of this kind are counted in {} without a log line for an hour.",
                    path,
                    problem,
                    metric);
        }
    }

    /** How often this happened. */
    public synchronized long count(Kind kind) {
        Seen errors = seen.get(kind);
        return errors == null ? 0 : errors.count;
    }

    public synchronized void forEach(Each each) {
        seen.forEach((kind, errors) -> each.count(kind, errors.count));
    }
}
