package io.kubepods.agent.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: takes requests, has them answered one after the other, and ends it. All of it runs on the loop.
 *
 * <p>Nothing is read while a response is under way. What the client had sent ahead by then, one read of the socket at
 * most, is kept in order.
 *
 * <p>A connection that ends is shut for writing first and closed when the client has done so too, for closing a socket
 * with unread bytes resets it, and the client may then lose a response that it has not read yet (RFC 9112 §9.6).
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close or a deadline ends is seen in channelInactive
final class Connection extends SimpleChannelInboundHandler<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private enum Phase {
        IDLE,
        RECEIVING,
        ANSWERING,
        WRITING,
        LINGERING
    }

    private final Connections connections;
    private final Router router;
    private final Limits limits;

    private final Queue<Received> received = new ArrayDeque<>();
    private @Nullable HttpRequest receiving;
    private long bodyBytes;
    private Phase phase = Phase.IDLE;
    private @Nullable Future<?> deadline;

    Connection(Connections connections, Router router, Limits limits) {
        this.connections = connections;
        this.router = router;
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        enter(ctx, Phase.IDLE);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        received.clear();
        connections.waitsNoMore(ctx.channel());
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (phase == Phase.LINGERING) {
            return;
        }
        if (message instanceof HttpRequest head) {
            receiving = head;
            bodyBytes = 0;
        }
        HttpRequest head = receiving;
        if (head == null) {
            return;
        }
        if (message instanceof HttpContent content) {
            bodyBytes += content.content().readableBytes();
        }
        Response refusal = Received.refusal(message, head, bodyBytes, limits);
        if (refusal != null || message instanceof LastHttpContent) {
            receiving = null;
            received.add(new Received(head, refusal));
            ctx.channel().config().setAutoRead(false);
            if (phase == Phase.IDLE || phase == Phase.RECEIVING) {
                answerNext(ctx);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Whole requests have changed the phase by now, so these bytes are a part of one.
        if (phase == Phase.IDLE) {
            enter(ctx, Phase.RECEIVING);
        }
    }

    private void answerNext(ChannelHandlerContext ctx) {
        Received next = connections.closing() ? null : received.poll();
        if (next != null) {
            enter(ctx, Phase.ANSWERING);
            if (next.refusal() != null) {
                send(ctx, router.line(next.refusal(), ctx.alloc()), next);
            } else {
                router.answer(next.head(), ctx.alloc(), response -> handOver(ctx, response, next));
            }
        } else if (connections.closing()) {
            linger(ctx);
        } else {
            enter(ctx, receiving == null ? Phase.IDLE : Phase.RECEIVING);
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void handOver(ChannelHandlerContext ctx, FullHttpResponse response, Received answered) {
        try {
            ctx.executor().execute(() -> send(ctx, response, answered));
        } catch (RejectedExecutionException e) {
            // The server has closed, and the connection with it.
            response.release();
        }
    }

    private void send(ChannelHandlerContext ctx, FullHttpResponse response, Received answered) {
        if (!ctx.channel().isActive()) {
            response.release();
            return;
        }
        HttpRequest head = answered.head();
        boolean more = answered.refusal() == null && HttpUtil.isKeepAlive(head) && !connections.closing();
        HttpUtil.setKeepAlive(response.headers(), head.protocolVersion(), more);
        enter(ctx, Phase.WRITING);
        ctx.writeAndFlush(response).addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess()) {
                LOG.debug("{} did not take its response", ctx.channel(), written.cause());
                ctx.close();
            } else if (more) {
                answerNext(ctx);
            } else {
                linger(ctx);
            }
        });
    }

    private void linger(ChannelHandlerContext ctx) {
        received.clear();
        enter(ctx, Phase.LINGERING);
        ((SocketChannel) ctx.channel()).shutdownOutput();
        ctx.channel().config().setAutoRead(true);
    }

    private void enter(ChannelHandlerContext ctx, Phase next) {
        phase = next;
        if (next == Phase.ANSWERING) {
            connections.waitsNoMore(ctx.channel());
        } else if (next != Phase.WRITING) {
            connections.waits(ctx.channel());
        }
        if (deadline != null) {
            deadline.cancel(false);
        }
        Duration limit = limitOf(next);
        deadline = limit == null
                ? null
                : ctx.executor().schedule((Runnable) ctx::close, limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private @Nullable Duration limitOf(Phase phase) {
        return switch (phase) {
            case IDLE -> limits.idle();
            case RECEIVING -> limits.receive();
            case ANSWERING -> null; // the worker's affair, and its queue is bounded
            case WRITING -> limits.write();
            case LINGERING -> limits.linger();
        };
    }

    /** What goes wrong here is the client's doing: it has gone, or sends what is no HTTP. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("{} is closed", ctx.channel(), cause);
        ctx.close();
    }
}
