package dev.downbeat.stats.steady;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.PercentileRange;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Whether a run is steady from start to end, at its median and in its tail. Immutable.
 *
 * <p>Only changes that are certain ({@link LevelTest}, {@link Trend}) and at least 10 % are reported. A trend is tested
 * before the memory of the requests, since steady growth looks like long memory.
 *
 * @param start number of stretches at the start that differ from the rest, such as a warm-up; 0 if there are none
 * @param shape shape of the rest
 * @param percentile percentile at which the change was found; 0 if there was none. It is the lowest of 50, 90 and 99
 *     that changed by at least half of the largest change, in logarithms
 * @param ends values of that percentile at the start and end of a drift, or before and after a jump
 * @param at first stretch of the new level, from 0; 0 without a jump
 * @param isJudged whether the run was long enough for its memory to show a change
 * @param visible smallest mid-run jump of the median that four of five runs would show; empty if none would
 * @param spell stretches inside the run that were slower than all others; excluded from the rest
 */
public record Stationarity(
        int start,
        Shape shape,
        double percentile,
        Ends ends,
        int at,
        boolean isJudged,
        OptionalDouble visible,
        Optional<Slower> spell) {
    /** The least number of stretches. */
    public static final int LEAST = 20;

    /** The shape of a run after its start. */
    public enum Shape {
        /** No change. */
        STEADY,
        /** It changes gradually. */
        DRIFTS,
        /** It changes at once. */
        JUMPS,
        /** More than a third of the run differs from the rest. */
        NEVER_SETTLES
    }

    /**
     * A percentile before and after a change.
     *
     * @param beforeNanos above 0
     * @param afterNanos above 0
     */
    public record Ends(double beforeNanos, double afterNanos) {
        /** No change. */
        static final Ends SAME = new Ends(1, 1);

        static Ends ofLogs(double before, double after) {
            return new Ends(Math.exp(before), Math.exp(after));
        }

        /** Limited to the observed times, beyond which the ends of a fitted line may lie. */
        private Ends within(double[] times) {
            double least = Arrays.stream(times).min().orElseThrow();
            double most = Arrays.stream(times).max().orElseThrow();
            return new Ends(Math.max(least, Math.min(most, beforeNanos)), Math.max(least, Math.min(most, afterNanos)));
        }

        public double change() {
            return afterNanos / beforeNanos;
        }

        private double size() {
            return Math.abs(Math.log(change()));
        }
    }

    /**
     * Stretches in which all requests were slower, once.
     *
     * @param from first stretch, from 0
     * @param to first stretch after them
     * @param times median divided by that of the other stretches
     */
    public record Slower(int from, int to, double times) {}

    private static final double LEAST_CHANGE = Math.log(1.1);

    /** Below this growth, a line in times hardly differs from one in their logarithms. */
    private static final double LEAST_CURVED = Math.log(3);

    /** Smaller spells are ordinary waves of a queue. */
    private static final double LEAST_SPELL = Math.log(2);

    /** The percentile that represents fast requests. */
    private static final double QUICK = 10;

    /** The error for a deviating start. */
    private static final double START_ERROR = 0.0001;

    /** The error of each trend test. */
    private static final double TREND_ERROR = 0.002;

    /** The error of the test of curved growth, which follows two others. */
    private static final double CURVED_ERROR = TREND_ERROR / 10;

    /** In fewer stretches, the wave of a queue near saturation cannot be told from curved growth. */
    private static final int LEAST_CURVED_STRETCHES = 40;

    /** Times that resemble their neighbours more than this, apart from the growth, may be the wave of a queue. */
    private static final double LARGEST_CURVED_MEMORY = 0.2;

    /** The weights of a fitted line hardly change after as many rounds. */
    private static final int ROUNDS = 5;

    private static final int BATCH = 5;
    private static final int LONGEST_START = 3;
    private static final int MOST = 300;

    /**
     * Judges a run by its percentiles up to the given one.
     *
     * @param perSecond times in stretches of equal length, in order; none empty
     * @return empty if there are fewer than {@link #LEAST} stretches
     */
    public static Optional<Stationarity> of(List<Distribution> perSecond, double highest) {
        return perSecond.size() < LEAST ? Optional.empty() : Optional.of(judge(perSecond, highest));
    }

    /** The factor of the change: over the whole drift, or at a jump; 1 if the run is steady. */
    public double change() {
        return ends.change();
    }

    private static Stationarity judge(List<Distribution> perSecond, double highest) {
        int size = (perSecond.size() + MOST - 1) / MOST;
        List<Distribution> stretches = merged(perSecond, size);
        double[] medians = logs(stretches, 50);
        if (trend(medians).isPresent()) {
            return after(stretches, 0, size, highest);
        }
        Optional<Spell> warmUp = Spell.atBegin(medians);
        if (warmUp.isPresent()) {
            int warm = warmUp.get().to();
            return steadyExceptSpell(stretches, warm, size, highest)
                    .orElseGet(() -> after(stretches, warm, size, highest));
        }
        Optional<Stationarity> exceptSpell = steadyExceptSpell(stretches, 0, size, highest);
        if (exceptSpell.isPresent()) {
            return exceptSpell.get();
        }
        int start = start(Series.withoutOutliers(medians));
        if (start > stretches.size() / LONGEST_START) {
            Stationarity whole = after(stretches, 0, size, highest);
            return whole.shape == Shape.STEADY ? neverSettles(start * size) : whole;
        }
        Stationarity rest = after(stretches, start, size, highest);
        boolean endsLater = start > 0 && rest.shape == Shape.JUMPS && rest.at <= (start + BATCH) * size;
        return endsLater
                ? after(stretches, rest.at / size, size, highest)
                : rest; // the warm-up ended within the next batch
    }

    private static Stationarity neverSettles(int start) {
        return new Stationarity(
                start, Shape.NEVER_SETTLES, 50, Ends.SAME, 0, true, OptionalDouble.empty(), Optional.empty());
    }

    private Stationarity with(Slower slower) {
        return new Stationarity(start, shape, percentile, ends, at, isJudged, visible, Optional.of(slower));
    }

    /** A slow spell is reported if the rest of the run was steady. */
    private static Optional<Stationarity> steadyExceptSpell(
            List<Distribution> all, int start, int size, double highest) {
        double[] medians = logs(all.subList(start, all.size()), 50);
        return Spell.within(medians)
                .filter(spell -> spell.gap() >= LEAST_SPELL)
                .filter(spell -> isOfAll(core(all, start, spell), others(all, start, spell)))
                .map(spell -> after(others(all, start, spell), start, size, highest)
                        .with(new Slower(
                                (start + spell.from()) * size, (start + spell.to()) * size, Math.exp(spell.gap()))))
                .filter(rest -> rest.shape == Shape.STEADY);
    }

    /** The run without the spell and the stretches next to it, which may be affected. */
    private static List<Distribution> others(List<Distribution> all, int start, Spell spell) {
        List<Distribution> others = new ArrayList<>(all.subList(0, start + spell.from() - 1));
        others.addAll(all.subList(Math.min(all.size(), start + spell.to() + 1), all.size()));
        return others;
    }

    /** The spell without its outer stretches, which may be affected only in part, if there are others. */
    private static List<Distribution> core(List<Distribution> all, int start, Spell spell) {
        int ends = spell.to() - spell.from() > 2 ? 1 : 0;
        return all.subList(start + spell.from() + ends, start + spell.to() - ends);
    }

    /** Whether fast requests were slower too. With two kinds of requests, the median may switch between them. */
    private static boolean isOfAll(List<Distribution> inside, List<Distribution> others) {
        return log(Distribution.sum(inside), QUICK) - log(Distribution.sum(others), QUICK) >= LEAST_SPELL / 2;
    }

    private static List<Distribution> merged(List<Distribution> stretches, int size) {
        List<Distribution> merged = new ArrayList<>();
        for (int i = 0; i + size <= stretches.size(); i += size) {
            int end = i + 2 * size > stretches.size() ? stretches.size() : i + size;
            merged.add(Distribution.sum(stretches.subList(i, end)));
        }
        return merged;
    }

    private static double[] logs(List<Distribution> stretches, double percentile) {
        return stretches.stream().mapToDouble(times -> log(times, percentile)).toArray();
    }

    private static double log(Distribution times, double percentile) {
        return Series.log(times.valueAtPercentile(percentile));
    }

    /** Smaller jumps are not reported, however certain. */
    private static OptionalDouble visible(LevelTest test) {
        OptionalDouble observed = test.visible();
        return observed.isPresent()
                ? OptionalDouble.of(Math.max(Math.exp(LEAST_CHANGE), observed.getAsDouble()))
                : observed;
    }

    private static Stationarity after(List<Distribution> all, int start, int size, double highest) {
        List<Distribution> stretches = all.subList(start, all.size());
        Optional<Ends> trend = trend(logs(stretches, 50));
        LevelTest test = LevelTest.of(stretches, highest);
        if (trend.isPresent()) {
            return new Stationarity(
                    start * size, Shape.DRIFTS, 50, trend.get(), 0, true, visible(test), Optional.empty());
        }
        boolean isSteadyByTenths = PercentileRange.of(PercentileRange.tenths(stretches), 50)
                .filter(PercentileRange::isSlight)
                .isPresent();
        OptionalDouble visible = test.visible().isEmpty() && isSteadyByTenths
                ? OptionalDouble.of(Math.exp(LEAST_CHANGE))
                : visible(test);
        Stationarity steady = new Stationarity(
                start * size,
                Shape.STEADY,
                0,
                Ends.SAME,
                0,
                test.size() > 0 || isSteadyByTenths,
                visible,
                Optional.empty());
        List<Change> changes = test.failed().stream()
                .map(failed -> Change.of(stretches, failed, test.size()))
                .filter(change ->
                        change.ends.size() >= least(change, test.failed().get(0)))
                .toList();
        double most =
                changes.stream().mapToDouble(change -> change.ends.size()).max().orElse(0);
        return changes.stream()
                .filter(change -> change.ends.size() >= most / 2)
                .min(Comparator.comparingDouble(change -> change.percentile))
                .map(change -> new Stationarity(
                        start * size,
                        change.drifts ? Shape.DRIFTS : Shape.JUMPS,
                        change.percentile,
                        change.ends,
                        change.drifts ? 0 : (start + change.at) * size,
                        true,
                        visible(test),
                        Optional.empty()))
                .orElse(steady);
    }

    /** The least relevant change. If a lower percentile changed slightly, higher ones did too but are less precise. */
    private static double least(Change change, LevelTest.Failed lowest) {
        return change.percentile == lowest.percentile() ? LEAST_CHANGE : 2 * LEAST_CHANGE;
    }

    /**
     * A certain trend over the whole run: a line in times or in their logarithms, or a line in times whose scatter grows
     * with them, as that of most services does.
     */
    private static Optional<Ends> trend(double[] logs) {
        double[] times = Arrays.stream(logs).map(Math::exp).toArray();
        return line(logs)
                .map(ends -> Ends.ofLogs(ends.beforeNanos, ends.afterNanos))
                .or(() -> line(times).filter(ends -> ends.beforeNanos > 0))
                .or(() -> proportional(logs, times)
                        .filter(ends -> ends.within(times).size() >= LEAST_CURVED))
                .map(ends -> ends.within(times))
                .filter(ends -> ends.size() >= LEAST_CHANGE);
    }

    /** The ends of a line, if it is certain and fits better than two levels. */
    private static Optional<Ends> line(double[] series) {
        Trend trend = Trend.of(series);
        double half = trend.slope() * (series.length - 1) / 2;
        double mean = Series.mean(series);
        return trend.chance() <= TREND_ERROR && isLine(series)
                ? Optional.of(new Ends(mean - half, mean + half))
                : Optional.empty();
    }

    /**
     * The ends of a line in times, each weighted by its inverse, if it is certain and fits better than two levels. It is
     * only sought where neighbouring times are independent apart from it.
     */
    private static Optional<Ends> proportional(double[] logs, double[] times) {
        if (times.length < LEAST_CURVED_STRETCHES) {
            return Optional.empty();
        }
        double least = Arrays.stream(times).min().orElseThrow();
        double[] fitted = new double[times.length];
        Arrays.fill(fitted, 1);
        Regression weighted = Regression.of(times, fitted);
        for (int i = 0; i < ROUNDS; i++) {
            fitted = weighted.line(least / 2);
            weighted = Regression.of(times, fitted);
        }
        double squares = 0;
        for (int i = 0; i < logs.length; i++) {
            double residual = logs[i] - Math.log(fitted[i]);
            squares += residual * residual;
        }
        boolean isCertain =
                Trend.memory(weighted.residuals()) <= LARGEST_CURVED_MEMORY && Trend.chanceOf(weighted) <= CURVED_ERROR;
        return isCertain && fitsBetterThanSteps(squares, logs)
                ? Optional.of(new Ends(fitted[0], fitted[fitted.length - 1]))
                : Optional.empty();
    }

    /** The change of a percentile that failed the test. */
    private record Change(double percentile, boolean drifts, Ends ends, int at) {
        static Change of(List<Distribution> stretches, LevelTest.Failed failed, int size) {
            double percentile = failed.percentile();
            double[] series = Series.withoutOutliers(logs(merged(stretches, size), percentile));
            boolean drifts = isTrend(series);
            double half = Series.slope(series) * (series.length - 1) / 2;
            double middle = Series.median(series);
            Ends ends = drifts
                    ? Ends.ofLogs(middle - half, middle + half)
                            .within(Arrays.stream(series).map(Math::exp).toArray())
                    : Ends.ofLogs(
                            log(Distribution.sum(stretches.subList(0, failed.at())), percentile),
                            log(Distribution.sum(stretches.subList(failed.at(), stretches.size())), percentile));
            return new Change(percentile, drifts, ends, failed.at());
        }
    }

    /**
     * The truncation of the start that minimises the standard error of the remaining mean.
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

    /** Truncation always helps slightly, so a start must be far outside the distribution of the rest. */
    private static boolean differs(double batch, double[] rest) {
        double gap = Math.abs(batch - Series.mean(rest));
        int freedom = rest.length - 1;
        if (freedom < 1 || gap < LEAST_CHANGE) {
            return false;
        }
        double sigma = Math.sqrt(Series.squares(rest) / freedom * (1 + 1.0 / rest.length));
        return gap > StudentT.quantile(1 - START_ERROR / 2, freedom) * sigma;
    }

    private static boolean isLine(double[] series) {
        return fitsBetterThanSteps(squaresAroundLine(series), series);
    }

    /** Whether two levels fit no better than their two extra parameters explain (BIC). */
    private static boolean fitsBetterThanSteps(double squares, double[] series) {
        double margin = Math.pow(series.length, 2.0 / series.length);
        return squares <= margin * squaresAroundSteps(series, bestStep(series));
    }

    /** Whether a line fits better than any two levels. */
    private static boolean isTrend(double[] series) {
        return squaresAroundLine(series) < squaresAroundSteps(series, bestStep(series));
    }

    /** The best split into two levels of at least three values each. */
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
        double[] residuals = new double[series.length];
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] = series[i] - slope * i;
        }
        return Series.squares(residuals);
    }

    /**
     * Consecutive values that differ from all others: a warm-up at the start, or a slow spell inside a run. They are those
     * whose separate level leaves the least residuals, and they must exceed what the memory of the others allows.
     *
     * @param from first value
     * @param to first value after them
     * @param gap difference of their mean to that of the others
     */
    private record Spell(int from, int to, double gap) {
        /** 10 %, in logarithms. */
        static final double LEAST_GAP = Math.log(1.1);

        /** A single value is not conclusive. */
        private static final int LEAST = 2;

        private static final int MOST_OF_WARM_UP = 6;

        private static final int MOST_OF_SPELL = 4;

        /** Far below the resolution of the histogram buckets. */
        private static final double INVISIBLE = 1e-6;

        /** The error for each possible start. */
        private static final double ERROR = 0.00002;

        /** A spell at the start, of at most a sixth of the values. */
        static Optional<Spell> atBegin(double[] series) {
            return best(series, 0, 0, series.length / MOST_OF_WARM_UP);
        }

        /** A slow spell inside the series, of at most a quarter of the values. */
        static Optional<Spell> within(double[] series) {
            return best(series, LEAST, series.length - 1, series.length / MOST_OF_SPELL)
                    .filter(found -> found.gap > 0 && found.recovers(series));
        }

        /** Whether the earlier level returns afterwards; a spell that fades from the start is a warm-up. */
        private boolean recovers(double[] series) {
            double before = Series.median(Arrays.copyOf(series, from));
            double after = Series.median(Arrays.copyOfRange(series, to, series.length));
            return Math.abs(before - after) < gap / 3;
        }

        private static Optional<Spell> best(double[] series, int first, int last, int longest) {
            int n = series.length;
            double[] sums = new double[n + 1];
            for (int i = 0; i < n; i++) {
                sums[i + 1] = sums[i] + series[i];
            }
            double most = 0;
            int from = 0;
            int to = 0;
            for (int begin = first; begin <= last; begin++) {
                for (int end = begin + LEAST; end <= begin + longest && (first == 0 || end < n); end++) {
                    double inside = end - begin;
                    double apart = sums[end] - sums[begin] - inside * sums[n] / n;
                    double explained = apart * apart / (inside * (n - inside));
                    if (explained > most) {
                        most = explained;
                        from = begin;
                        to = end;
                    }
                }
            }
            return to == 0 ? Optional.empty() : ifCertain(series, from, to);
        }

        private static Optional<Spell> ifCertain(double[] series, int from, int to) {
            int inside = to - from;
            double[] others = new double[series.length - inside];
            System.arraycopy(series, 0, others, 0, from);
            System.arraycopy(series, to, others, from, series.length - to);
            double usual = Series.mean(others);
            double gap = Series.mean(Arrays.copyOfRange(series, from, to)) - usual;
            double[] residuals = Arrays.stream(others)
                    .map(value -> Math.abs(value - usual) < INVISIBLE ? 0 : value - usual)
                    .toArray();
            int size = Batches.size(residuals);
            if (size == 0 || Math.abs(gap) < LEAST_GAP) {
                return Optional.empty();
            }
            Batches batches = Batches.of(residuals, size);
            double longRun = batches.variance() / others.length;
            double deviation = Math.sqrt(longRun * (1.0 / inside + 1.0 / others.length));
            double t = StudentT.quantile(1 - ERROR / series.length, batches.freedom(1));
            return Math.abs(gap) > t * deviation ? Optional.of(new Spell(from, to, gap)) : Optional.empty();
        }
    }

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
    private record Trend(double slope, double chance) {
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
            double[] ones = new double[series.length];
            Arrays.fill(ones, 1);
            return new Trend(Series.leastSquaresSlope(series), chanceOf(Regression.of(series, ones)));
        }

        static double chanceOf(Regression line) {
            int length = line.values.length;
            double chance = 0;
            for (int size = 1; size == 1 || length / size >= LEAST; size++) {
                double ofSize = chance(line.batches(size));
                chance = Math.max(chance, size == 1 ? ofSize : ofSize / MEANS_FACTOR);
            }
            return chance;
        }

        private static double chance(Regression line) {
            int n = line.values.length;
            double alpha = Math.max(0, memory(line.residuals()));
            double t = Math.abs(
                    line.withoutMemory(alpha > persistenceLimit(n) ? 1 : alpha).t());
            return Double.isNaN(t) ? 1 : 2 * StudentT.upperTail(t, n - 2.0);
        }

        /** The correlation of neighbours, corrected for the fitted line. */
        private static double memory(double[] residuals) {
            double products = 0;
            double squares = 0;
            for (int i = 1; i < residuals.length; i++) {
                products += residuals[i] * residuals[i - 1];
                squares += residuals[i - 1] * residuals[i - 1];
            }
            double observed = squares > 0 ? products / squares : 0;
            return observed + (2 + 4 * observed) / residuals.length;
        }
    }

    /**
     * A line by least squares: values are a height times {@code ones} plus a slope times {@code times}. With weights, all
     * three are multiplied by them.
     */
    private record Regression(double[] values, double[] ones, double[] times) {
        /** The line in a series whose scatter is proportional to {@code scatter}. */
        static Regression of(double[] series, double[] scatter) {
            double[] values = new double[series.length];
            double[] ones = new double[series.length];
            double[] times = new double[series.length];
            for (int i = 0; i < series.length; i++) {
                values[i] = series[i] / scatter[i];
                ones[i] = 1 / scatter[i];
                times[i] = i / scatter[i];
            }
            return new Regression(values, ones, times);
        }

        Regression batches(int size) {
            return new Regression(
                    Series.batches(values, size), Series.batches(ones, size), Series.batches(times, size));
        }

        /** Without each value's memory of the previous one. */
        Regression withoutMemory(double alpha) {
            return new Regression(
                    withoutMemory(values, alpha), withoutMemory(ones, alpha), withoutMemory(times, alpha));
        }

        private static double[] withoutMemory(double[] series, double alpha) {
            double[] rest = series.clone();
            for (int i = 1; i < series.length; i++) {
                rest[i] = series[i] - alpha * series[i - 1];
            }
            return rest;
        }

        private double determinant() {
            double ot = dot(ones, times);
            return dot(ones, ones) * dot(times, times) - ot * ot;
        }

        private double slope() {
            return (dot(ones, ones) * dot(times, values) - dot(ones, times) * dot(ones, values)) / determinant();
        }

        private double height() {
            return (dot(times, times) * dot(ones, values) - dot(ones, times) * dot(times, values)) / determinant();
        }

        /** The line at each place, without weights, at least {@code least}. */
        double[] line(double least) {
            double height = height();
            double slope = slope();
            return IntStream.range(0, values.length)
                    .mapToDouble(i -> Math.max(least, height + slope * i))
                    .toArray();
        }

        double[] residuals() {
            double height = height();
            double slope = slope();
            return IntStream.range(0, values.length)
                    .mapToDouble(i -> values[i] - height * ones[i] - slope * times[i])
                    .toArray();
        }

        /** The t statistic of the slope. */
        double t() {
            double[] residuals = residuals();
            double variance = dot(residuals, residuals) / (values.length - 2);
            return slope() / Math.sqrt(variance * dot(ones, ones) / determinant());
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i] * b[i];
            }
            return sum;
        }
    }
}
