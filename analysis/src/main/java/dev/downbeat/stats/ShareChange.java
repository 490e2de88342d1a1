package dev.downbeat.stats;

import java.util.List;

/**
 * By how much a share of requests, such as that of failures, differs between two systems. The share is a ratio of sums over
 * blocks in time, so its variance is seen from how the blocks differ (Cochran: Sampling Techniques, 3rd ed. 1977, 6.3), but
 * is never taken to be less than that of independent requests.
 *
 * @param base share of the system that is compared with, from 0 to 1
 * @param other share of the other one
 * @param low lower end of the 99 % interval of the difference {@code other - base}
 * @param high upper end of it
 */
public record ShareChange(double base, double other, double low, double high) {
    /** Rarer than the 5 % of the percentiles: it is one more question about the same runs. */
    private static final double HALF_ERROR = 0.005;

    /** Degrees of freedom at which Student's t is the normal law. */
    private static final double MANY = 1_000;

    /**
     * One block.
     *
     * @param part requests of the kind that is asked about
     * @param whole all requests
     */
    public record Tally(long part, long whole) {}

    /**
     * Compares two systems. A side of one block is taken for independent requests.
     *
     * @param turns whether the n-th blocks of both were measured together
     * @param rarer how many times rarer than 1 % the interval may err, 1 or more
     */
    public static ShareChange of(List<Tally> base, List<Tally> other, boolean turns, double rarer) {
        Share one = new Share(base);
        Share two = new Share(other);
        double variance =
                turns ? Math.max(paired(one, two), one.binomial() + two.binomial()) : one.variance() + two.variance();
        double freedom = Math.min(one.freedom(), two.freedom());
        double reach = Math.sqrt(variance) * StudentT.quantile(1 - HALF_ERROR / rarer, freedom);
        double change = two.share - one.share;
        return new ShareChange(one.share, two.share, change - reach, change + reach);
    }

    /** Whether the other system surely has the greater share. */
    public boolean isMore() {
        return low > 0;
    }

    /** Whether the other system surely has the smaller share. */
    public boolean isLess() {
        return high < 0;
    }

    private static double paired(Share one, Share two) {
        int blocks = Math.min(one.tallies.size(), two.tallies.size());
        double squares = 0;
        for (int i = 0; i < blocks; i++) {
            double difference = two.excess(i) - one.excess(i);
            squares += difference * difference;
        }
        return blocks < 2 ? 0 : blocks / (blocks - 1.0) * squares;
    }

    private static final class Share {
        private final List<Tally> tallies;
        private final double whole;
        private final double share;

        Share(List<Tally> tallies) {
            this.tallies = tallies;
            whole = Math.max(1, tallies.stream().mapToLong(Tally::whole).sum());
            share = tallies.stream().mapToLong(Tally::part).sum() / whole;
        }

        double excess(int i) {
            return (tallies.get(i).part() - share * tallies.get(i).whole()) / whole;
        }

        double freedom() {
            return tallies.size() < 2 ? MANY : tallies.size() - 1;
        }

        double binomial() {
            return share * (1 - share) / whole;
        }

        double variance() {
            double squares = 0;
            for (int i = 0; i < tallies.size(); i++) {
                squares += excess(i) * excess(i);
            }
            double n = tallies.size();
            return Math.max(binomial(), n < 2 ? 0 : n / (n - 1) * squares);
        }
    }
}
