package dev.downbeat.stats.change;

import dev.downbeat.stats.Batches;
import dev.downbeat.stats.Batches.Memory;
import dev.downbeat.stats.StudentT;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The difference between two systems in a share of requests, such as failures. The share is a ratio of sums over
 * blocks, whose scatter gives its variance (Cochran: Sampling Techniques, 3rd ed. 1977, 6.3). The variance is never
 * taken below that of independent requests. Clustered failures make a run's seconds scatter more, so seconds are merged
 * until they are independent. The interval counts one more request of each kind per system, since the scatter of a few
 * requests that all fared alike is not 0 (Agresti and Caffo: Simple and effective confidence intervals for proportions,
 * Am. Stat. 54, 2000).
 *
 * @param base share of the base, from 0 to 1
 * @param other share of the other system, from 0 to 1
 * @param low lower end of the 99 % interval of the difference {@code other - base}
 * @param high upper end of the 99 % interval
 */
public record ShareChange(double base, double other, double low, double high) {
    /** Stricter than the 5 % of the percentiles, since it is one more question about the same runs. */
    private static final double HALF_ERROR = 0.005;

    /** Degrees of freedom at which Student's t distribution equals the normal distribution. */
    private static final double MANY = 1_000;

    /** The variance of independent failures exceeds this many standard deviations once in a thousand runs. */
    private static final double FAR = 3.1;

    /**
     * Counts of one block.
     *
     * @param part requests of the kind in question
     * @param whole all requests
     */
    public record BlockCounts(long part, long whole) {}

    /**
     * Counts of one system. The requests of a single block are taken as independent.
     *
     * @param blocks runs, or stretches of equal length
     * @param isOneRun whether the blocks are consecutive stretches of one run
     */
    public record Side(List<BlockCounts> blocks, boolean isOneRun) {
        public Side {
            blocks = List.copyOf(blocks);
        }
    }

    /**
     * Compares two systems.
     *
     * @param turns whether the n-th blocks of both were measured together
     * @param rarer how many times rarer than 1 % the interval may err, 1 or more
     */
    public static ShareChange of(Side base, Side other, boolean turns, double rarer) {
        Share one = new Share(base);
        Share two = new Share(other);
        double variance =
                turns ? Math.max(paired(one, two), one.binomial() + two.binomial()) : one.variance + two.variance;
        double freedom = Math.min(one.freedom, two.freedom);
        double reach = Math.sqrt(variance) * StudentT.quantile(1 - HALF_ERROR / rarer, freedom);
        double change = two.likelyShare() - one.likelyShare();
        return new ShareChange(one.share, two.share, change - reach, change + reach);
    }

    /** Whether the other system's share is certainly greater. */
    public boolean isMore() {
        return low > 0;
    }

    /** Whether the other system's share is certainly smaller. */
    public boolean isLess() {
        return high < 0;
    }

    private static double paired(Share one, Share two) {
        int blocks = Math.min(one.blocks.size(), two.blocks.size());
        double squares = 0;
        for (int i = 0; i < blocks; i++) {
            double difference = two.excess(i) - one.excess(i);
            squares += difference * difference;
        }
        return blocks < 2 ? 0 : blocks / (blocks - 1.0) * squares;
    }

    private static final class Share {
        private final List<BlockCounts> blocks;
        private final double whole;
        private final double share;
        private final double variance;
        private final double freedom;

        Share(Side side) {
            blocks = side.blocks();
            whole = Math.max(1, blocks.stream().mapToLong(BlockCounts::whole).sum());
            share = blocks.stream().mapToLong(BlockCounts::part).sum() / whole;
            double n = blocks.size();
            double[] excess =
                    IntStream.range(0, blocks.size()).mapToDouble(this::excess).toArray();
            double apart = n < 2
                    ? 0
                    : n
                            / (n - 1)
                            * Arrays.stream(excess).map(each -> each * each).sum();
            if (side.isOneRun() && n >= Batches.LEAST && apart > binomial() * (1 + FAR * Math.sqrt(2 / (n - 1)))) {
                Batches batches = Batches.of(excess, Memory.of(excess).stretches());
                variance = Math.max(binomial(), batches.variance());
                freedom = batches.freedom(1);
            } else {
                variance = Math.max(binomial(), apart);
                freedom = n < 2 ? MANY : n - 1;
            }
        }

        double excess(int i) {
            return (blocks.get(i).part() - share * blocks.get(i).whole()) / whole;
        }

        /** With one more request of each kind. */
        double likelyShare() {
            return (share * whole + 1) / (whole + 2);
        }

        /** The variance of {@link #likelyShare()} if requests are independent. */
        double binomial() {
            return likelyShare() * (1 - likelyShare()) / (whole + 2);
        }
    }
}
