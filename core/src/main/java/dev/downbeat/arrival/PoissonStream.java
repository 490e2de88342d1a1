package dev.downbeat.arrival;

import static dev.downbeat.arrival.IntendedTimes.END;

import java.math.BigInteger;

/**
 * A Poisson process cut into blocks of whole nanoseconds. Each block has its own random stream and draws exponential gaps
 * from its beginning until one crosses its end; that one is dropped. The gap law has no memory, so what follows the cut is
 * independent of what came before it and the whole is exactly a Poisson process (the interval theorem in Kingman, Poisson
 * Processes, 1993). Hence any block can be had without those before it, and rounding cannot add up, since every block
 * starts afresh at a whole multiple of its length.
 *
 * <p>Not thread-safe.
 */
final class PoissonStream {
    private static final long ARRIVALS_PER_BLOCK = 1024;

    /** Up to here a double holds a place within a block to better than 1 ns; 52 days. */
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

    /** Goes to the first arrival at or after an offset. */
    void seek(long offsetNanos) {
        if (blockStartNanos < 0) {
            return;
        }
        enter(offsetNanos / blockNanos);
        long stateBefore;
        double withinBefore;
        long blockBefore;
        do {
            stateBefore = state;
            withinBefore = withinNanos;
            blockBefore = block;
        } while (nextNanos() < offsetNanos);
        if (blockBefore != block) {
            enter(blockBefore);
        }
        state = stateBefore;
        withinNanos = withinBefore;
    }

    /** A block whose start is negative lies beyond the range of a long: the end. */
    private void enter(long number) {
        block = number;
        blockStartNanos = number * blockNanos;
        withinNanos = 0;
        state = SplitMix64.stateOf(seed, number);
    }

    long nextNanos() {
        while (blockStartNanos >= 0) {
            state += SplitMix64.STEP;
            draw = SplitMix64.mix(state);
            withinNanos += gapNanos * ExponentialGap.of(draw);
            if (withinNanos < blockNanos) {
                long nanos = blockStartNanos + (long) withinNanos;
                if (nanos >= 0 && nanos != END) {
                    return nanos;
                }
            } else {
                enterNext();
            }
        }
        return END;
    }

    private void enterNext() {
        long start = blockStartNanos + blockNanos;
        enter(block + 1);
        blockStartNanos = start < 0 ? -1 : start;
    }

    /** Whose the last arrival is, by lot: the draw's bits mixed again, so the share tells nothing about the gap. */
    int owner(int shares) {
        return (int) (((SplitMix64.mix(draw ^ OWNER_SALT) >>> 32) * shares) >>> 32);
    }

    /** A number from 0 to below 1 that belongs to the last arrival and is independent of its gap and its owner. */
    double lot() {
        return (SplitMix64.mix(draw + ACCEPT_SALT) >>> 11) * 0x1.0p-53;
    }
}
