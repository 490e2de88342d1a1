package dev.downbeat.http.tls;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLEngine;

/**
 * Packet buffers shared by the encrypted connections of one lane. An idle connection holds none. One with a partial
 * packet, received or unsent, uses a buffer of its own until the rest has passed.
 *
 * <p>On the heap for the JDK, whose ciphers work on arrays. They read direct buffers in small pieces, which made
 * decryption two to four times slower in a measurement (JDK 17, 300 bytes and 16 KiB). Off-heap for native ciphers. Not
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

    /** Buffers for the packet size of this engine. */
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

    /** Sufficient size for the decrypted content of {@link #in}, plus data that arrived with a handshake. */
    public int plainBytes() {
        return in.capacity() + 2 * packetBytes;
    }

    /** The maximum packet size. */
    public int packetBytes() {
        return packetBytes;
    }

    /** Received packets, after any stored part; emptied between connections. */
    public ByteBuffer in() {
        return in.clear();
    }

    /** Packets to send. */
    public ByteBuffer out() {
        return out.clear();
    }

    /** Data that arrives with a handshake. */
    public ByteBuffer early() {
        return early.clear();
    }

    /** Stores the rest of a buffer, at most one packet, ready for reading. */
    public ByteBuffer keep(ByteBuffer rest) {
        ByteBuffer kept = spare.isEmpty() ? buffer(packetBytes, isNative) : spare.pop();
        return kept.clear().put(rest).flip();
    }

    /** Returns a buffer from {@link #keep}. */
    public void giveBack(ByteBuffer kept) {
        spare.push(kept);
    }
}
