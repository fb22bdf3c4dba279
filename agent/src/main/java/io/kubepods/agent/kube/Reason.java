package io.kubepods.agent.kube;

import java.util.Locale;

/** What can go wrong between this agent and the API server; its name in lower case is a label's value. */
public enum Reason {
    /** No connection, or one that broke. */
    CONNECTION,
    /** An answer that began and did not come to its end in time, or a watch on which nothing came for too long. */
    SILENCE,
    /** A watch that ended, without an error, long before it should. */
    SHORT_WATCH,
    /** The file with the token cannot be read, or is empty: nothing was asked. */
    TOKEN,
    /** 401. */
    UNAUTHORIZED,
    /** 403. */
    FORBIDDEN,
    /** 410: the watch was to begin where the server no longer remembers. Normal after a long interruption. */
    EXPIRED,
    /** 429. */
    THROTTLED,
    /** 5xx. */
    SERVER,
    /** Any other status. */
    OTHER,
    /** Something that cannot be read as what it should be, or was cut off. */
    MALFORMED,
    /** A pod without uid, namespace or name. */
    NAMELESS_POD,
    /** The Node object could not be had. */
    NODE;

    /** Of an HTTP status, or of the code of a Status object. */
    static Reason of(int code) {
        return switch (code) {
            case 401 -> UNAUTHORIZED;
            case 403 -> FORBIDDEN;
            case 410 -> EXPIRED;
            case 429 -> THROTTLED;
            default -> code >= 500 ? SERVER : OTHER;
        };
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
