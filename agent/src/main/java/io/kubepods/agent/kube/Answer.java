package io.kubepods.agent.kube;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of an answer. It is due some time; when it is late, another thread ends it, and whoever reads it is told so.
 *
 * <p>Read by one thread; {@link #endIfLate} and {@link #end} are any's.
 */
final class Answer extends InputStream {
    private static final Logger log = LoggerFactory.getLogger(Answer.class);

    private final InputStream body;
    private final String whenLate;
    private final LongSupplier nanos;
    private volatile long dueAt;
    private volatile boolean late;

    /**
     * @param whenLate a sentence that says what did not come
     * @param nanos {@link System#nanoTime()}
     */
    Answer(InputStream body, Duration patience, String whenLate, LongSupplier nanos) {
        this.body = body;
        this.whenLate = whenLate;
        this.nanos = nanos;
        giveTime(patience);
    }

    /** From now on it is due after so long. */
    void giveTime(Duration patience) {
        dueAt = nanos.getAsLong() + patience.toNanos();
    }

    void endIfLate() {
        if (!late && nanos.getAsLong() - dueAt > 0) {
            late = true;
            end();
        }
    }

    /** Ends it, in the middle of a read too. */
    void end() {
        try {
            body.close();
        } catch (IOException e) {
            log.debug("The end of an answer could not be told to the server.", e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws StalledException when it was late */
    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read;
        try {
            read = body.read(bytes, offset, length);
        } catch (IOException | RuntimeException e) { // fabric8's stream, when it is closed: CancellationException
            throw late ? new StalledException(whenLate, e) : new IOException(Cause.of(e), e);
        }
        if (late && read < 0) {
            throw new StalledException(whenLate, null);
        }
        return read;
    }

    @Override
    public int available() throws IOException {
        return body.available();
    }

    @Override
    public void close() {
        end();
    }
}
