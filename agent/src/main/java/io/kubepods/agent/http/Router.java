package io.kubepods.agent.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the route of a request and has the worker, one thread with a bounded queue, run it. */
final class Router {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    // For a route to end that has been interrupted.
    private static final int LAST_SECONDS = 5;

    private final Map<String, Route> routes;
    private final Limits limits;

    // A daemon: a route that hangs in the kernel must not keep the process from ending.
    private final ThreadPoolExecutor worker;

    // The failures already in the log, by path and exception. By the worker and the loop.
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    Router(Map<String, Route> routes, Limits limits) {
        this.routes = Map.copyOf(routes);
        this.limits = limits;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(limits.queued()),
                new DefaultThreadFactory("http-worker", true));
    }

    /**
     * Answers a request, at once or later; runs on the loop.
     *
     * @param reply takes the response over, on the loop or on the worker, exactly once
     */
    void answer(HttpRequest head, ByteBufAllocator alloc, Consumer<FullHttpResponse> reply) {
        if (!head.method().equals(HttpMethod.GET)) {
            reply.accept(
                    line(Response.text(405, "Only GET and HEAD are answered.").with("Allow", "GET, HEAD"), alloc));
            return;
        }
        Request request;
        try {
            request = Request.of(head);
        } catch (IllegalArgumentException e) {
            reply.accept(line(Response.text(400, "The percent-encoding of the request is broken."), alloc));
            return;
        }
        Route route = routes.get(request.path());
        if (route == null) {
            reply.accept(line(Response.text(404, "There is no such page."), alloc));
            return;
        }
        if (route instanceof Route.Immediate) {
            reply.accept(run(route, request, alloc));
            return;
        }
        try {
            worker.execute(() -> reply.accept(run(route, request, alloc)));
        } catch (RejectedExecutionException e) {
            Response busy = Response.text(503, "Too many requests are waiting; try again.");
            reply.accept(line(busy.with("Retry-After", "1"), alloc));
        }
    }

    /** Renders a response that is one line of our own. */
    FullHttpResponse line(Response text, ByteBufAllocator alloc) {
        try {
            return Rendering.render(text, alloc, limits.responseBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail to be written to", e);
        }
    }

    // Catches errors too: a StackOverflowError in one page must not cost the worker, nor leave the client waiting.
    private FullHttpResponse run(Route route, Request request, ByteBufAllocator alloc) {
        try {
            return Rendering.render(route.answer(request), alloc, limits.responseBytes());
        } catch (Throwable e) {
            if (logged.add(request.path() + ' ' + e.getClass().getName())) {
                LOG.warn("{} could not be answered; the like of this is not logged again.", request.path(), e);
            }
            return line(Response.text(500, "The page could not be made; the log of the agent says why."), alloc);
        }
    }

    /** Interrupts the route that runs, and waits a little for it to end. */
    void close() {
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A page is still being made, and is left to itself.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
