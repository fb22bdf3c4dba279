package io.kubepods.agent.kube;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** What an exception says, in words: libraries wrap one in the other, and the commonest ones say nothing at all. */
final class Cause {
    /** fabric8's, around Jackson's. */
    private static final String SAYS_NOTHING = "An error has occurred.";

    private Cause() {}

    static String of(Throwable e) {
        String known = known(e);
        return known == null ? firstMessage(e) : known;
    }

    /** The innermost exceptions are the most precise. */
    private static @Nullable String known(Throwable e) {
        Throwable cause = e.getCause();
        String inner = cause == null ? null : known(cause);
        // A refused connection is a ConnectException without a message, caused by a ClosedChannelException.
        boolean isRefused = e instanceof ConnectException && cause instanceof ClosedChannelException;
        return inner == null || isRefused || e instanceof HttpConnectTimeoutException ? words(e) : inner;
    }

    private static @Nullable String words(Throwable e) {
        if (e instanceof UnresolvedAddressException || e instanceof UnknownHostException) {
            return "its name cannot be resolved";
        }
        if (e instanceof HttpConnectTimeoutException) {
            return "no connection in time";
        }
        if (e instanceof ConnectException) {
            return e.getMessage() == null ? "connection refused" : e.getMessage();
        }
        if (e instanceof ClosedChannelException || e instanceof EOFException) {
            return "the connection was closed";
        }
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof AccessDeniedException ? "permission denied" : null;
    }

    /** The first line of the outermost message that is not only the cause's name. */
    private static String firstMessage(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            String message = at.getMessage();
            Throwable cause = at.getCause();
            boolean isEmpty = message == null || message.isBlank() || message.equals(SAYS_NOTHING);
            if (message != null && !isEmpty && (cause == null || !message.contains(cause.toString()))) {
                String line = message.strip().lines().findFirst().orElse("");
                return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
            }
        }
        return e.getClass().getSimpleName();
    }
}
