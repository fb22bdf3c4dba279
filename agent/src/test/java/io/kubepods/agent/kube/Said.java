package io.kubepods.agent.kube;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one class logs. */
public final class Said extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    public Said(Class<?> by) {
        logger = (Logger) LoggerFactory.getLogger(by);
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
    }
}
