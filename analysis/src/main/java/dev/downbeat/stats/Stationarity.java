package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether a run is the same from begin to end, seen at one number for each stretch of it, such as the median of each
 * second. Immutable.
 *
 * <p>A change is named only if it is sure and large enough to matter: a tenth.
 *
 * @param start so many stretches at the begin differ from the rest, such as in a warm-up; 0 if none do
 * @param shape of what follows the start
 * @param change by which factor the level changes: over the whole of a drift, or at a jump; 1 if it is steady
 * @param at the stretch with which the new level begins, from 0; 0 unless there is a jump
 */
public record Stationarity(int start, Shape shape, double change, int at) {
    /** With fewer stretches nothing can be told. */
    public static final int LEAST = 20;

    /** What a run looks like after its start. */
    public enum Shape {
        /** No change. */
        STEADY,
        /** It changes little by little. */
        DRIFTS,
        /** It changes at one moment. */
        JUMPS,
        /** More than a third of the run is unlike the rest. */
        NEVER_SETTLES
    }

    private static final double LEAST_CHANGE = Math.log(1.1);

    /** A change must be so many times the standard deviation of what is left without it. */
    private static final double LEAST_SIGMAS = 1.5;

    /** Of KPSS, level, at 1 %. */
    private static final double KPSS = 0.739;

    /** Of Kolmogorov's law at 0.1 %. */
    private static final double KOLMOGOROV = 1.949;

    /** Of the normal law at 0.1 %, both sides. */
    private static final double NORMAL = 3.29;

    /** Of a batch at the start that is taken to differ. */
    private static final double START_ERROR = 0.0001;

    private static final int BATCH = 5;
    private static final int LONGEST_START = 3;
    private static final int MOST = 300;

    /**
     * Looks at the medians.
     *
     * @param perSecond times in stretches of equal length, in their order; empty ones are passed over
     * @return empty if there are fewer than {@link #LEAST} stretches
     */
    public static Optional<Stationarity> ofMedians(List<Distribution> perSecond) {
        double[] logs = perSecond.stream()
                .filter(times -> !times.isEmpty())
                .mapToDouble(times -> Math.log((double) Math.max(1, times.valueAtPercentile(50))))
                .toArray();
        return logs.length < LEAST ? Optional.empty() : Optional.of(ofLogs(logs));
    }

    /**
     * Looks at any numbers.
     *
     * @param logs natural logarithms, one for each stretch, at least {@link #LEAST}
     */
    public static Stationarity ofLogs(double[] logs) {
        if (logs.length < LEAST) {
            throw new IllegalArgumentException(
                    "there must be at least " + LEAST + " values, but there were " + logs.length);
        }
        int size = (logs.length + MOST - 1) / MOST;
        double[] series = Series.withoutOutliers(Series.batches(logs, size));
        int start = start(series);
        if (start > series.length / LONGEST_START) {
            Stationarity whole = change(series, 0, size);
            return whole.shape == Shape.STEADY ? new Stationarity(start * size, Shape.NEVER_SETTLES, 1, 0) : whole;
        }
        Stationarity rest = change(Arrays.copyOfRange(series, start, series.length), start, size);
        boolean endsLater = start > 0 && rest.shape == Shape.JUMPS && rest.at <= (start + BATCH) * size;
        if (endsLater) { // in the midst of the batch that follows
            int end = rest.at / size;
            return change(Arrays.copyOfRange(series, end, series.length), end, size);
        }
        return rest;
    }

    /**
     * The start that is best left out: where the standard error of the mean of the rest is least.
     *
     * @see <a href="https://doi.org/10.1177/003754979706900601">White: An effective truncation heuristic for bias
     *     reduction in simulation output, Simulation 69, 1997</a>
     */
    private static int start(double[] series) {
        double[] batches = Series.batches(series, BATCH);
        int best = 0;
        double least = Double.MAX_VALUE;
        for (int d = 0; d <= batches.length / 2; d++) {
            double[] rest = Arrays.copyOfRange(batches, d, batches.length);
            double error = Series.squares(rest) / ((double) rest.length * rest.length);
            if (error < least) {
                least = error;
                best = d;
            }
        }
        double[] rest = Arrays.copyOfRange(batches, best, batches.length);
        int start = best;
        while (start > 0 && !differs(batches[start - 1], rest)) {
            start--;
        }
        return isTrend(series) ? 0 : start * BATCH;
    }

    /** Leaving out a little always helps a little: a start must be far from the rest, as single values of its law go. */
    private static boolean differs(double batch, double[] rest) {
        double gap = Math.abs(batch - Series.mean(rest));
        int freedom = rest.length - 1;
        if (freedom < 1 || gap < LEAST_CHANGE) {
            return false;
        }
        double sigma = Math.sqrt(Series.squares(rest) / freedom * (1 + 1.0 / rest.length));
        return gap > StudentT.quantile(1 - START_ERROR / 2, freedom) * sigma;
    }

    /** A line is closer to it than any two levels are. */
    private static boolean isTrend(double[] series) {
        return squaresAroundLine(series) < squaresAroundSteps(series, bestStep(series));
    }

    private static Stationarity change(double[] series, int start, int size) {
        int step = bestStep(series);
        double slope = Series.slope(series);
        double before = Series.mean(Arrays.copyOf(series, step));
        double jump = Series.mean(Arrays.copyOfRange(series, step, series.length)) - before;
        double drift = slope * (series.length - 1);
        if (isTrend(series)) {
            boolean sure = kpss(series) > KPSS && Math.abs(Series.trend(series)) > NORMAL;
            double sigma = Math.sqrt(squaresAroundLine(series) / series.length);
            if (sure && Math.abs(drift) >= Math.max(LEAST_CHANGE, LEAST_SIGMAS * sigma)) {
                return new Stationarity(start * size, Shape.DRIFTS, Math.exp(drift), 0);
            }
        } else if (isSureStep(series, step, jump)) {
            return new Stationarity(start * size, Shape.JUMPS, Math.exp(jump), (start + step) * size);
        }
        return new Stationarity(start * size, Shape.STEADY, 1, 0);
    }

    private static boolean isSureStep(double[] series, int step, double jump) {
        double[] left = new double[series.length];
        double before = Series.mean(Arrays.copyOf(series, step));
        for (int i = 0; i < series.length; i++) {
            left[i] = series[i] - before - (i < step ? 0 : jump);
        }
        double sigma = Math.sqrt(Series.squares(left) / series.length);
        double memory = Math.sqrt(Math.max(Series.longRunVariance(left), sigma * sigma));
        double weight = Math.sqrt((double) step * (series.length - step)) / series.length;
        // the greatest excursion of the sums from the line between their ends
        double excursion = Math.abs(jump) * weight * weight * Math.sqrt(series.length);
        return Math.abs(jump) >= Math.max(LEAST_CHANGE, LEAST_SIGMAS * sigma) && excursion > KOLMOGOROV * memory;
    }

    /** Where two levels fit best; a level needs at least three values. */
    private static int bestStep(double[] series) {
        int best = 3;
        for (int step = 3; step <= series.length - 3; step++) {
            if (squaresAroundSteps(series, step) < squaresAroundSteps(series, best)) {
                best = step;
            }
        }
        return best;
    }

    private static double squaresAroundSteps(double[] series, int step) {
        return Series.squares(Arrays.copyOf(series, step))
                + Series.squares(Arrays.copyOfRange(series, step, series.length));
    }

    private static double squaresAroundLine(double[] series) {
        double slope = Series.slope(series);
        double[] left = new double[series.length];
        for (int i = 0; i < left.length; i++) {
            left[i] = series[i] - slope * i;
        }
        return Series.squares(left);
    }

    /**
     * KPSS for a level.
     *
     * @see <a href="https://doi.org/10.1016/0304-4076(92)90104-Y">Kwiatkowski, Phillips, Schmidt, Shin: Testing the null
     *     hypothesis of stationarity, J. Econom. 54, 1992</a>
     */
    static double kpss(double[] series) {
        double mean = Series.mean(series);
        double sum = 0;
        double squares = 0;
        for (double value : series) {
            sum += value - mean;
            squares += sum * sum;
        }
        double variance = Series.longRunVariance(series);
        return variance <= 0 ? 0 : squares / ((double) series.length * series.length * variance);
    }
}
