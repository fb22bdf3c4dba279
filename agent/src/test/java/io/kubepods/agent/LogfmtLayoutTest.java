package io.kubepods.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogfmtLayoutTest {
    private static String line(String message, @Nullable Throwable thrown) {
        Logger logger = new LoggerContext().getLogger("io.kubepods.kernel.ErrorCounts");
        LoggingEvent event = new LoggingEvent("", logger, Level.WARN, message, thrown, null);
        event.setInstant(Instant.parse("2026-11-30T21:00:00Z"));
        return new LogfmtLayout().doLayout(event);
    }

    @Test
    void isOneLineHoweverTheMessageLooks() {
        assertEquals(
                "time=2026-11-30T21:00:00Z level=warn source=ErrorCounts msg=\"a \\\"b\\\"\\n\\\\ \\u001b[0m ä\"\n",
                line("a \"b\"\n\\ \u001b[0m ä", null));
    }

    @Test
    void hasTheStackTraceInTheSameLine() {
        String line = line("failed", new IllegalStateException("on purpose"));
        assertEquals(1, line.lines().count());
        assertTrue(line.contains("err=\"java.lang.IllegalStateException: on purpose\\n"), line);
    }
}
