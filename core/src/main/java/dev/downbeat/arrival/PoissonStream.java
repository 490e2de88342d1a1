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
    double lot() {
        return (SplitMix64.mix(draw + ACCEPT_SALT) >>> 11) * 0x1.0p-53;
    }

    /**
     * Exponentially distributed values with mean 1, each from 64 random bits. The logarithm uses only additions,
     * multiplications and one division, which IEEE 754 defines to the last bit. {@link Math#log} may differ between
     * machines, so the same seed could give different schedules.
     */
    static final class ExponentialGap {
        private static final double LN_2 = 0.6931471805599453;
        private static final double ULP_53 = 0x1.0p-53;
        private static final long SQRT_2_FRACTION = 0x6a09e667f3bcdL;

        private ExponentialGap() {}

        /** Returns a value from 0 to 36.74. The bits are mapped to one of 2^53 values in (0, 1], so log(0) cannot occur. */
        static double of(long bits) {
            return minusLog(((bits >>> 11) + 1) * ULP_53);
        }

        /**
         * The negative natural logarithm of a normal, positive number, to about 1e-15. With x = m * 2^k, m about 1 and s =
         * (m - 1) / (m + 1), log x = k log 2 + 2 (s + s^3/3 + s^5/5 + ...). Since s^2 is below 0.0295, ten terms are
         * enough.
         */
        static double minusLog(double x) {
            long raw = Double.doubleToRawLongBits(x);
            long fraction = raw & 0xfffffffffffffL;
            int carry = fraction > SQRT_2_FRACTION ? 1 : 0;
            int k = (int) (raw >>> 52) - 1023 + carry;
            double m = Double.longBitsToDouble(fraction | ((long) (1023 - carry) << 52));
            double s = (m - 1) / (m + 1);
            double s2 = s * s;
            double s4 = s2 * s2;
            double s8 = s4 * s4;
            // grouped in pairs (Estrin's scheme) for instruction-level parallelism
            double low = (1.0 / 3 + s2 * (1.0 / 5)) + s4 * (1.0 / 7 + s2 * (1.0 / 9));
            double high = (1.0 / 11 + s2 * (1.0 / 13)) + s4 * (1.0 / 15 + s2 * (1.0 / 17));
            double series = low + s8 * (high + s8 * (1.0 / 19 + s2 * (1.0 / 21)));
            return -(k * LN_2 + 2 * (s + s * s2 * series));
        }
    }
}
