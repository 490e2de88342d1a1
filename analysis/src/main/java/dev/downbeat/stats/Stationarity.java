package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a run is the same from begin to end, at its median and in its tail. Immutable.
 *
 * <p>A change is named only if it is sure ({@link LevelTest}) and large enough to matter: a tenth.
 *
 * @param start so many stretches at the begin differ from the rest, such as in a warm-up; 0 if none do
 * @param shape of what follows the start
 * @param percentile at which the change was seen, the lowest of 50, 90 and 99; 0 if there was none
 * @param change by which factor that percentile changes: over the whole of a drift, or at a jump; 1 if it is steady
 * @param at the stretch with which the new level begins, from 0; 0 unless there is a jump
 * @param isJudged whether the run was long enough for its memory, so that a change could have been seen
 * @param visible by which factor the median would have to jump in mid-run to be seen in four of five runs; empty if no jump
 *     would be
 */
public record Stationarity(
        int start, Shape shape, double percentile, double change, int at, boolean isJudged, OptionalDouble visible) {
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

    /** Of a batch at the start that is taken to differ. */
    private static final double START_ERROR = 0.0001;

    private static final int BATCH = 5;
    private static final int LONGEST_START = 3;
    private static final int MOST = 300;

    /**
     * Looks at a run.
     *
     * @param perSecond times in stretches of equal length, in their order; none of them empty
     * @return empty if there are fewer than {@link #LEAST} stretches
     */
    public static Optional<Stationarity> of(List<Distribution> perSecond) {
        return perSecond.size() < LEAST ? Optional.empty() : Optional.of(judge(perSecond));
    }

    private static Stationarity judge(List<Distribution> perSecond) {
        int size = (perSecond.size() + MOST - 1) / MOST;
        List<Distribution> stretches = merged(perSecond, size);
        int start = start(Series.withoutOutliers(logs(stretches, 50)));
        if (start > stretches.size() / LONGEST_START) {
            Stationarity whole = after(stretches, 0, size);
            return whole.shape == Shape.STEADY
                    ? new Stationarity(start * size, Shape.NEVER_SETTLES, 50, 1, 0, true, OptionalDouble.empty())
                    : whole;
        }
        Stationarity rest = after(stretches, start, size);
        boolean endsLater = start > 0 && rest.shape == Shape.JUMPS && rest.at <= (start + BATCH) * size;
        return endsLater ? after(stretches, rest.at / size, size) : rest; // in the midst of the batch that follows
    }

    private static List<Distribution> merged(List<Distribution> stretches, int size) {
        List<Distribution> merged = new ArrayList<>();
        for (int i = 0; i + size <= stretches.size(); i += size) {
            int end = i + 2 * size > stretches.size() ? stretches.size() : i + size;
            merged.add(Stretches.sum(stretches.subList(i, end)));
        }
        return merged;
    }

    private static double[] logs(List<Distribution> stretches, double percentile) {
        return stretches.stream().mapToDouble(times -> log(times, percentile)).toArray();
    }

    private static double log(Distribution times, double percentile) {
        return Math.log((double) Math.max(1, times.valueAtPercentile(percentile)));
    }

    /** A smaller jump is not named, however sure it is. */
    private static OptionalDouble visible(LevelTest test) {
        OptionalDouble seen = test.visible();
        return seen.isPresent() ? OptionalDouble.of(Math.max(Math.exp(LEAST_CHANGE), seen.getAsDouble())) : seen;
    }

    private static Stationarity after(List<Distribution> all, int start, int size) {
        List<Distribution> stretches = all.subList(start, all.size());
        LevelTest test = LevelTest.of(stretches);
        boolean standsStill = Movement.of(Stretches.tenths(stretches), 50)
                .filter(Movement::isSlight)
                .isPresent();
        OptionalDouble visible =
                test.size() == 0 && standsStill ? OptionalDouble.of(Math.exp(LEAST_CHANGE)) : visible(test);
        Stationarity steady =
                new Stationarity(start * size, Shape.STEADY, 0, 1, 0, test.size() > 0 || standsStill, visible);
        if (test.percentile() == 0) {
            return steady;
        }
        double percentile = test.percentile();
        double[] series = Series.withoutOutliers(logs(merged(stretches, test.size()), percentile));
        boolean drifts = isTrend(series);
        double change = drifts
                ? Series.slope(series) * (series.length - 1)
                : log(Stretches.sum(stretches.subList(test.at(), stretches.size())), percentile)
                        - log(Stretches.sum(stretches.subList(0, test.at())), percentile);
        return Math.abs(change) < LEAST_CHANGE
                ? steady
                : new Stationarity(
                        start * size,
                        drifts ? Shape.DRIFTS : Shape.JUMPS,
                        percentile,
                        Math.exp(change),
                        drifts ? 0 : (start + test.at()) * size,
                        true,
                        visible(test));
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
}
