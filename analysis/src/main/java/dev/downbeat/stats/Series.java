package dev.downbeat.stats;

import java.util.Arrays;

/** Arithmetic on time series. */
public final class Series {
    /** Scales the median absolute deviation of normal values to their standard deviation. */
    public static final double TO_SIGMA = 1.4826;

    private Series() {}

    public static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /** The natural logarithm of a time in nanoseconds; 0 for a time of 0. */
    public static double log(long nanos) {
        return Math.log((double) Math.max(1, nanos));
    }

    /** The middle value, or the mean of the two middle values. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The standard deviation of normal values, estimated by the median absolute deviation, which few outliers affect. */
    public static double sigma(double[] values) {
        double middle = median(values);
        return TO_SIGMA
                * median(Arrays.stream(values)
                        .map(value -> Math.abs(value - middle))
                        .toArray());
    }

    /** The sum of squared deviations from the mean. */
    public static double squares(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
    }

    /** Clips values beyond five standard deviations, estimated by the median absolute deviation. */
    public static double[] withoutOutliers(double[] values) {
        double middle = median(values);
        double spread = 5 * sigma(values);
        return Arrays.stream(values)
                .map(value -> Math.max(middle - spread, Math.min(middle + spread, value)))
                .toArray();
    }

    /** Means of consecutive groups of {@code size} values; the remainder is dropped. */
    public static double[] batches(double[] values, int size) {
        double[] means = new double[values.length / size];
        for (int i = 0; i < means.length; i++) {
            means[i] = mean(Arrays.copyOfRange(values, i * size, (i + 1) * size));
        }
        return means;
    }

    /** The slope of the line with the least squares; 0 for a single value. */
    public static double leastSquaresSlope(double[] values) {
        double middle = (values.length - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            products += (i - middle) * values[i];
            squares += (i - middle) * (i - middle);
        }
        return squares > 0 ? products / squares : 0;
    }

    /**
     * The median of the slopes between all pairs.
     *
     * @see <a href="https://doi.org/10.1080/01621459.1968.10480934">Sen: Estimates of the regression coefficient based on
     *     Kendall's tau, J. Am. Stat. Assoc. 63, 1968</a>
     */
    public static double slope(double[] values) {
        int n = values.length;
        double[] slopes = new double[n * (n - 1) / 2];
        int size = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[size++] = (values[j] - values[i]) / (j - i);
            }
        }
        return n < 2 ? 0 : median(slopes);
    }
}
