package dev.downbeat.http.tls;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLEngine;

/**
 * What the encrypted connections of one lane hold packets in while they handle them. A connection at rest holds nothing;
 * one that has met half a packet, or could not send a whole one, takes a piece of its own until the rest has gone through.
 *
 * <p>On the heap for the JDK: its ciphers work on arrays, and take packets out of direct buffers by small pieces, which made
 * opening a packet two to four times slower here (JDK 17, 300 bytes and 16 KiB). Outside the heap for native ciphers. Not
 * thread-safe.
 */
public final class TlsBuffers {
    private static final int READ_BYTES = 64 * 1024;

    private final boolean isNative;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private final ByteBuffer early;
    private final int packetBytes;
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();

    /** Room for packets as large as those of this engine. */
    public TlsBuffers(SSLEngine engine, boolean isNative) {
        this.isNative = isNative;
        this.packetBytes = engine.getSession().getPacketBufferSize();
        this.in = buffer(READ_BYTES, isNative);
        this.out = buffer(packetBytes, isNative);
        this.early = buffer(engine.getSession().getApplicationBufferSize(), isNative);
    }

    private static ByteBuffer buffer(int bytes, boolean isNative) {
        return isNative ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    /** Where what comes out of {@link #in} fits, whatever it was, beside what came out of a handshake. */
    public int plainBytes() {
        return in.capacity() + 2 * packetBytes;
    }

    /** The largest packet. */
    public int packetBytes() {
        return packetBytes;
    }

    /** Packets as they came, with what was kept of them first; empty of others'. */
    public ByteBuffer in() {
        return in.clear();
    }

    /** Packets to send. */
    public ByteBuffer out() {
        return out.clear();
    }

    /** Data that comes with a handshake. */
    public ByteBuffer early() {
        return early.clear();
    }

    /** Keeps what is left in a buffer, at most a packet, ready to be read. */
    public ByteBuffer keep(ByteBuffer rest) {
        ByteBuffer kept = spare.isEmpty() ? buffer(packetBytes, isNative) : spare.pop();
        return kept.clear().put(rest).flip();
    }

    /** Takes back what {@link #keep} gave. */
    public void giveBack(ByteBuffer kept) {
        spare.push(kept);
    }
}
