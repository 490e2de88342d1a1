package dev.downbeat.record;

import java.util.Arrays;

/**
 * Non-empty buckets, ascending, with their counts. Each is stored as the step from the previous bucket and the count,
 * as variable-length integers. A bucket takes two or three bytes instead of sixteen. This matters: a long run stores
 * thousands of distributions with a thousand buckets each. Immutable.
 */
public final class BucketCounts {
    static final BucketCounts NONE = new BucketCounts(new byte[0]);

    private final byte[] bytes;

    private BucketCounts(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads what {@link #bytes} wrote, which may come from a foreign file.
     *
     * @param last the last bucket there is
     * @throws IllegalArgumentException if the bytes are cut off, the buckets do not ascend, one counts nothing, or all
     *     together more than a long
     */
    static BucketCounts read(byte[] bytes, int last) {
        boolean isEven = true;
        for (byte b : bytes) {
            isEven ^= b >= 0;
        }
        if (!isEven || (bytes.length > 0 && bytes[bytes.length - 1] < 0)) {
            throw new IllegalArgumentException("a distribution is cut off");
        }
        Writer read = new Writer(bytes.length + Writer.MAX_PAIR_BYTES);
        int before = -1;
        long all = 0;
        for (Cursor cursor = new Cursor(bytes); cursor.next(); before = cursor.bucket()) {
            all += cursor.count();
            if (cursor.bucket() <= before || cursor.bucket() > last || cursor.count() < 1 || all < 0) {
                throw new IllegalArgumentException(
                        "invalid distribution: bucket " + cursor.bucket() + " with count " + cursor.count());
            }
            read.add(cursor.bucket(), cursor.count());
        }
        return all == 0 ? NONE : read.done();
    }

    /** The steps and counts, as {@link #read} reads them. */
    byte[] bytes() {
        return bytes.clone();
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

    /** Iterates over the buckets; initially before the first. */
    static final class Cursor {
        private final byte[] bytes;
        private int at;
        private int bucket;
        private long count;

        private Cursor(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Moves to the next bucket; returns false if there is none. */
        boolean next() {
            if (at == bytes.length) {
                bucket = Integer.MAX_VALUE; // past all others
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

        /** Most numbers take one byte, and a merge of a thousand shards reads millions. */
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

    /** Appends buckets in ascending order. */
    public static final class Writer {
        private static final int MAX_PAIR_BYTES = 15;

        private byte[] bytes;
        private int at;
        private int last;

        public Writer() {
            this(64);
        }

        private Writer(int capacity) {
            bytes = new byte[capacity];
        }

        /** Sized for the sum of two, which never exceeds their combined size. */
        static Writer ofSum(BucketCounts first, BucketCounts second) {
            return new Writer(first.bytes.length + second.bytes.length + MAX_PAIR_BYTES);
        }

        public void add(int bucket, long count) {
            if (bytes.length - at < MAX_PAIR_BYTES) {
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

    /**
     * HdrHistogram's bucket arithmetic for three significant digits: 2,048 buckets of width 1, then 1,024 per doubling,
     * each group twice as wide as the previous one. Buckets are identified by their index, from 0.
     *
     * @see <a href="https://hdrhistogram.github.io/HdrHistogram/">HdrHistogram</a>
     */
    public static final class Bucket {
        /** Buckets per doubling, as a power of two. */
        private static final int HALF_BITS = 10;

        private static final int HALF = 1 << HALF_BITS;

        private Bucket() {}

        /**
         * The bucket of a duration below 2^53. It is exact as a double, whose exponent JIT compilers extract in one step.
         */
        public static int of(long nanos) {
            int doublings = Math.getExponent((double) (nanos | (2 * HALF - 1))) - HALF_BITS;
            return (doublings << HALF_BITS) + (int) (nanos >>> doublings);
        }

        private static int doublings(int bucket) {
            return Math.max(0, (bucket >> HALF_BITS) - 1);
        }

        static long lowest(int bucket) {
            int doublings = doublings(bucket);
            return (long) (bucket - (doublings << HALF_BITS)) << doublings;
        }

        static long highest(int bucket) {
            return lowest(bucket) + (1L << doublings(bucket)) - 1;
        }

        static long middle(int bucket) {
            return lowest(bucket) + ((1L << doublings(bucket)) >> 1);
        }
    }
}
