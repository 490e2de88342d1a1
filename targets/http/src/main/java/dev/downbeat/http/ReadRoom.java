package dev.downbeat.http;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Where the connections of one lane read: one after the other, so one room serves all. Not thread-safe.
 */
final class ReadRoom {
    private static final int BYTES = 64 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private byte[] bytes = new byte[BYTES];
    private @Nullable TlsRoom tls;

    /** Where a wire puts what has come; empty. */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    /** What was put into the buffer, on the heap, where parsers are quickest, from 0 on; valid until the next call. */
    byte[] bytes() {
        if (!buffer.hasArray()) {
            buffer.flip();
            buffer.get(bytes, 0, buffer.limit());
        }
        return bytes;
    }

    /** The room that the encrypted connections share; what ciphers of the JDK open is on the heap at once. */
    TlsRoom tls(SSLEngine engine, boolean isNative) {
        if (tls == null) {
            tls = new TlsRoom(engine, isNative);
            bytes = new byte[tls.plainBytes()];
            buffer = isNative ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.wrap(bytes);
        }
        return tls;
    }
}
