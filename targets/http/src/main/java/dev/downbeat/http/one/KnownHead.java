package dev.downbeat.http.one;

import java.util.Arrays;

/**
 * Caches the last complete response head and its meaning. A server's heads are mostly identical until the Date changes.
 * Comparing takes a few nanoseconds, parsing a few hundred. Not thread-safe: shared by the connections of one lane.
 */
public final class KnownHead {
    private static final int MAX_BYTES = 4096;

    private byte[] bytes = new byte[512];
    private int length;
    private int status;
    private boolean keepAlive;
    private long bodyBytes;

    /** Whether the text starts with this head. */
    boolean begins(byte[] text, int from, int to) {
        return length > 0 && to - from >= length && Arrays.equals(bytes, 0, length, text, from, from + length);
    }

    /** Stores a head, including its empty line, with a body of exactly this many bytes. */
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
