package dev.downbeat.record;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** HdrHistogram's V2 encoding of a histogram: a header, then the counts of all buckets up to the last non-empty one. */
final class HistogramBytes {
    private static final int COOKIE = 0x1c849313;
    private static final int HEAD = 40;
    private static final int LONGEST_NUMBER = 9;

    private ByteBuffer bytes = ByteBuffer.allocate(256);

    private HistogramBytes() {}

    static byte[] of(BucketCounts buckets) {
        HistogramBytes written = new HistogramBytes();
        written.bytes.position(HEAD);
        int next = 0;
        BucketCounts.Cursor cursor = buckets.cursor();
        while (cursor.next()) {
            written.empty(cursor.bucket() - next);
            written.number(cursor.count());
            next = cursor.bucket() + 1;
        }
        if (next == 0) {
            written.number(0); // there is always at least one bucket
        }
        return written.done();
    }

    /** A run of empty buckets: its negative length, or a plain 0 for one. */
    private void empty(int count) {
        if (count > 0) {
            number(count == 1 ? 0 : -count);
        }
    }

    /**
     * Zigzag variable-length encoding: seven bits per byte, least significant first, with the sign in the lowest bit.
     * The ninth byte holds eight bits.
     */
    private void number(long signed) {
        if (bytes.remaining() < LONGEST_NUMBER) {
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), 2 * bytes.capacity()))
                    .position(bytes.position());
        }
        long rest = (signed << 1) ^ (signed >> 63);
        for (int i = 1; i < LONGEST_NUMBER && rest > 0x7F; i++) {
            bytes.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        bytes.put((byte) rest);
    }

    private byte[] done() {
        bytes.putInt(0, COOKIE)
                .putInt(4, bytes.position() - HEAD)
                .putInt(8, 0) // not normalised
                .putInt(12, Distribution.DIGITS)
                .putLong(16, 1)
                .putLong(24, Distribution.MAX_NANOS)
                .putDouble(32, 1);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
