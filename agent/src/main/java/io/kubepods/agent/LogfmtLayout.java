package io.kubepods.agent;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.util.Locale;

/**
 * One event, one line, as node_exporter writes them:
 *
 * <pre>
 * time=2026-11-30T21:00:00.000Z level=warn source=ErrorCounts msg="/sys/fs/cgroup/…/memory.stat: EIO."
 * </pre>
 */
final class LogfmtLayout extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(256);
        line.append("time=").append(event.getInstant());
        line.append(" level=").append(event.getLevel().toString().toLowerCase(Locale.ROOT));
        String logger = event.getLoggerName();
        line.append(" source=").append(logger, logger.lastIndexOf('.') + 1, logger.length());
        line.append(" msg=");
        quote(line, event.getFormattedMessage());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(" err=");
            quote(line, ThrowableProxyUtil.asString(thrown));
        }
        return line.append('\n').toString();
    }

    private static void quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\t' -> line.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        line.append('"');
    }
}
