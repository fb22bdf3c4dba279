package io.kubepods.agent.http;

/** What stands behind one path. Routes run one at a time, on a thread of their own, and may block it. */
@FunctionalInterface
public interface Route {

    /**
     * Answers one GET; a HEAD is answered as the GET would be, and its body dropped.
     *
     * @throws Exception gives the client a 500 with one sentence; the reason goes to the log
     */
    Response answer(Request request) throws Exception;
}
