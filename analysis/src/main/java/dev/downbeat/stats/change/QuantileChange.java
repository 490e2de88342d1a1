package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.Normal;
import dev.downbeat.stats.PercentileRange;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * The change of a percentile between two systems measured separately. It combines the intervals of both sides (MOVER:
 * Zou, Donner: Construction of confidence limits about effect measures, Stat. Med. 27, 2008), in logarithms. Changes
 * are relative: 0.1 is 10 % slower. An end is empty if a side has none, unless that side hardly moved.
 *
 * <p>Runs of one system vary more than their own seconds do (Kalibera, Jones: Rigorous benchmarking in reasonable time,
 * ISMM 2013). With several runs, their scatter gives a side's interval. A single run compared with at least three is
 * assumed to scatter as those do. With fewer runs, the usual variation between runs is assumed: 3 % for the interval,
 * and 5 % for "faster" or "slower". A run below 20 seconds does not show slow wandering of the service's level, so it
 * may differ by 30 %.
 *
 * @param percentile above 0, below 100
 * @param baseNanos value of the base; of several runs, the geometric mean of their values
 * @param otherNanos value of the other system, likewise
 * @param low lower end of the 95 % interval of the change
 * @param high upper end of the 95 % interval
 * @param atLeast one-sided 95 % lower bound of the change
 * @param atMost one-sided 95 % upper bound of the change
 * @param answer faster, slower, or cannot tell. Over all percentiles together, identical systems differ in at most 5 %
 *     of comparisons (Holm: A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979)
 */
public record QuantileChange(
        double percentile,
        long baseNanos,
        long otherNanos,
        OptionalDouble low,
        OptionalDouble high,
        OptionalDouble atLeast,
        OptionalDouble atMost,
        ChangeAnswer answer) {
    /** The least number of seconds of a single run. */
    public static final int LEAST_SECONDS = Batches.LEAST;

    /** The least number of seconds without incidents of a single run, which shows large differences. */
    public static final int LEAST_SECONDS_LEFT = 5;

    private static final int LEAST_RUNS = 3;
    private static final double ERROR = 0.05;

    /** The usual standard deviation of the logarithm between runs of one service. */
    public static final double USUAL_SCATTER = 0.03;

    private static final double LARGE_SCATTER = 0.05;

    /** Shorter single runs may differ by more: 20 s, less a late tick and a warm-up. */
    public static final int SHORT_SECONDS = 18;

    private static final double SCATTER_OF_SHORT_RUNS = 0.3;

    /** The multiple of a run's own movement that a slowly wandering level may differ by. */
    private static final double TIMES = 1.5;

    /** The error over all rows. Combined intervals err half as often: 0 to 5 % of identical pairs in simulations. */
    private static final double ERROR_OF_ALL = 0.1;

    /**
     * Compares two sides. The change between a side and its copy is 0.
     *
     * @param base recordings by run, in seconds or longer stretches; at least {@link #LEAST_SECONDS_LEFT} if only
     *     one run has requests
     * @param other likewise
     * @param percentiles each above 0, below 100
     * @param rarer factor by which false alarms must be rarer than 5 %, at least 1, for one of many questions about the
     *     same runs
     * @return in the order of the percentiles
     */
    public static List<QuantileChange> of(
            List<List<Distribution>> base, List<List<Distribution>> other, List<Double> percentiles, double rarer) {
        return of(base, other, percentiles, Collections.nCopies(percentiles.size(), ForeignPart.NONE), rarer);
    }

    /**
     * Compares two sides whose values may include foreign delays, which widen the interval as far as they can explain a
     * change.
     *
     * @param foreign for each percentile
     */
    public static List<QuantileChange> of(
            List<List<Distribution>> base,
            List<List<Distribution>> other,
            List<Double> percentiles,
            List<ForeignPart> foreign,
            double rarer) {
        boolean isCopy = base.equals(other);
        Runs one = Runs.of(base);
        Runs two = Runs.of(other);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < percentiles.size(); i++) {
            double percentile = percentiles.get(i);
            pairs.add(new Pair(
                    new Side(one, percentile, two.scatter(percentile)),
                    new Side(two, percentile, one.scatter(percentile)),
                    foreign.get(i),
                    isCopy));
        }
        ChangeAnswer[] answers = answers(pairs, rarer);
        List<QuantileChange> changes = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            changes.add(pairs.get(i).change(answers[i]));
        }
        return changes;
    }

    /**
     * The standard deviation between runs that an interval allows for, as a share of the percentile.
     *
     * @param run the seconds, or longer stretches, of a single run whose system has no others
     * @param percentile above 0, below 100
     */
    public static double allowedBetweenRuns(List<Distribution> run, double percentile) {
        return Runs.of(List.of(run)).scatterOfOthers(percentile, USUAL_SCATTER);
    }

    /**
     * How far the variation between runs alone moves the one-sided 95 % bounds of a change, in logarithms: longer runs do
     * not help against it, but more of them do.
     *
     * @param base recordings by run, as in {@link #of}
     * @param other likewise
     * @param percentile above 0, below 100
     */
    public static double reachBetweenRuns(
            List<List<Distribution>> base, List<List<Distribution>> other, double percentile) {
        if (base.equals(other)) {
            return 0;
        }
        Runs one = Runs.of(base);
        Runs two = Runs.of(other);
        return Math.hypot(
                new Side(one, percentile, two.scatter(percentile)).reachBetweenRuns(),
                new Side(two, percentile, one.scatter(percentile)).reachBetweenRuns());
    }

    /**
     * Whether the comparison would miss a system whose times are all this many times as long as the run's.
     *
     * @param times 2 or more
     * @param run the seconds, or longer stretches, of a single run; at least {@link #LEAST_SECONDS_LEFT}
     * @param percentile above 0, below 100
     */
    public static boolean hides(int times, List<Distribution> run, double percentile) {
        List<Distribution> slower = run.stream().map(one -> slowed(one, times)).toList();
        QuantileChange change =
                of(List.of(run), List.of(slower), List.of(percentile), 1).get(0);
        return change.answer() != ChangeAnswer.SLOWER;
    }

    private static Distribution slowed(Distribution times, int factor) {
        Histogram slower = Distribution.newHistogram();
        times.forEach(
                (nanos, count) -> slower.recordValueWithCount(Math.min(Distribution.MAX_NANOS, factor * nanos), count));
        return Distribution.of(slower);
    }

    private static double errorOf(int questions) {
        return Math.min(ERROR, ERROR_OF_ALL / questions);
    }

    /** Tests the most certain change first. Each further one faces a less strict limit, until one fails. */
    private static ChangeAnswer[] answers(List<Pair> pairs, double rarer) {
        ChangeAnswer[] answers = new ChangeAnswer[pairs.size()];
        int left = 0;
        for (int i = 0; i < answers.length; i++) {
            answers[i] = pairs.get(i).isJudged() ? ChangeAnswer.CANNOT_TELL : ChangeAnswer.NOT_JUDGED;
            left += answers[i] == ChangeAnswer.CANNOT_TELL ? 1 : 0;
        }
        boolean found = true;
        while (found && left > 0) {
            found = false;
            for (int i = 0; i < answers.length && !found; i++) {
                if (answers[i] != ChangeAnswer.CANNOT_TELL) {
                    continue;
                }
                double[] ends = pairs.get(i).ends(1 - errorOf(left) / rarer, LARGE_SCATTER);
                if (ends[0] > 0 || ends[1] < 0) {
                    answers[i] = ends[0] > 0 ? ChangeAnswer.SLOWER : ChangeAnswer.FASTER;
                    found = true;
                    left--;
                }
            }
        }
        return answers;
    }

    private record Pair(Side base, Side other, ForeignPart foreign, boolean isCopy) {
        boolean isJudged() {
            double[] ends = ends(1 - ERROR, USUAL_SCATTER);
            return !Double.isInfinite(ends[0]) || !Double.isInfinite(ends[1]);
        }

        /** The ends of the interval of the change's logarithm. */
        double[] ends(double confidence, double scatter) {
            if (isCopy) {
                return new double[2];
            }
            Limits one = base.limits(confidence, scatter);
            Limits two = other.limits(confidence, scatter);
            double change = two.value - one.value;
            return new double[] {
                change - Math.hypot(two.value - two.low, one.high - one.value) + foreign.low(other.nanos()),
                change + Math.hypot(two.high - two.value, one.value - one.low) + foreign.high(base.nanos())
            };
        }

        QuantileChange change(ChangeAnswer answer) {
            double[] both = ends(1 - ERROR, USUAL_SCATTER);
            double[] single = ends(1 - 2 * ERROR, USUAL_SCATTER);
            return new QuantileChange(
                    base.percentile,
                    base.nanos(),
                    other.nanos(),
                    end(both[0]),
                    end(both[1]),
                    end(single[0]),
                    end(single[1]),
                    answer);
        }
    }

    private static OptionalDouble end(double log) {
        return Double.isInfinite(log) || Double.isNaN(log)
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.expm1(log));
    }

    /** A percentile and its bounds in logarithms; infinite where there is no bound. */
    private record Limits(double value, double low, double high) {}

    /**
     * The runs of one system, each as a whole. A single run also has its tenths, and its intervals if it is long
     * enough.
     */
    private record Runs(
            List<Distribution> whole, List<Distribution> tenths, Optional<RunIntervals> single, int seconds) {
        /** Runs without such requests have no percentile. */
        static Runs of(List<List<Distribution>> runs) {
            List<List<Distribution>> nonEmpty = runs.stream()
                    .filter(run -> run.stream().anyMatch(second -> !second.isEmpty()))
                    .toList();
            return ofNonEmpty(nonEmpty.isEmpty() ? runs.subList(0, 1) : nonEmpty);
        }

        private static Runs ofNonEmpty(List<List<Distribution>> runs) {
            List<Distribution> seconds = runs.size() == 1 ? runs.get(0) : List.of();
            List<Distribution> whole = runs.stream().map(Distribution::sum).toList();
            return new Runs(
                    whole,
                    PercentileRange.tenths(seconds),
                    seconds.size() < Batches.LEAST ? Optional.empty() : Optional.of(RunIntervals.ofAny(seconds)),
                    seconds.size());
        }

        /**
         * How much a run may differ from others of the same service. A run whose level wanders for several seconds
         * counts as an accordingly shorter one, and may differ by its own movement.
         */
        double scatterOfOthers(double percentile, double usual) {
            if (seconds
                    >= SHORT_SECONDS
                            * single.map(run -> run.wanderingSeconds(percentile))
                                    .orElse(1)) {
                return usual;
            }
            return seconds < SHORT_SECONDS
                    ? SCATTER_OF_SHORT_RUNS
                    : PercentileRange.of(tenths, percentile)
                            .map(moved -> Math.max(usual, Math.min(SCATTER_OF_SHORT_RUNS, TIMES * moved.width())))
                            .orElse(SCATTER_OF_SHORT_RUNS);
        }

        double[] logs(double percentile) {
            return whole.stream()
                    .mapToDouble(run -> Series.log(run.valueAtPercentile(percentile)))
                    .toArray();
        }

        Optional<Scatter> scatter(double percentile) {
            double[] logs = logs(percentile);
            return logs.length < LEAST_RUNS ? Optional.empty() : Optional.of(Scatter.of(logs));
        }
    }

    /** The scatter between single runs. */
    private record Scatter(double deviation, int freedom) {
        static Scatter of(double[] logs) {
            return new Scatter(Math.sqrt(Series.squares(logs) / (logs.length - 1)), logs.length - 1);
        }

        double reach(double halfError) {
            return deviation * StudentT.quantile(1 - halfError, freedom);
        }
    }

    /** One of the two sides; the scatter is that of the other side's runs. */
    private record Side(Runs runs, double percentile, Optional<Scatter> scatter) {
        /** For several runs, the geometric mean, to which the interval belongs. */
        long nanos() {
            return runs.whole.size() == 1
                    ? runs.whole.get(0).valueAtPercentile(percentile)
                    : Math.round(Math.exp(Series.mean(runs.logs(percentile))));
        }

        Limits limits(double confidence, double usual) {
            double halfError = (1 - confidence) / 2;
            if (runs.tenths.isEmpty()) {
                return between(runs.logs(percentile), halfError);
            }
            QuantileInterval unknown =
                    new QuantileInterval(percentile, nanos(), OptionalLong.empty(), OptionalLong.empty(), 0);
            return within(runs.single.map(run -> run.at(percentile, confidence)).orElse(unknown), halfError, usual);
        }

        /** A single run is assumed to differ by the usual variation. */
        double reachBetweenRuns() {
            if (runs.tenths.isEmpty()) {
                Limits limits = between(runs.logs(percentile), ERROR);
                return limits.high - limits.value;
            }
            return scatter.map(others -> others.reach(ERROR)).orElse(USUAL_SCATTER * Normal.quantile(1 - ERROR));
        }

        private static Limits between(double[] logs, double halfError) {
            double reach = Scatter.of(logs).reach(halfError) / Math.sqrt(logs.length);
            double mean = Series.mean(logs);
            return new Limits(mean, mean - reach, mean + reach);
        }

        /** The other side's scatter includes the variation within a run; the usual scatter is added to it. */
        private Limits within(QuantileInterval run, double halfError, double usual) {
            double value = Series.log(run.valueNanos());
            Limits far = run.isBounded() ? new Limits(value, value, value) : far(value);
            double low = run.lowNanos().isPresent() ? Series.log(run.lowNanos().getAsLong()) : far.low;
            double high =
                    run.highNanos().isPresent() ? Series.log(run.highNanos().getAsLong()) : far.high;
            if (scatter.isEmpty()) {
                double between = runs.scatterOfOthers(percentile, usual) * Normal.quantile(1 - halfError);
                return new Limits(
                        value, value - Math.hypot(value - low, between), value + Math.hypot(high - value, between));
            }
            double reach = scatter.get().reach(halfError);
            return new Limits(value, Math.min(low, value - reach), Math.max(high, value + reach));
        }

        /** Bounds from the movement within the run, for an interval without an end; infinite if they are not informative. */
        private Limits far(double value) {
            return PercentileRange.of(runs.tenths, percentile)
                    .filter(PercentileRange::isInformative)
                    .map(moved -> new Limits(value, moved.leastLog(), moved.mostLog()))
                    .orElse(new Limits(value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
        }
    }

    /**
     * Upper bounds of what the client's own delay, or other processes, may have added to one percentile of two systems. A
     * change that these parts can explain is not a change of the system. Immutable.
     *
     * @param baseNanos part of the base's value, in nanoseconds, at least 0
     * @param otherNanos part of the other system's value, in nanoseconds, at least 0
     */
    public record ForeignPart(long baseNanos, long otherNanos) {
        /** The values are the systems' own. */
        public static final ForeignPart NONE = new ForeignPart(0, 0);

        /** Lowers the logarithm of a change by the other's part: 0 or less, infinite if all may be foreign. */
        double low(long othersNanos) {
            return log(othersNanos, otherNanos);
        }

        /** Raises the logarithm of a change by the base's part: 0 or more, infinite if all may be foreign. */
        double high(long basesNanos) {
            return 0 - log(basesNanos, baseNanos);
        }

        private static double log(long nanos, long partNanos) {
            return partNanos == 0 ? 0 : Math.log(Math.max(0, nanos - partNanos) / (double) Math.max(1, nanos));
        }
    }
}
