package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

/**
 * Sums over stretches of a run, long enough to be independent of each other. Each sum is the number of requests in
 * excess of the stretch's share. The correlation time of a queue grows without limit towards saturation, so the batch
 * length is estimated. It is the shortest length whose neighbours pass von Neumann's test of independence at 10 %.
 * Remaining correlation still widens the variance, and skewness the upper end of intervals; no single one of the three
 * corrections suffices. Immutable.
 *
 * @see <a href="https://doi.org/10.1214/aoms/1177731677">von Neumann: Distribution of the ratio of the mean square
 *     successive difference to the variance, Ann. Math. Stat. 12, 1941</a>
 */
public final class Batches {
    /** The least number of batches; the scatter of fewer is not conclusive. */
    public static final int LEAST = 10;

    /** The normal quantile for a one-sided error of 10 %. */
    private static final double Z = 1.2816;

    /** The same for 0.5 %, at which a single percentile fails the test. */
    private static final double ALONE = 2.5758;

    private static final double MOST_CORRELATION = 0.8;
    private static final double LEAST_FREEDOM = 3;
    private static final double LEAST_SKEWNESS = -2;
    private static final double MOST_SKEWNESS = 3;
    private static final double LEAST_STRETCH = 0.7;
    private static final double STRAIGHT = 1e-6;

    private final double[] sums;
    private final double squares;

    private Batches(double[] sums) {
        this.sums = sums;
        double found = 0;
        for (double sum : sums) {
            found += sum * sum;
        }
        squares = found;
    }

    /** Requests above the {@linkplain #limit limit} of a percentile, less the expected number for the stretch's size; the sum is 0. */
    public static double[] excess(List<Distribution> seconds, Distribution whole, double percentile) {
        long value = limit(whole, percentile);
        double share = (double) whole.countAbove(value) / Math.max(1, whole.count());
        return seconds.stream()
                .mapToDouble(second -> second.countAbove(value) - share * second.count())
                .toArray();
    }

    /**
     * The value whose excess is counted for a percentile: the percentile itself, or the value below if nothing is above
     * it. Many requests may share the greatest value, and their scatter would otherwise be missed.
     */
    static long limit(Distribution whole, double percentile) {
        long value = whole.valueAtPercentile(percentile);
        return whole.countAbove(value) == 0 && whole.minNanos() < value
                ? QuantileInterval.LAYOUT.lowestEquivalentValue(value) - 1
                : value;
    }

    /** Batches of {@code size} seconds; the remainder is added to the last one. */
    public static Batches of(double[] excess, int size) {
        double[] sums = new double[excess.length / size];
        for (int i = 0; i < excess.length; i++) {
            sums[Math.min(i / size, sums.length - 1)] += excess[i];
        }
        return new Batches(sums);
    }

    /** The least batch length in seconds; 0 if it exceeds a tenth of the run. */
    public static int size(double[] excess) {
        return size(List.of(excess));
    }

    /**
     * The least batch length at which the mean correlation over several percentiles passes the test. A wandering level
     * shows at most percentiles, or strongly at one. If each had to pass, calm runs would fail by chance in proportion
     * to the number of percentiles.
     *
     * @param series the excess of each percentile; at least one, all equally long
     */
    static int size(List<double[]> series) {
        int seconds = series.get(0).length;
        for (int size = 1; seconds / size >= LEAST; size++) {
            double m = Math.floor((double) seconds / size);
            double sum = 0;
            double most = 0;
            for (double[] excess : series) {
                double correlation = of(excess, size).correlation();
                sum += correlation;
                most = Math.max(most, correlation);
            }
            double deviation = Math.sqrt((m - 2) / (m * m - 1));
            if (sum / series.size() <= Z * deviation && most <= ALONE * deviation) {
                return size;
            }
        }
        return 0;
    }

    /** The internal array; must not be modified. */
    public double[] sums() {
        return sums;
    }

    public int count() {
        return sums.length;
    }

    /** The correlation of neighbouring batches, from -1 to 1. */
    public double correlation() {
        double differences = 0;
        for (int i = 1; i < sums.length; i++) {
            differences += (sums[i] - sums[i - 1]) * (sums[i] - sums[i - 1]);
        }
        return squares > 0 ? 1 - differences / (2 * squares) : 0;
    }

    /** The factor by which correlation raises the variance of the mean, at least 1; corrected for few batches. */
    double dependence() {
        double kept = Math.min(MOST_CORRELATION, Math.max(0, correlation() + 1.0 / sums.length));
        return (1 + kept) / (1 - kept);
    }

    public double variance() {
        double m = sums.length;
        return m / (m - 1) * squares * dependence();
    }

    /** Degrees of freedom of that variance, for a run {@code longer} times as long. */
    public double freedom(double longer) {
        double m = sums.length * longer;
        return Math.min(m - 1, Math.max(LEAST_FREEDOM, m / dependence() - 1));
    }

    /**
     * The factor that lengthens the upper half of an interval, since a few batches contain most slow requests; at least
     * 1.
     *
     * @see <a href="https://doi.org/10.1080/03610918.2005.10683793">Willink: A confidence interval and test for the
     *     mean of an asymmetric distribution, Commun. Stat. Theory Methods 34, 2005</a>
     */
    double upperStretch(double halfError, double longer) {
        return Math.max(1, -stretch(-1, halfError, sums.length * longer));
    }

    /** The factor that shortens the lower half for the same reason; at most 1. */
    double lowerStretch(double halfError) {
        return Math.max(LEAST_STRETCH, Math.min(1, stretch(1, halfError, sums.length)));
    }

    private double stretch(int side, double halfError, double m) {
        double a = skewness() / (6 * Math.sqrt(m));
        double t = StudentT.quantile(1 - halfError, m - 1);
        return Math.abs(a) < STRAIGHT ? side : (Math.cbrt(1 + 6 * a * (side * t - a)) - 1) / (2 * a) / t;
    }

    private double skewness() {
        double m = sums.length;
        double cubes = 0;
        for (double sum : sums) {
            cubes += sum * sum * sum;
        }
        double spread = Math.pow(squares / m, 1.5);
        double skewness = spread > 0 ? cubes / m / spread * Math.sqrt(m * (m - 1)) / (m - 2) : 0;
        return Math.max(LEAST_SKEWNESS, Math.min(MOST_SKEWNESS, skewness));
    }

    /**
     * The recommended length of a run in seconds, from the correlation of batches of a tenth of the run. Ten batches
     * pass the test if each is 1.8 correlation times long.
     */
    static int neededSeconds(double[] excess) {
        int size = Math.max(1, excess.length / LEAST);
        double observed = Math.min(MOST_CORRELATION + 0.1, of(excess, size).correlation() + 1.0 / LEAST);
        double low = 0.05; // batch length in correlation times
        double high = 10;
        for (int i = 0; i < 50; i++) {
            double middle = (low + high) / 2;
            if (neighbours(middle) > observed) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (int) Math.ceil(LEAST * Math.max(1.5 * size, 1.8 * size / low));
    }

    /** The correlation of neighbouring batches that are x correlation times long, for exponential correlation. */
    private static double neighbours(double x) {
        double decayed = -Math.expm1(-x);
        return decayed * decayed / (2 * (x - decayed));
    }

    /**
     * How long the requests of a run depend on each other, as far as the run shows it.
     *
     * @param stretches stretches (seconds) per batch needed for neighbouring batches to look independent; at least 1
     * @param stretchesNeeded recommended number of stretches; 0 if the run was long enough for ten batches
     */
    public record Memory(int stretches, int stretchesNeeded) {
        /** Whether the memory exceeds a tenth of the run, so that no interval is reliable. */
        public boolean isTooLong() {
            return stretchesNeeded > 0;
        }

        Memory and(Memory other) {
            return new Memory(Math.max(stretches, other.stretches), Math.max(stretchesNeeded, other.stretchesNeeded));
        }

        public static Memory of(double[] excess) {
            int size = Batches.size(excess);
            return size > 0
                    ? new Memory(size, 0)
                    : new Memory(excess.length / Batches.LEAST, Batches.neededSeconds(excess));
        }
    }
}
