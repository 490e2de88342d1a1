package dev.downbeat.http.one;

import java.util.Arrays;

/**
 * The last head that came in one piece, and what it was found to mean. A server's heads are mostly alike, byte for byte,
 * until its Date changes: to compare them takes a few nanoseconds, to read them some hundred. Not thread-safe: the
 * connections of one lane share one.
 */
public final class KnownHead {
    private static final int MAX_BYTES = 4096;

    private byte[] bytes = new byte[512];
    private int length;
    private int status;
    private boolean keepAlive;
    private long bodyBytes;

    /** Whether the text begins with this very head. */
    boolean begins(byte[] text, int from, int to) {
        return length > 0 && to - from >= length && Arrays.equals(bytes, 0, length, text, from, from + length);
    }

    /** Remembers a head, with its empty line, after which just so many bytes follow. */
    void remember(byte[] text, int from, int to, ResponseHead head, boolean keepAlive, long bodyBytes) {
        length = to - from;
        if (length > MAX_BYTES) {
            length = 0;
            return;
        }
        if (length > bytes.length) {
            bytes = new byte[MAX_BYTES];
        }
        System.arraycopy(text, from, bytes, 0, length);
        this.status = head.status();
        this.keepAlive = keepAlive;
        this.bodyBytes = bodyBytes;
    }

    int length() {
        return length;
    }

    int status() {
        return status;
    }

    boolean keepsAlive() {
        return keepAlive;
    }

    long bodyBytes() {
        return bodyBytes;
    }
}
