package io.kubepods.agent.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves routes over HTTP/1.1: exact paths, GET and HEAD, gzip where the client takes it.
 *
 * <p>A thread of the server keeps the process alive until {@link #close}.
 */
public final class HttpServer implements AutoCloseable {

    // For the loop to end, once its connections have.
    private static final int LAST_SECONDS = 5;

    private final EventLoopGroup loop;
    private final Router router;
    private final Connections connections;
    private final Channel listening;
    private final Duration grace;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HttpServer(EventLoopGroup loop, Router router, Connections connections, Channel listening, Duration grace) {
        this.loop = loop;
        this.router = router;
        this.connections = connections;
        this.listening = listening;
        this.grace = grace;
    }

    /**
     * Binds and serves.
     *
     * @param routes by path, as in {@code /metrics}
     * @throws IOException with one sentence that says why the address cannot be listened on, and what to do
     */
    public static HttpServer start(ListenAddress address, Map<String, Route> routes) throws IOException {
        return start(address, routes, Limits.DEFAULT, ByteBufAllocator.DEFAULT);
    }

    static HttpServer start(ListenAddress address, Map<String, Route> routes, Limits limits, ByteBufAllocator alloc)
            throws IOException {
        InetSocketAddress resolved = address.resolve();
        if (resolved.isUnresolved()) {
            throw new IOException("Cannot listen on " + address + ": no host of that name is known.");
        }
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http-loop"), NioIoHandler.newFactory());
        Router router = new Router(routes, limits);
        Connections connections = new Connections(router, limits, loop.next());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .childOption(ChannelOption.ALLOCATOR, alloc)
                .childHandler(connections)
                .bind(resolved)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            router.close();
            stop(loop);
            throw refused(address, bound.cause());
        }
        return new HttpServer(loop, router, connections, bound.channel(), limits.grace());
    }

    // The JDK tells these apart by the kernel's text only.
    private static IOException refused(ListenAddress address, Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String reason = text;
        if (text.contains("in use")) {
            reason = "another process does already; stop it, or choose another address or port";
        } else if (text.contains("assign requested address")) {
            reason = "this host has no such address; choose one it has, or leave the host out";
        } else if (text.contains("ermission denied")) {
            reason = "not permitted; choose a port from 1024 on, or grant CAP_NET_BIND_SERVICE";
        }
        return new IOException("Cannot listen on " + address + ": " + reason + ".", cause);
    }

    /** The address that is listened on, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /**
     * Stops accepting, lets the responses under way end, for ten seconds at most, and closes. Not to be called from a
     * route.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        listening.close().awaitUninterruptibly();
        loop.submit(connections::drain).awaitUninterruptibly();
        connections.open().newCloseFuture().awaitUninterruptibly(grace.toMillis());
        connections.open().close().awaitUninterruptibly();
        router.close();
        stop(loop);
    }

    private static void stop(EventLoopGroup loop) {
        loop.shutdownGracefully(0, LAST_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
