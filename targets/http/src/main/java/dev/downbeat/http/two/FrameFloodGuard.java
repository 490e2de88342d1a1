package dev.downbeat.http.two;

import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Http2Exception;

/** Detects floods of frames without content, such as pings, which are an attack. Not thread-safe. */
final class FrameFloodGuard {
    private static final int MOST = 10_000;
    private static final long SECOND_NANOS = 1_000_000_000;

    private long since;
    private int count;

    /** Counts a frame. */
    void add(long now) throws Http2Exception {
        if (count == 0 || now - since > SECOND_NANOS) {
            since = now;
            count = 0;
        }
        if (++count > MOST) {
            throw new Http2Exception(
                    ErrorCode.ENHANCE_YOUR_CALM,
                    "HTTP/2: more than " + MOST + " frames within a second that bring nothing");
        }
    }
}
