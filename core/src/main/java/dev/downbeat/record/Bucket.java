package dev.downbeat.record;

/**
 * HdrHistogram's bucket arithmetic for three significant digits: 2,048 buckets of width 1, then 1,024 per doubling,
 * each group twice as wide as the previous one. Buckets are identified by their index, from 0.
 *
 * @see <a href="https://hdrhistogram.github.io/HdrHistogram/">HdrHistogram</a>
 */
public final class Bucket {
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
