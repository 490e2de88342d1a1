package dev.downbeat.http.wire;

import dev.downbeat.http.tls.TlsBuffers;
import java.nio.ByteBuffer;
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
}
