package dev.downbeat.stats.steady;

import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.Arrays;

/**
 * Tests whether a series grows or falls over its whole length. A wandering series often looks like a line, and a line
 * like memory. The slope is therefore tested together with the memory of its residuals, and by the increments alone
 * where that memory may never fade. Memory under noise only shows in means, so the line must be certain at several
 * batch lengths.
 *
 * @param slope change from one value to the next
 * @param chance upper bound of the probability of so clear a slope without a trend
 * @see <a href="https://doi.org/10.1016/j.jeconom.2009.03.002">Perron, Yabu: Estimating deterministic trends with an
 *     integrated or stationary noise component, J. Econom. 151, 2009</a>
 */
record Trend(double slope, double chance) {
    /** Fewer means show nothing of their memory. */
    private static final int LEAST = 9;

    /**
     * The estimated correlation above which the memory may never fade. With few noisy values, unlimited memory looks
     * short and no memory looks long. In simulations, levels wandered by 30 % with memories of 3 to 30 s. At most 2 %
     * of runs of 30 and 60 s then showed a trend.
     */
    private static double persistenceLimit(int values) {
        return 0.1 + 2 / Math.sqrt(values);
    }

    /** There are fewer means than values, so a probability higher by this factor is accepted. */
    private static final double MEANS_FACTOR = 50;

    static Trend of(double[] series) {
        double chance = 0;
        for (int size = 1; size == 1 || series.length / size >= LEAST; size++) {
            double ofSize = chance(Series.batches(series, size));
            chance = Math.max(chance, size == 1 ? ofSize : ofSize / MEANS_FACTOR);
        }
        return new Trend(Series.leastSquaresSlope(series), chance);
    }

    private static double chance(double[] y) {
        int n = y.length;
        double[] left = withoutLine(y);
        double alpha = Math.max(0, memory(left));
        double t = Math.abs(tOf(y, alpha > persistenceLimit(n) ? 1 : alpha));
        return Double.isNaN(t) ? 1 : 2 * StudentT.upperTail(t, n - 2.0);
    }

    /** The correlation of neighbours, corrected for the fitted line. */
    private static double memory(double[] left) {
        double products = 0;
        double squares = 0;
        for (int i = 1; i < left.length; i++) {
            products += left[i] * left[i - 1];
            squares += left[i - 1] * left[i - 1];
        }
        double seen = squares > 0 ? products / squares : 0;
        return seen + (2 + 4 * seen) / left.length;
    }

    /** The t statistic of the slope after removing each value's memory of the previous one. */
    private static double tOf(double[] y, double alpha) {
        int n = y.length;
        double[] values = new double[n];
        double[] ones = new double[n];
        double[] times = new double[n];
        values[0] = y[0];
        ones[0] = 1;
        for (int i = 1; i < n; i++) {
            values[i] = y[i] - alpha * y[i - 1];
            ones[i] = 1 - alpha;
            times[i] = i - alpha * (i - 1);
        }
        double oo = dot(ones, ones);
        double ot = dot(ones, times);
        double tt = dot(times, times);
        double ov = dot(ones, values);
        double tv = dot(times, values);
        double determinant = oo * tt - ot * ot;
        double slope = (oo * tv - ot * ov) / determinant;
        double height = (tt * ov - ot * tv) / determinant;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double off = values[i] - height * ones[i] - slope * times[i];
            squares += off * off;
        }
        return slope / Math.sqrt(squares / (n - 2) * oo / determinant);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double[] withoutLine(double[] y) {
        double slope = Series.leastSquaresSlope(y);
        double middle = (y.length - 1) / 2.0;
        double mean = Arrays.stream(y).average().orElse(0);
        double[] left = y.clone();
        for (int i = 0; i < left.length; i++) {
            left[i] -= mean + slope * (i - middle);
        }
        return left;
    }
}
