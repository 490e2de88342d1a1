package dev.downbeat.bench.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * A client's and a server's TLS engine that talk through memory, so that nothing is measured but they. What each of them
 * took is kept apart. Not thread-safe.
 */
final class EnginePair implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int MOST_TURNS = 1_000;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
    long clientNanos;
    long serverNanos;
    private long bytesToClient;

    /** Whether the last turn did anything. */
    private boolean moved = true;

    EnginePair(SslContext clientSide, SslContext serverSide) {
        long beganAt = System.nanoTime();
        client = clientSide.newEngine(UnpooledByteBufAllocator.DEFAULT, "localhost", 443);
        clientNanos = System.nanoTime() - beganAt;
        server = serverSide.newEngine(UnpooledByteBufAllocator.DEFAULT);
        serverNanos = System.nanoTime() - beganAt - clientNanos;
    }

    /**
     * Shakes hands and lets the server say one byte, since a ticket for the next session comes with what it says first.
     *
     * @return how many bytes the server sent: a full handshake has its certificate among them
     */
    long handshake() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int turns = 0; isShaking(client) || isShaking(server); turns++) {
            if (turns > MOST_TURNS) {
                throw new SSLException("the handshake does not end: " + client.getHandshakeStatus() + " and "
                        + server.getHandshakeStatus());
            }
            turn();
        }
        long beganAt = System.nanoTime();
        bytesToClient += server.wrap(ByteBuffer.wrap(new byte[1]), toClient).bytesProduced();
        serverNanos += System.nanoTime() - beganAt;
        read();
        return bytesToClient;
    }

    private static boolean isShaking(SSLEngine engine) {
        return switch (engine.getHandshakeStatus()) {
            case NOT_HANDSHAKING, FINISHED -> false;
            default -> true;
        };
    }

    private void turn() throws SSLException {
        boolean flush = !moved;
        moved = false;
        long beganAt = System.nanoTime();
        advance(client, toClient, toServer, flush);
        long betweenAt = System.nanoTime();
        bytesToClient += advance(server, toServer, toClient, flush);
        clientNanos += betweenAt - beganAt;
        serverNanos += System.nanoTime() - betweenAt;
    }

    /**
     * One step of one engine; returns how many bytes it sent. An engine of Netty's may say that it has finished and yet
     * hold its last words back until it is asked for them: hence the flush, when nothing else moves.
     */
    private int advance(SSLEngine engine, ByteBuffer in, ByteBuffer out, boolean flush) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
                moved = true;
                return 0;
            }
            case NEED_WRAP -> {
                return send(engine, out);
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                in.flip();
                if (in.hasRemaining()) {
                    moved |= engine.unwrap(in, plain).bytesConsumed() > 0;
                }
                in.compact();
                return 0;
            }
            default -> {
                return flush ? send(engine, out) : 0;
            }
        }
    }

    private int send(SSLEngine engine, ByteBuffer out) throws SSLException {
        int bytes = engine.wrap(NOTHING, out).bytesProduced();
        moved |= bytes > 0;
        return bytes;
    }

    /** Reads all that the server has sent. */
    private void read() throws SSLException {
        long beganAt = System.nanoTime();
        toClient.flip();
        SSLEngineResult.Status status = SSLEngineResult.Status.OK;
        while (toClient.hasRemaining() && status == SSLEngineResult.Status.OK) {
            status = client.unwrap(toClient, plain).getStatus();
        }
        toClient.compact();
        clientNanos += System.nanoTime() - beganAt;
        if (plain.position() == 0) {
            throw new SSLException("the client did not get what the server said: " + status);
        }
    }

    /** Makes the next handshake a full one. */
    void forgetSession() {
        client.getSession().invalidate();
    }

    @Override
    public void close() {
        ReferenceCountUtil.release(client);
        ReferenceCountUtil.release(server);
    }
}
