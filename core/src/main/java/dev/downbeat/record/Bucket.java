package dev.downbeat.record;

/**
 * The arithmetic of HdrHistogram's buckets for three significant digits: 2,048 of width 1, then 1,024 for each doubling,
 * twice as wide as those before. A bucket is known by its place in that row, from 0.
 *
 * @see <a href="https://hdrhistogram.github.io/HdrHistogram/">HdrHistogram</a>
 */
public final class Bucket {
    /** Buckets per doubling, as a power of two. */
    private static final int HALF_BITS = 10;

    private static final int HALF = 1 << HALF_BITS;

    private Bucket() {}

    /** Of a duration below 2^53: it is its own as a double, whose exponent every compiler of the JVM reads in a step. */
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
