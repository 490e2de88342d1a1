package dev.downbeat.stats;

import java.util.Arrays;

/** Arithmetic on values in the order of time. */
final class Series {
    /** Makes the median absolute deviation of normal values their standard deviation. */
    private static final double TO_SIGMA = 1.4826;

    private Series() {}

    static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /** The middle one, or the mean of the two in the middle. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Sum of squared distances from the mean. */
    static double squares(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
    }

    /** Values beyond five standard deviations, estimated by the median absolute deviation, are drawn in to them. */
    static double[] withoutOutliers(double[] values) {
        double middle = median(values);
        double spread = 5
                * TO_SIGMA
                * median(Arrays.stream(values)
                        .map(value -> Math.abs(value - middle))
                        .toArray());
        return Arrays.stream(values)
                .map(value -> Math.max(middle - spread, Math.min(middle + spread, value)))
                .toArray();
    }

    /** Means of so many neighbours each; what is left over at the end is dropped. */
    static double[] batches(double[] values, int size) {
        double[] means = new double[values.length / size];
        for (int i = 0; i < means.length; i++) {
            means[i] = mean(Arrays.copyOfRange(values, i * size, (i + 1) * size));
        }
        return means;
    }

    /**
     * The variance that the mean of values with memory has, times their number.
     *
     * @see <a href="https://doi.org/10.2307/1913610">Newey, West: A simple, positive semi-definite, heteroskedasticity and
     *     autocorrelation consistent covariance matrix, Econometrica 55, 1987</a>
     */
    static double longRunVariance(double[] values) {
        int n = values.length;
        int window = (int) (4 * Math.pow(n / 100.0, 0.25));
        double mean = mean(values);
        double sum = 0;
        for (int lag = 0; lag <= window; lag++) {
            double covariance = 0;
            for (int i = lag; i < n; i++) {
                covariance += (values[i] - mean) * (values[i - lag] - mean);
            }
            sum += covariance / n * (lag == 0 ? 1 : 2 * (1 - lag / (window + 1.0)));
        }
        return sum;
    }

    /**
     * The median of the slopes between all pairs.
     *
     * @see <a href="https://doi.org/10.1080/01621459.1968.10480934">Sen: Estimates of the regression coefficient based on
     *     Kendall's tau, J. Am. Stat. Assoc. 63, 1968</a>
     */
    static double slope(double[] values) {
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

    /**
     * How many standard deviations the number of rising pairs is away from chance.
     *
     * @see <a href="https://doi.org/10.2307/1907187">Mann: Nonparametric tests against trend, Econometrica 13, 1945</a>
     */
    static double trend(double[] values) {
        int n = values.length;
        double rising = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                rising += Math.signum(values[j] - values[i]);
            }
        }
        return rising / Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18);
    }
}
