package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

/**
 * A confidence interval of the mean, for requests that wait together. The mean is a ratio of sums over batches in time,
 * whose scatter gives its variance. Immutable.
 *
 * @param meanNanos the mean of all requests
 * @param lowNanos the lower end, at least 0
 * @param highNanos the upper end
 * @see <a href="https://doi.org/10.1002/9780470316481">Cochran: Sampling Techniques, 1977, 6.4</a>
 */
public record MeanInterval(double meanNanos, double lowNanos, double highNanos) {
    /**
     * The interval of a run.
     *
     * @param seconds times in stretches of equal length; at least {@link RunIntervals#LEAST_SECONDS}, not all empty
     * @param confidence from 0.5, below 1
     */
    public static MeanInterval of(List<Distribution> seconds, double confidence) {
        double count = seconds.stream().mapToLong(Distribution::count).sum();
        if (seconds.size() < RunIntervals.LEAST_SECONDS || count == 0) {
            throw new IllegalArgumentException("there must be at least " + RunIntervals.LEAST_SECONDS
                    + " stretches with at least one value, but there were " + seconds.size());
        }
        double mean = seconds.stream().mapToDouble(MeanInterval::sum).sum() / count;
        double[] excess = seconds.stream()
                .mapToDouble(second -> sum(second) - mean * second.count())
                .toArray();
        Batches batches = Batches.of(excess, Memory.of(excess).stretches());
        double halfError = (1 - confidence) / 2;
        double reach = Math.sqrt(batches.variance()) / count * StudentT.quantile(1 - halfError, batches.freedom(1));
        double upper = reach * batches.upperStretch(halfError, 1);
        return new MeanInterval(mean, Math.max(0, mean - reach), mean + upper);
    }

    private static double sum(Distribution batch) {
        return (double) batch.meanNanos() * batch.count();
    }
}
