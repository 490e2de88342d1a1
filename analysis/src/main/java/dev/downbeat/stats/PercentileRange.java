package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The range of a percentile over tenths of a run, in logarithms of nanoseconds. It replaces the interval where requests
 * depend on each other for too long. Immutable.
 *
 * @param low logarithm of the lowest value
 * @param high logarithm of the highest value
 */
public record PercentileRange(double low, double high) {
    /**
     * The service's percentile may be outside the observed range by this multiple of its width. In simulations,
     * identical pairs then differ in at most 5.3 %. They had utilisations up to 0.98 and levels that wander for up to
     * eight times a run's length. With a factor of three, 12 % differ.
     */
    private static final double TIMES = 5;

    /** Movements within the width of a histogram bucket (0.1 %) are invisible. */
    private static final double BUCKET_WIDTH = Math.log(1.001);

    /** A percentile that moves by at most 1 % is steady, in any order of values. */
    private static final double SLIGHT = Math.log(1.01);

    /** An end ten times as far as the observed value is not informative. */
    private static final double MOST_INFORMATIVE_REACH = Math.log(10);

    /**
     * The movement in a run.
     *
     * @param tenths parts of the run, as {@link #tenths} cuts it
     * @param percentile above 0, below 100
     * @return empty if there are no parts, or one has less than one request beyond the percentile
     */
    public static Optional<PercentileRange> of(List<Distribution> tenths, double percentile) {
        if (tenths.isEmpty() || tenths.stream().anyMatch(tenth -> tenth.count() * (1 - percentile / 100) < 1)) {
            return Optional.empty();
        }
        double[] logs = tenths.stream()
                .mapToDouble(tenth -> Series.log(tenth.valueAtPercentile(percentile)))
                .sorted()
                .toArray();
        return Optional.of(new PercentileRange(logs[0], logs[logs.length - 1]));
    }

    /** A run in ten parts, or in its stretches if there are fewer than ten. */
    public static List<Distribution> tenths(List<Distribution> stretches) {
        int size = stretches.size();
        int parts = Math.min(Batches.LEAST, size);
        return IntStream.range(0, parts)
                .mapToObj(i -> Distribution.sum(stretches.subList(i * size / parts, (i + 1) * size / parts)))
                .toList();
    }

    public double width() {
        return high - low;
    }

    private double reach() {
        return TIMES * Math.max(BUCKET_WIDTH, width());
    }

    public boolean isInformative() {
        return reach() <= MOST_INFORMATIVE_REACH;
    }

    /** Whether it is negligible. */
    public boolean isSlight() {
        return high - low <= SLIGHT;
    }

    /** Lower bound of the service's percentile, as a logarithm. */
    public double leastLog() {
        return low - reach();
    }

    /** Upper bound of the service's percentile, as a logarithm. */
    public double mostLog() {
        return high + reach();
    }
}
