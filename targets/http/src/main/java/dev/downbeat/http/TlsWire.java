package dev.downbeat.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * A connection encrypted by the JDK's engine. Delegated tasks run on the calling thread: they are the client's cost of a
 * handshake and belong to its time.
 */
final class TlsWire implements Wire {
    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private final ByteBuffer early;
    private final long beganMillis = System.currentTimeMillis();
    private boolean established;
    private boolean noticed;

    TlsWire(SocketChannel channel, SSLEngine engine, TlsBuffers buffers) throws SSLException {
        this.channel = channel;
        this.engine = engine;
        this.out = buffers.emptied().out();
        this.in = buffers.in();
        this.early = buffers.early();
        engine.beginHandshake();
    }

    @Override
    public boolean handshake() throws IOException {
        while (!established) {
            HandshakeStatus status = engine.getHandshakeStatus();
            boolean moved = switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> flush() && wrap(nothing) && flush();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapHandshake();
                case FINISHED, NOT_HANDSHAKING -> {
                    established = true;
                    yield flush();
                }
            };
            if (!moved && !established) {
                return false;
            }
        }
        return !out.hasRemaining() || flush();
    }

    /** A session that is continued keeps the time of its first handshake. */
    @Override
    public boolean resumed() {
        return engine.getSession().getCreationTime() < beganMillis;
    }

    private boolean runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return true;
    }

    private boolean unwrapHandshake() throws IOException {
        in.flip();
        SSLEngineResult result = engine.unwrap(in, early);
        in.compact();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("closed during the TLS handshake");
        }
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            int read = channel.read(in);
            if (read < 0) {
                throw new SSLException("closed during the TLS handshake");
            }
            return read > 0;
        }
        return true;
    }

    /** Encrypts one packet into the outgoing buffer. */
    private boolean wrap(ByteBuffer from) throws IOException {
        out.compact();
        SSLEngineResult result = engine.wrap(from, out);
        out.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the TLS connection is closed");
        }
        return true;
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            if (!flush()) {
                return false;
            }
            wrap(from);
        }
        return flush();
    }

    @Override
    public boolean flush() throws IOException {
        if (out.hasRemaining()) {
            channel.write(out);
        }
        return !out.hasRemaining();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (noticed) {
            return -1;
        }
        int before = into.position();
        if (early.position() > 0) {
            early.flip();
            into.put(early);
            early.compact();
        }
        boolean end = channel.read(in) < 0;
        in.flip();
        while (in.hasRemaining()) {
            SSLEngineResult result = engine.unwrap(in, into);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                noticed = true; // what came before it has been read
                break;
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                wrap(nothing); // an answer to a key update; a new session ticket needs none
                flush();
            }
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                break; // half a packet, or no room: the rest waits for the next call
            }
        }
        in.compact();
        int read = into.position() - before;
        return read == 0 && (end || noticed) ? -1 : read;
    }

    /** After a notice no more data comes, whether or not the server closes its socket. */
    @Override
    public boolean ended() {
        return noticed;
    }

    /** Without a notice anybody on the way may have cut the data short (RFC 8446, 6.1). */
    @Override
    public boolean endIsGenuine() {
        return noticed;
    }
}
