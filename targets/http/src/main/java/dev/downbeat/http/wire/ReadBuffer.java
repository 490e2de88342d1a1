package dev.downbeat.http.wire;

import dev.downbeat.http.tls.TlsBuffers;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Where the connections of one lane read: one after the other, so one room serves all. Not thread-safe.
 */
public final class ReadBuffer {
    private static final int BYTES = 64 * 1024;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private byte[] bytes = new byte[BYTES];
    private @Nullable TlsBuffers tls;

    /** Where a wire puts what has come; empty. */
    public ByteBuffer buffer() {
        return buffer.clear();
    }

    /** What was put into the buffer, on the heap, where parsers are quickest, from 0 on; valid until the next call. */
    public byte[] bytes() {
        if (!buffer.hasArray()) {
            buffer.flip();
            buffer.get(bytes, 0, buffer.limit());
        }
        return bytes;
    }

    /** The room that the encrypted connections share; what ciphers of the JDK open is on the heap at once. */
    TlsBuffers tls(SSLEngine engine, boolean isNative) {
        if (tls == null) {
            tls = new TlsBuffers(engine, isNative);
            bytes = new byte[tls.plainBytes()];
            buffer = isNative ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.wrap(bytes);
        }
        return tls;
    }
}
