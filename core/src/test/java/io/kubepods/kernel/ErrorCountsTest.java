package io.kubepods.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kubepods.kernel.ErrorCounts.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorCountsTest {
    private final ErrorCounts errors = new ErrorCounts("errors_total");

    private Map<Kind, Long> all() {
        Map<Kind, Long> all = new HashMap<>();
        errors.forEach(all::put);
        return all;
    }

    @Test
    void countedByFileAndProblem() {
        assertEquals(Map.of(), all());
        errors.count("cpu.stat", "EIO", "/a/cpu.stat", 0);
        errors.count("cpu.stat", "EIO", "/b/cpu.stat", 1);
        errors.count("cpu.stat", "EACCES", "/a/cpu.stat", 2);
        errors.count("cpu.max", "EIO", "/a/cpu.max", 3);
        assertEquals(
                Map.of(
                        new Kind("cpu.stat", "EIO"), 2L,
                        new Kind("cpu.stat", "EACCES"), 1L,
                        new Kind("cpu.max", "EIO"), 1L),
                all());
        assertEquals(2, errors.count(new Kind("cpu.stat", "EIO")));
        assertEquals(0, errors.count(new Kind("cpu.stat", "EPIPE")));
    }

    @Test
    void countedWhateverTheClockSays() {
        for (long now : new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE, -1, 3_600_000_000_000L}) {
            errors.count("cpu.stat", "EIO", "/a", now);
        }
        assertEquals(5, errors.count(new Kind("cpu.stat", "EIO")));
    }

    @Test
    void countedByManyThreads() {
        IntStream.range(0, 40_000).parallel().forEach(i -> errors.count("file" + i % 4, "EIO", List.of(), i));
        assertEquals(
                Map.of(
                        new Kind("file0", "EIO"), 10_000L,
                        new Kind("file1", "EIO"), 10_000L,
                        new Kind("file2", "EIO"), 10_000L,
                        new Kind("file3", "EIO"), 10_000L),
                all());
    }

    @ParameterizedTest
    @CsvSource({
        "2, ENOENT",
        "5, EIO",
        "13, EACCES",
        "19, ENODEV",
        "95, EOPNOTSUPP",
        "1, EPERM",
        "123, errno 123",
        "0, errno 0"
    })
    void names(int errno, String name) {
        assertEquals(name, Errno.name(errno));
    }
}
