package dev.downbeat.bench.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One connection with Netty's HTTP codec. For one caller at a time. */
final class NettyChannel {
    private static final int MOST_BODY_BYTES = 1024 * 1024;

    private final URI service;
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
    private final Channel channel;
    private volatile CompletableFuture<Integer> awaited = new CompletableFuture<>();

    NettyChannel(URI service) throws InterruptedException {
        this.service = service;
        this.channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel socket) {
                        socket.pipeline()
                                .addLast(new HttpClientCodec())
                                .addLast(new HttpObjectAggregator(MOST_BODY_BYTES))
                                .addLast(new Answers());
                    }
                })
                .connect(service.getHost(), service.getPort())
                .sync()
                .channel();
    }

    private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            awaited.complete(response.status().code());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            awaited.completeExceptionally(cause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails ends in exceptionCaught
    int get() {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        awaited = status;
        DefaultFullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, service.getAuthority());
        channel.writeAndFlush(request).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        return status.join();
    }

    void close() throws InterruptedException {
        channel.close().sync();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
