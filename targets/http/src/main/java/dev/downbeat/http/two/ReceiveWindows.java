package dev.downbeat.http.two;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.wire.ConnectionTally;

/**
 * The receive windows: the protocol's maximum for a connection, the configured size for each stream. Renewed at half.
 * Not thread-safe.
 */
final class ReceiveWindows {
    /** The window of a connection, instead of {@link H2Sender#FIRST_WINDOW}; never the bottleneck. */
    static final int WIDE = Integer.MAX_VALUE;

    private final Frames out;
    private final int ofStream;
    private final ConnectionTally tally;
    private long taken;

    ReceiveWindows(Frames out, int ofStream, ConnectionTally tally) {
        this.out = out;
        this.ofStream = ofStream;
        this.tally = tally;
    }

    /** DATA has arrived, for any stream. */
    void took(int bytes) throws Http2Exception {
        taken += bytes;
        if (taken > WIDE) {
            throw tooMuch();
        }
        if (taken >= WIDE / 2) {
            out.windowUpdate(0, (int) taken);
            taken = 0;
        }
    }

    void took(H2Stream stream, int bytes) throws Http2Exception {
        stream.taken += bytes;
        if (stream.taken > ofStream) {
            throw tooMuch();
        }
        if (stream.taken == ofStream) {
            tally.windowClosed();
        }
    }

    private static Http2Exception tooMuch() {
        return new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, "HTTP/2: more DATA than the window allows");
    }

    /** Renews a stream's window, if due. */
    void renew(H2Stream stream) {
        if (stream.taken >= ofStream / 2) {
            out.windowUpdate(stream.id, (int) stream.taken);
            stream.taken = 0;
        }
    }
}
