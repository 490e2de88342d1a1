package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

/**
 * Between which values the mean lies, for requests that wait together: a ratio of sums over batches in time, whose scatter
 * tells its variance. Immutable.
 *
 * @param meanNanos the mean of all
 * @param lowNanos the lower end, at least 0
 * @param highNanos the upper end
 * @see <a href="https://doi.org/10.1002/9780470316481">Cochran: Sampling Techniques, 1977, 6.4</a>
 */
public record MeanInterval(double meanNanos, double lowNanos, double highNanos) {
    /**
     * The interval of a run.
     *
     * @param batches times in stretches of equal length; at least {@link RunIntervals#LEAST_BATCHES}, not all empty
     * @param confidence from 0.5, below 1
     */
    public static MeanInterval of(List<Distribution> batches, double confidence) {
        double m = batches.size();
        double count = batches.stream().mapToLong(Distribution::count).sum();
        if (m < RunIntervals.LEAST_BATCHES || count == 0) {
            throw new IllegalArgumentException("there must be at least " + RunIntervals.LEAST_BATCHES
                    + " batches with at least one value, but there were " + batches.size());
        }
        double mean = batches.stream().mapToDouble(MeanInterval::sum).sum() / count;
        double squares = 0;
        for (Distribution batch : batches) {
            double excess = sum(batch) - mean * batch.count();
            squares += excess * excess;
        }
        double error = Math.sqrt(m / (m - 1) * squares) / count * StudentT.quantile((1 + confidence) / 2, m - 1);
        return new MeanInterval(mean, Math.max(0, mean - error), mean + error);
    }

    private static double sum(Distribution batch) {
        return (double) batch.meanNanos() * batch.count();
    }
}
