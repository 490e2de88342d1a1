package dev.downbeat.record;

import java.util.Arrays;

/**
 * Buckets that are not empty, ascending, with their counts: for each the step from the bucket before and the count, as
 * variable-length numbers. A bucket takes two or three bytes where two longs would take sixteen: a long run keeps
 * thousands of distributions with a thousand buckets each. Immutable.
 */
public final class BucketCounts {
    static final BucketCounts NONE = new BucketCounts(new byte[0]);

    private final byte[] bytes;

    private BucketCounts(byte[] bytes) {
        this.bytes = bytes;
    }

    Cursor cursor() {
        return new Cursor(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BucketCounts that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Goes from bucket to bucket; stands before the first at first. */
    static final class Cursor {
        private final byte[] bytes;
        private int at;
        private int bucket;
        private long count;

        private Cursor(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Goes to the next bucket; returns whether there is one. */
        boolean next() {
            if (at == bytes.length) {
                bucket = Integer.MAX_VALUE; // behind every other
                count = 0;
                return false;
            }
            bucket += (int) number();
            count = number();
            return true;
        }

        int bucket() {
            return bucket;
        }

        long count() {
            return count;
        }

        /** Most numbers are of one byte: a sum of a thousand shards reads millions. */
        private long number() {
            byte first = bytes[at++];
            return first >= 0 ? first : longer(first & 0x7F);
        }

        private long longer(long low) {
            long number = low;
            for (int shift = 7; ; shift += 7) {
                byte next = bytes[at++];
                number |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
        }
    }

    /** Takes buckets in ascending order. */
    public static final class Writer {
        private static final int LONGEST_PAIR = 15;

        private byte[] bytes;
        private int at;
        private int last;

        /** For few buckets. */
        public Writer() {
            this(64);
        }

        private Writer(int room) {
            bytes = new byte[room];
        }

        /** For the sum of these: it takes as much as both, at most. */
        static Writer ofSum(BucketCounts one, BucketCounts other) {
            return new Writer(one.bytes.length + other.bytes.length + LONGEST_PAIR);
        }

        public void add(int bucket, long count) {
            if (bytes.length - at < LONGEST_PAIR) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
            number(bucket - last);
            number(count);
            last = bucket;
        }

        private void number(long number) {
            if (number <= 0x7F) {
                bytes[at++] = (byte) number;
                return;
            }
            long rest = number;
            for (; rest > 0x7F; rest >>>= 7) {
                bytes[at++] = (byte) (rest | 0x80);
            }
            bytes[at++] = (byte) rest;
        }

        public BucketCounts done() {
            return new BucketCounts(Arrays.copyOf(bytes, at));
        }
    }
}
