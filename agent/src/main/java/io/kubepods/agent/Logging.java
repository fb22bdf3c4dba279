package io.kubepods.agent;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import org.slf4j.LoggerFactory;

/** Log lines on stderr: for people and for collectors of logs. */
final class Logging {
    /** As node_exporter names them. */
    enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    enum Format {
        LOGFMT,
        JSON
    }

    private Logging() {}

    static void configure(Level level, Format format) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder(format, context));
        stderr.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(stderr);
        // Libraries tell of themselves at info and debug; what is wrong with them, at warn.
        root.setLevel(level == Level.ERROR ? ch.qos.logback.classic.Level.ERROR : ch.qos.logback.classic.Level.WARN);
        // Where there is only loopback it has no hardware address to make its channels' ids of, and takes random bytes.
        context.getLogger("io.netty.util.internal.MacAddressUtil").setLevel(ch.qos.logback.classic.Level.ERROR);
        context.getLogger("io.kubepods").setLevel(ch.qos.logback.classic.Level.toLevel(level.name()));
    }

    private static Encoder<ILoggingEvent> encoder(Format format, LoggerContext context) {
        if (format == Format.JSON) {
            JsonEncoder json = new JsonEncoder();
            json.setContext(context);
            json.setWithSequenceNumber(false);
            json.setWithNanoseconds(false);
            json.setWithContext(false);
            json.setWithMDC(false);
            json.setWithMarkers(false);
            json.setWithArguments(false);
            json.setWithMessage(false);
            json.setWithFormattedMessage(true);
            json.start();
            return json;
        }
        LogfmtLayout layout = new LogfmtLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }
}
