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
 * A client's and a server's TLS engine, each driven by Netty's handler, that talk through memory, so that no network is
 * measured. What each of them took is kept apart. Not thread-safe.
 */
final class EnginePair implements AutoCloseable {
    private static final int MOST_TURNS = 100;

    private final SslHandler clientHandler;
    private final SslHandler serverHandler;
    private final EmbeddedChannel server;
    private final EmbeddedChannel client;
    long clientNanos;
    long serverNanos;
    private long bytesToClient;

    /** Sessions are continued with the same port of the same host only. */
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
     * Shakes hands and lets the server say one byte, since a ticket for the next session comes with what it says first.
     *
     * @return how many bytes the server sent: a full handshake has its certificate among them
     */
    long handshake() throws SSLException {
        for (int turns = 0; !isDone(); turns++) {
            if (turns > MOST_TURNS) {
                throw new SSLException("the handshake does not end");
            }
            turn();
        }
        long beganAt = System.nanoTime();
        server.writeOutbound(Unpooled.wrappedBuffer(new byte[1]));
        serverNanos += System.nanoTime() - beganAt;
        turn();
        Object said = client.readInbound();
        if (said == null) {
            throw new SSLException("the client did not get what the server said");
        }
        ReferenceCountUtil.release(said);
        return bytesToClient;
    }

    private boolean isDone() {
        return clientHandler.handshakeFuture().isSuccess()
                && serverHandler.handshakeFuture().isSuccess();
    }

    /** What the client has to say goes to the server, and then the other way round. */
    private void turn() {
        long beganAt = System.nanoTime();
        move(client, server);
        long betweenAt = System.nanoTime();
        bytesToClient += move(server, client);
        serverNanos += betweenAt - beganAt;
        clientNanos += System.nanoTime() - betweenAt;
    }

    private static long move(EmbeddedChannel from, EmbeddedChannel to) {
        long bytes = 0;
        for (ByteBuf said = from.readOutbound(); said != null; said = from.readOutbound()) {
            bytes += said.readableBytes();
            to.writeInbound(said);
        }
        return bytes;
    }

    @Override
    public void close() {
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }
}
