package dev.downbeat.http.wire;

import dev.downbeat.http.tls.TlsBuffers;
import dev.downbeat.http.tls.TlsEngines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted connection. Delegated tasks run on the calling thread: they are the client's cost of a handshake and
 * part of its time.
 */
final class TlsWire implements Wire {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final TlsEngines engines;
    private final TlsBuffers room;
    private final long beganMillis = System.currentTimeMillis();
    private @Nullable ByteBuffer halfPacket;
    private @Nullable ByteBuffer unsent;
    private @Nullable ByteBuffer early;
    private boolean established;
    private boolean noticed;

    TlsWire(SocketChannel channel, SSLEngine engine, TlsEngines engines, TlsBuffers room) throws SSLException {
        this.channel = channel;
        this.engine = engine;
        this.engines = engines;
        this.room = room;
        engine.beginHandshake();
    }

    @Override
    public boolean handshake() throws IOException {
        while (!established) {
            HandshakeStatus status = engine.getHandshakeStatus();
            boolean moved = switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> flush() && wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapHandshake();
                case FINISHED, NOT_HANDSHAKING -> {
                    established = true;
                    yield true;
                }
            };
            if (!moved && !established) {
                return false;
            }
        }
        return flush();
    }

    @Override
    public boolean resumed() {
        return engines.resumed(engine, beganMillis);
    }

    @Override
    public String protocol() {
        String chosen = engine.getApplicationProtocol();
        return chosen == null ? "" : chosen;
    }

    private boolean runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return true;
    }

    private boolean unwrapHandshake() throws IOException {
        ByteBuffer in = receivedPackets();
        ByteBuffer data = room.early();
        SSLEngineResult result = engine.unwrap(in.flip(), data);
        // A native engine may finish on a call that needs no more data, after which none arrives.
        boolean isOver = engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !isOver) {
            // at most one packet: data after the handshake is left for the reader
            in.compact().limit(room.packetBytes());
            int read = channel.read(in);
            if (read < 0) {
                throw new SSLException("closed during the TLS handshake");
            }
            keepRest(in.flip());
            return read > 0;
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("closed during the TLS handshake");
        }
        keepRest(in);
        if (data.flip().hasRemaining()) {
            early = ByteBuffer.allocate(data.remaining()).put(data).flip();
        }
        return true;
    }

    /** Received but undecrypted packets, with space for more. */
    private ByteBuffer receivedPackets() {
        ByteBuffer in = room.in();
        ByteBuffer kept = halfPacket;
        if (kept != null) {
            in.put(kept);
            room.giveBack(kept);
            halfPacket = null;
        }
        return in;
    }

    private void keepRest(ByteBuffer in) {
        if (in.hasRemaining()) {
            halfPacket = room.keep(in);
        }
    }

    /** Encrypts one packet and sends as much of it as possible; earlier output must be sent. */
    private boolean wrap(ByteBuffer from) throws IOException {
        ByteBuffer out = room.out();
        SSLEngineResult result = engine.wrap(from, out);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the TLS connection is closed");
        }
        channel.write(out.flip());
        if (out.hasRemaining()) {
            unsent = room.keep(out);
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
        ByteBuffer waiting = unsent;
        if (waiting == null) {
            return true;
        }
        channel.write(waiting);
        if (waiting.hasRemaining()) {
            return false;
        }
        room.giveBack(waiting);
        unsent = null;
        return true;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (noticed) {
            return -1;
        }
        int before = into.position();
        if (early != null) {
            into.put(early);
            early = null;
        }
        ByteBuffer in = receivedPackets();
        boolean end = channel.read(in) < 0;
        in.flip();
        while (in.hasRemaining()) {
            SSLEngineResult result = engine.unwrap(in, into);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                noticed = true; // data before it has been read
                break;
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && flush()) {
                wrap(NOTHING); // a reply to a key update; a new session ticket needs none
            }
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                keepRest(in); // a partial packet
                break;
            }
        }
        int read = into.position() - before;
        return read == 0 && (end || noticed) ? -1 : read;
    }

    /** After a close notice no more data arrives, whether or not the server closes its socket. */
    @Override
    public boolean ended() {
        return noticed;
    }

    /** Without a close notice, the data may have been truncated on the way (RFC 8446, 6.1). */
    @Override
    public boolean endIsGenuine() {
        return noticed;
    }

    @Override
    public void release() {
        engines.release(engine);
        if (halfPacket != null) {
            room.giveBack(halfPacket);
            halfPacket = null;
        }
        if (unsent != null) {
            room.giveBack(unsent);
            unsent = null;
        }
    }
}
