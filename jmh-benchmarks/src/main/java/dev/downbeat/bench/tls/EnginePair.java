package dev.downbeat.bench.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import javax.net.ssl.SSLException;

/**
 * The TLS engines of a client and a server, each driven by Netty's handler, connected in memory. Times of both sides are
 * measured separately. Not thread-safe.
 */
final class EnginePair implements AutoCloseable {
    private static final int MAX_ROUNDS = 100;

    private final SslHandler clientHandler;
    private final SslHandler serverHandler;
    private final EmbeddedChannel server;
    private final EmbeddedChannel client;
    long clientNanos;
    long serverNanos;
    private long bytesToClient;

    /** A session is resumed only with the same port of the same host. */
    EnginePair(SslContext clientSide, SslContext serverSide, int port) {
        long beganAt = System.nanoTime();
        serverHandler = serverSide.newHandler(UnpooledByteBufAllocator.DEFAULT);
        server = new EmbeddedChannel(serverHandler);
        long betweenAt = System.nanoTime();
        clientHandler = clientSide.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", port);
        client = new EmbeddedChannel(clientHandler);
        serverNanos = betweenAt - beganAt;
        clientNanos = System.nanoTime() - betweenAt;
    }

    /**
     * Performs the handshake and sends one byte from the server, since the first data from the server brings the session ticket.
     *
     * @return number of bytes from the server, which include its certificate in a full handshake
     */
    long handshake() throws SSLException {
        for (int rounds = 0; !isDone(); rounds++) {
            if (rounds > MAX_ROUNDS) {
                throw new SSLException("the handshake does not end");
            }
            exchange();
        }
        long beganAt = System.nanoTime();
        server.writeOutbound(Unpooled.wrappedBuffer(new byte[1]));
        serverNanos += System.nanoTime() - beganAt;
        exchange();
        Object received = client.readInbound();
        if (received == null) {
            throw new SSLException("the client did not receive the server's byte");
        }
        ReferenceCountUtil.release(received);
        return bytesToClient;
    }

    private boolean isDone() {
        return clientHandler.handshakeFuture().isSuccess()
                && serverHandler.handshakeFuture().isSuccess();
    }

    /** Moves the output of the client to the server, then that of the server to the client. */
    private void exchange() {
        long beganAt = System.nanoTime();
        move(client, server);
        long betweenAt = System.nanoTime();
        bytesToClient += move(server, client);
        serverNanos += betweenAt - beganAt;
        clientNanos += System.nanoTime() - betweenAt;
    }

    private static long move(EmbeddedChannel from, EmbeddedChannel to) {
        long bytes = 0;
        for (ByteBuf buffer = from.readOutbound(); buffer != null; buffer = from.readOutbound()) {
            bytes += buffer.readableBytes();
            to.writeInbound(buffer);
        }
        return bytes;
    }

    @Override
    public void close() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }
}
