package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.Objects;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Between which values a percentile lies with a confidence of 95 %. Immutable.
 *
 * @param percentile above 0, below 100
 * @param valueNanos the percentile of the data
 * @param lowNanos the lower end; empty if there are too few values for one
 * @param highNanos the upper end; empty if there are too few values for one
 * @param effectiveCount how many independent values would tell as much
 */
public record QuantileInterval(
        double percentile, long valueNanos, OptionalLong lowNanos, OptionalLong highNanos, double effectiveCount) {
    /** The probability that the interval holds the percentile of the service. */
    public static final double CONFIDENCE = 0.95;

    private static final double ERROR = 1 - CONFIDENCE;
    private static final Histogram LAYOUT = Distribution.newHistogram();

    public QuantileInterval {
        requireInside(percentile);
        Objects.requireNonNull(lowNanos, "lowNanos");
        Objects.requireNonNull(highNanos, "highNanos");
    }

    public static void requireInside(double percentile) {
        if (!(percentile > 0 && percentile < 100)) {
            throw new IllegalArgumentException("percentile must be above 0 and below 100, but was " + percentile);
        }
    }

    /** Whether both ends are known. */
    public boolean isBounded() {
        return lowNanos.isPresent() && highNanos.isPresent();
    }

    /** Whether a value lies inside; an end that is not known excludes nothing. */
    public boolean holds(long nanos) {
        return (lowNanos.isEmpty() || lowNanos.getAsLong() <= nanos)
                && (highNanos.isEmpty() || nanos <= highNanos.getAsLong());
    }

    /**
     * The interval from ranks, for values that do not depend on each other, such as the requests at one position of
     * connections that were opened at different times. The values of a load test do depend on each other: use {@link
     * RunIntervals} for them. Each end is wrong in at most 2.5 % of all cases.
     *
     * @see <a href="https://doi.org/10.1002/9780470316771">Hahn, Meeker: Statistical Intervals, 1991, 5.2</a>
     */
    public static QuantileInterval ofIndependent(Distribution values, double percentile) {
        requireInside(percentile);
        long n = values.count();
        double p = percentile / 100;
        long low = greatestLow(n, p);
        long high = leastHigh(n, p);
        return new QuantileInterval(
                percentile,
                values.valueAtPercentile(percentile),
                low < 1 ? OptionalLong.empty() : OptionalLong.of(lowestAt(values, low)),
                high > n ? OptionalLong.empty() : OptionalLong.of(values.valueAtRank(high)),
                n);
    }

    /** The greatest rank with no more than half of the error below it; 0 if there is none. */
    private static long greatestLow(long n, double p) {
        long low = 0;
        long beyond = n + 1;
        while (beyond - low > 1) {
            long middle = (low + beyond) >>> 1;
            if (Beta.binomialCdf(middle - 1, n, p) <= ERROR / 2) {
                low = middle;
            } else {
                beyond = middle;
            }
        }
        return low;
    }

    /** The least rank with no more than half of the error above it; n + 1 if there is none. */
    private static long leastHigh(long n, double p) {
        long below = 0;
        long high = n + 1;
        while (high - below > 1) {
            long middle = (below + high) >>> 1;
            if (Beta.binomialCdf(middle - 1, n, p) >= 1 - ERROR / 2) {
                high = middle;
            } else {
                below = middle;
            }
        }
        return high;
    }

    static long lowestAt(Distribution values, long rank) {
        return LAYOUT.lowestEquivalentValue(values.valueAtRank(rank));
    }
}
