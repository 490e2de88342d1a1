package dev.downbeat.h2;

import java.util.Arrays;

/** A growable, reusable buffer of bytes to send. Not thread-safe. */
public class WireBytes {
    /** The backing array; {@link #reserve} may replace it. */
    protected byte[] bytes = new byte[1024];

    protected int length;

    public final void clear() {
        length = 0;
    }

    /** Removes what was appended after this length. */
    public final void cut(int to) {
        length = to;
    }

    public final int length() {
        return length;
    }

    /** The backing array, with {@link #length} valid bytes; valid until the next call. */
    public final byte[] array() {
        return bytes;
    }

    public final void one(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    public final void append(byte[] more) {
        append(more, 0, more.length);
    }

    /** Appends the bytes from {@code from} (inclusive) to {@code to} (exclusive). */
    public final void append(byte[] more, int from, int to) {
        reserve(to - from);
        System.arraycopy(more, from, bytes, length, to - from);
        length += to - from;
    }

    protected final void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
