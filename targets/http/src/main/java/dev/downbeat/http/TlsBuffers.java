package dev.downbeat.http;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

/**
 * What an encrypted connection needs to hold packets in. It belongs to the place of a connection and outlives the
 * connections that come and go there: some 80 kB, most of it outside the heap, which without keep-alive would be asked
 * for, zeroed and collected at each request. Not thread-safe.
 *
 * @param out packets that wait to leave
 * @param in packets that came, as they came
 * @param early data that came with the end of the handshake
 */
record TlsBuffers(ByteBuffer out, ByteBuffer in, ByteBuffer early) {
    static TlsBuffers roomFor(SSLEngine engine) {
        SSLSession session = engine.getSession();
        return new TlsBuffers(
                ByteBuffer.allocateDirect(session.getPacketBufferSize() * 2),
                ByteBuffer.allocateDirect(session.getPacketBufferSize() * 2),
                ByteBuffer.allocate(session.getApplicationBufferSize()));
    }

    /** Forgets what an earlier connection left. */
    TlsBuffers emptied() {
        out.clear().limit(0);
        in.clear();
        early.clear();
        return this;
    }
}
