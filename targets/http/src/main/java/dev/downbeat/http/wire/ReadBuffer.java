package dev.downbeat.http.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** The read buffer of a lane's connections, which read one after another. Not thread-safe. */
public final class ReadBuffer {
    private static final int BYTES = 64 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private byte[] bytes = new byte[BYTES];
    private @Nullable TlsBuffers tls;

    /** The empty buffer for a wire to read into. */
    public ByteBuffer buffer() {
        return buffer.clear();
    }

    /** The received data on the heap, where parsing is fastest, from index 0; valid until the next call. */
    public byte[] bytes() {
        if (!buffer.hasArray()) {
            buffer.flip();
            buffer.get(bytes, 0, buffer.limit());
        }
        return bytes;
    }

    /** The packet buffers of encrypted connections; output of the JDK's ciphers is on the heap already. */
    TlsBuffers tls(SSLEngine engine, boolean isNative) {
        if (tls == null) {
            tls = new TlsBuffers(engine, isNative);
            bytes = new byte[tls.plainBytes()];
            buffer = isNative ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.wrap(bytes);
        }
        return tls;
    }

    /**
     * Packet buffers shared by the encrypted connections of one lane. An idle connection holds none. One with a partial
     * packet, received or unsent, uses a buffer of its own until the rest has passed.
     *
     * <p>On the heap for the JDK, whose ciphers work on arrays. They read direct buffers in small pieces, which made
     * decryption two to four times slower in a measurement (JDK 17, 300 bytes and 16 KiB). Off-heap for native ciphers.
     * Not thread-safe.
     */
    static final class TlsBuffers {
        private static final int READ_BYTES = 64 * 1024;

        private final boolean isNative;
        private final ByteBuffer in;
        private final ByteBuffer out;
        private final ByteBuffer early;
        private final int packetBytes;
        private final Deque<ByteBuffer> spare = new ArrayDeque<>();

        /** Buffers for the packet size of this engine. */
        TlsBuffers(SSLEngine engine, boolean isNative) {
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
        int plainBytes() {
            return in.capacity() + 2 * packetBytes;
        }

        /** The maximum packet size. */
        int packetBytes() {
            return packetBytes;
        }

        /** Received packets, after any stored part; emptied between connections. */
        ByteBuffer in() {
            return in.clear();
        }

        /** Packets to send. */
        ByteBuffer out() {
            return out.clear();
        }

        /** Data that arrives with a handshake. */
        ByteBuffer early() {
            return early.clear();
        }

        /** Stores the rest of a buffer, at most one packet, ready for reading. */
        ByteBuffer keep(ByteBuffer rest) {
            ByteBuffer kept = spare.isEmpty() ? buffer(packetBytes, isNative) : spare.pop();
            return kept.clear().put(rest).flip();
        }

        /** Returns a buffer from {@link #keep}. */
        void giveBack(ByteBuffer kept) {
            spare.push(kept);
        }
    }
}
