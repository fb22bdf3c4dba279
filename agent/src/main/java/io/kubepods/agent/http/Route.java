package io.kubepods.agent.http;

/** What stands behind one path. Routes run one at a time, on a thread of their own, and may block it. */
@FunctionalInterface
public interface Route {
    /** A route that answers at once from what is in memory: it does not wait for other routes' turns. */
    static Route immediate(Route route) {
        return new Immediate(route);
    }

    /**
     * Answers one GET; a HEAD is answered as the GET would be, and its body dropped.
     *
     * @throws Exception gives the client a 500 with one sentence; the reason goes to the log
     */
    Response answer(Request request) throws Exception;

    /** See {@link #immediate}. */
    record Immediate(Route route) implements Route {
        @Override
        public Response answer(Request request) throws Exception {
            return route.answer(request);
        }
    }
}
