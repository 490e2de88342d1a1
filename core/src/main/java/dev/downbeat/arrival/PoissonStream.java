package dev.downbeat.arrival;

import java.math.BigInteger;

/**
 * A Poisson process split into blocks of a whole number of nanoseconds. Each block has its own random stream. It draws
 * exponential gaps from its start until one crosses its end, and drops that one. Exponential gaps are memoryless, so
 * the blocks are independent and together form exactly a Poisson process (the interval theorem in Kingman, Poisson
 * Processes, 1993). Rounding errors do not accumulate, since every block starts at a whole multiple of its length.
 */
final class PoissonStream implements IntendedTimes {
    private static final long ARRIVALS_PER_BLOCK = 1024;

    /** Up to this length a double resolves positions within a block to better than 1 ns; 52 days. */
    private static final long LONGEST_BLOCK_NANOS = 1L << 52;

    private static final long OWNER_SALT = 0xd1b54a32d192ed03L;
    private static final long ACCEPT_SALT = 0x8cb92ba72f3d8dd7L;

    private final long seed;
    private final long blockNanos;
    private final double gapNanos;
    private long blockStartNanos;
    private long block;
    private long state;
    private long draw;
    private double withinNanos;
    private long index = -1;

    PoissonStream(Rate rate, long seed) {
        this.seed = seed;
        this.blockNanos = rate.isZero() ? END : blockNanos(rate);
        this.gapNanos = (double) rate.periodNanos() / rate.count();
        enter(rate.isZero() ? -1 : 0);
    }

    static long blockNanos(Rate rate) {
        return BigInteger.valueOf(rate.periodNanos())
                .multiply(BigInteger.valueOf(ARRIVALS_PER_BLOCK))
                .divide(BigInteger.valueOf(rate.count()))
                .max(BigInteger.ONE)
                .min(BigInteger.valueOf(LONGEST_BLOCK_NANOS))
                .longValueExact();
    }

    /** A block with a negative start lies beyond the range of a long and ends the stream. */
    private void enter(long number) {
        block = number;
        blockStartNanos = number * blockNanos;
        withinNanos = 0;
        state = SplitMix64.stateOf(seed, number);
    }

    @Override
    public long nextNanos() {
        while (blockStartNanos >= 0) {
            state += SplitMix64.STEP;
            draw = SplitMix64.mix(state);
            withinNanos += gapNanos * ExponentialGap.of(draw);
            if (withinNanos < blockNanos) {
                long nanos = blockStartNanos + (long) withinNanos;
                if (nanos >= 0 && nanos != END) {
                    index++;
                    return nanos;
                }
            } else {
                enterNext();
            }
        }
        return END;
    }

    @Override
    public long index() {
        return index;
    }

    private void enterNext() {
        long start = blockStartNanos + blockNanos;
        enter(block + 1);
        blockStartNanos = start < 0 ? -1 : start;
    }

    /**
     * The generator that owns the last arrival, chosen at random. The draw's bits are mixed again, so the choice is
     * independent of the gap.
     */
    @Override
    public int owner(int shares) {
        return (int) (((SplitMix64.mix(draw ^ OWNER_SALT) >>> 32) * shares) >>> 32);
    }

    /** A uniform number in [0, 1) for the last arrival, independent of its gap and its owner. */
    double uniform() {
        return (SplitMix64.mix(draw + ACCEPT_SALT) >>> 11) * 0x1.0p-53;
    }
}
