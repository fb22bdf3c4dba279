package io.kubepods.agent.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.EventExecutor;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The open connections, and what each is made of. Belongs to the loop, but for {@link #open}.
 *
 * <p>At the limit a new connection takes the place of the one that has been waiting for longest without a whole
 * request, so that idle clients, however many, keep nobody out. Only if every connection has a response under way is
 * the new one closed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends is seen in Connection's channelInactive
final class Connections extends ChannelInitializer<SocketChannel> {

    // Below about one packet there is nothing to gain.
    private static final int COMPRESS_FROM_BYTES = 1_400;

    private final Router router;
    private final Limits limits;
    private final ChannelGroup open;

    // Without a whole request, the one that waits for longest first.
    private final Set<Channel> waiting = new LinkedHashSet<>();
    private boolean closing;

    Connections(Router router, Limits limits, EventExecutor loop) {
        this.router = router;
        this.limits = limits;
        this.open = new DefaultChannelGroup(loop, true);
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        if (open.size() >= limits.connections() && !evict()) {
            channel.close();
            return;
        }
        open.add(channel);
        HttpDecoderConfig config = new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.lineBytes())
                .setMaxHeaderSize(limits.headBytes());
        channel.pipeline()
                .addLast(new HttpServerCodec(config))
                .addLast(new HeadAsGet())
                .addLast(new HttpContentCompressor(COMPRESS_FROM_BYTES, StandardCompressionOptions.gzip()))
                .addLast(new Connection(this, router, limits));
    }

    private boolean evict() {
        Iterator<Channel> longest = waiting.iterator();
        if (!longest.hasNext()) {
            return false;
        }
        Channel evicted = longest.next();
        longest.remove();
        evicted.close();
        return true;
    }

    /** The connection has no whole request from now on. */
    void waits(Channel channel) {
        waiting.add(channel);
    }

    /** The connection has a request to be answered, or has gone. */
    void waitsNoMore(Channel channel) {
        waiting.remove(channel);
    }

    /** Whether each connection is to end with the response that is under way. */
    boolean closing() {
        return closing;
    }

    /** Ends what waits, and has the rest end with the response that is under way. */
    void drain() {
        closing = true;
        List.copyOf(waiting).forEach(Channel::close);
    }

    /** May be used from any thread. */
    ChannelGroup open() {
        return open;
    }

    /**
     * Shows a HEAD as a GET to all behind it, so that both get the same header fields, the compressed length included.
     * The codec has seen the HEAD, and drops the body.
     */
    private static final class HeadAsGet extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof HttpRequest head && head.method().equals(HttpMethod.HEAD)) {
                head.setMethod(HttpMethod.GET);
            }
            ctx.fireChannelRead(message);
        }
    }
}
