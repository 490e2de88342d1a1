package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;

/**
 * The 95 % confidence interval of a percentile. Immutable.
 *
 * @param percentile above 0, below 100
 * @param valueNanos the sample percentile
 * @param lowNanos lower end; empty if there are too few values
 * @param highNanos upper end; empty if there are too few values
 * @param effectiveCount equivalent number of independent values
 */
public record QuantileInterval(
        double percentile, long valueNanos, OptionalLong lowNanos, OptionalLong highNanos, double effectiveCount) {
    /** The probability that the interval contains the service's percentile. */
    public static final double CONFIDENCE = 0.95;

    private static final double ERROR = 1 - CONFIDENCE;
    static final Histogram LAYOUT = Distribution.newHistogram();

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

    /**
     * The interval from order statistics, for independent values, such as requests at one position of independently
     * opened connections. Requests of a load test are dependent: use {@link RunIntervals} for them. Each end errs in at
     * most 2.5 % of all cases.
     *
     * @see <a href="https://doi.org/10.1002/9780470316771">Hahn, Meeker: Statistical Intervals, 1991, 5.2</a>
     */
    public static QuantileInterval ofIndependent(Distribution values, double percentile) {
        requireInside(percentile);
        long n = values.count();
        double p = percentile / 100;
        long low = firstRank(n, rank -> Beta.binomialCdf(rank - 1, n, p) > ERROR / 2) - 1;
        long high = firstRank(n, rank -> Beta.binomialCdf(rank - 1, n, p) >= 1 - ERROR / 2);
        return new QuantileInterval(
                percentile,
                values.valueAtPercentile(percentile),
                low < 1 ? OptionalLong.empty() : OptionalLong.of(lowestAt(values, low)),
                high > n ? OptionalLong.empty() : OptionalLong.of(values.valueAtRank(high)),
                n);
    }

    /** The first rank that passes a monotonic test; n + 1 if there is none. */
    private static long firstRank(long n, LongPredicate isBeyond) {
        long below = 0;
        long first = n + 1;
        while (first - below > 1) {
            long middle = (below + first) >>> 1;
            if (isBeyond.test(middle)) {
                first = middle;
            } else {
                below = middle;
            }
        }
        return first;
    }

    static long lowestAt(Distribution values, long rank) {
        return LAYOUT.lowestEquivalentValue(values.valueAtRank(rank));
    }
}
