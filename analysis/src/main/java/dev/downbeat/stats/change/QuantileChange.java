package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.Movement;
import dev.downbeat.stats.Normal;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.Stretches;
import dev.downbeat.stats.StudentT;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * By how much a percentile differs between two systems that were measured apart, from the intervals of both sides (MOVER:
 * Zou, Donner: Construction of confidence limits about effect measures, Stat. Med. 27, 2008), in logarithms. Changes are
 * relative: 0.1 is a tenth slower. An end is empty where a side has none, nor moved so little that it does not matter.
 *
 * <p>Runs of one system differ by more than their own seconds do (Kalibera, Jones: Rigorous benchmarking in reasonable time,
 * ISMM 2013). With several runs on a side their scatter is its interval; a single run beside at least three of the other
 * side is taken to scatter as those do. With fewer, this part is what runs of one service usually differ by: 3 % in the
 * interval, and 5 % where the answer is "faster" or "slower". A run below 20 seconds does not show that
 * the level of its service wanders for longer: it is allowed to differ by 30 %.
 *
 * @param percentile above 0, below 100
 * @param baseNanos of the system that is compared with
 * @param otherNanos of the other one
 * @param low lower end of the 95 % interval of the change
 * @param high upper end of it
 * @param atLeast the change is above it with a confidence of 95 %
 * @param atMost the change is below it with a confidence of 95 %
 * @param answer faster, slower, or cannot tell; over all percentiles together two identical systems are told apart in at
 *     most 5 % of comparisons (Holm: A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979)
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
    /** With fewer seconds of a single run their differences tell too little. */
    public static final int LEAST_SECONDS = Batches.LEAST;

    /** What is left of a single run without its incidents must have so many seconds to tell large differences at least. */
    public static final int LEAST_SECONDS_LEFT = 5;

    static final int LEAST_RUNS = 3;
    private static final double ERROR = 0.05;

    /** Standard deviation of the logarithm between runs of one service: most often, and at worst. */
    static final double USUAL_SCATTER = 0.03;

    static final double LARGE_SCATTER = 0.05;

    /** A single run with fewer is allowed to differ by more: 20 s, less what a late tick and a warm-up may take. */
    public static final int SHORT_SECONDS = 18;

    private static final double SCATTER_OF_SHORT_RUNS = 0.3;

    /** Of what a run moved while it lasted, in which a level that wanders for longer than that is not seen whole. */
    private static final double TIMES = 1.5;

    /**
     * Of all rows together. The intervals of both sides hold in more than 95 %, and put together they err half as often as they
     * may: simulated, identical systems are told apart in 0 to 5 % of pairs.
     */
    private static final double ERROR_OF_ALL = 0.1;

    /**
     * Compares two sides. A side and a copy of it are the same: their change is 0.
     *
     * @param base runs by second or longer stretches, at least {@link #LEAST_SECONDS_LEFT} if there is only one
     * @param other the same
     * @param percentiles each above 0, below 100
     * @param rarer how many times rarer than 5 % it shall be told apart by chance, 1 or more: for one of many questions about
     *     the same runs
     * @return in the order of the percentiles
     */
    public static List<QuantileChange> of(
            List<List<Distribution>> base, List<List<Distribution>> other, List<Double> percentiles, double rarer) {
        boolean isCopy = base.equals(other);
        Runs one = Runs.of(base);
        Runs two = Runs.of(other);
        List<Pair> pairs = percentiles.stream()
                .map(percentile -> new Pair(
                        new Side(one, percentile, two.scatter(percentile)),
                        new Side(two, percentile, one.scatter(percentile)),
                        isCopy))
                .toList();
        ChangeAnswer[] answers = answers(pairs, rarer);
        List<QuantileChange> changes = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            changes.add(pairs.get(i).change(answers[i]));
        }
        return changes;
    }

    /** Of each of so many questions. */
    static double errorOf(int questions) {
        return Math.min(ERROR, ERROR_OF_ALL / questions);
    }

    /** The surest first: each next one must pass a limit that is less strict, until none does. */
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
                double[] ends = pairs.get(i).ends(1 - errorOf(left) / rarer, LARGE_SCATTER);
                if (answers[i] == ChangeAnswer.CANNOT_TELL && (ends[0] > 0 || ends[1] < 0)) {
                    answers[i] = ends[0] > 0 ? ChangeAnswer.SLOWER : ChangeAnswer.FASTER;
                    found = true;
                    left--;
                }
            }
        }
        return answers;
    }

    private record Pair(Side base, Side other, boolean isCopy) {
        boolean isJudged() {
            double[] ends = ends(1 - ERROR, USUAL_SCATTER);
            return !Double.isInfinite(ends[0]) || !Double.isInfinite(ends[1]);
        }

        /** Of the logarithm of the change. */
        double[] ends(double confidence, double scatter) {
            if (isCopy) {
                return new double[2];
            }
            Limits one = base.limits(confidence, scatter);
            Limits two = other.limits(confidence, scatter);
            double change = two.value - one.value;
            return new double[] {
                change - Math.hypot(two.value - two.low, one.high - one.value),
                change + Math.hypot(two.high - two.value, one.value - one.low)
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

    private static double log(long nanos) {
        return Math.log((double) Math.max(1, nanos));
    }

    /** A percentile in logarithms, and between which values it lies; infinite where there is no end. */
    private record Limits(double value, double low, double high) {}

    /** Runs of one system: each as a whole; of an only one also its tenths, and its intervals if it is long enough. */
    private record Runs(
            List<Distribution> whole, List<Distribution> tenths, Optional<RunIntervals> single, int seconds) {
        static Runs of(List<List<Distribution>> runs) {
            List<Distribution> seconds = runs.size() == 1 ? runs.get(0) : List.of();
            return new Runs(
                    runs.stream().map(Distribution::sum).toList(),
                    Stretches.tenths(seconds),
                    seconds.size() < Batches.LEAST ? Optional.empty() : Optional.of(RunIntervals.ofAny(seconds)),
                    seconds.size());
        }

        /**
         * By how much such a run may differ from another one of the same service. One that remembers for some seconds has seen as
         * little of it as one that is so many times shorter: it may differ by what it moved meanwhile.
         */
        double scatterOfOthers(double percentile, double usual) {
            int memory = single.map(run -> run.memory(percentile).stretches()).orElse(1);
            if (seconds >= SHORT_SECONDS * memory) {
                return usual;
            }
            return seconds < SHORT_SECONDS
                    ? SCATTER_OF_SHORT_RUNS
                    : Movement.of(tenths, percentile)
                            .map(moved -> Math.max(usual, Math.min(SCATTER_OF_SHORT_RUNS, TIMES * moved.width())))
                            .orElse(SCATTER_OF_SHORT_RUNS);
        }

        double[] logs(double percentile) {
            return whole.stream()
                    .mapToDouble(run -> log(run.valueAtPercentile(percentile)))
                    .toArray();
        }

        Optional<Scatter> scatter(double percentile) {
            double[] logs = logs(percentile);
            return logs.length < LEAST_RUNS ? Optional.empty() : Optional.of(Scatter.of(logs));
        }
    }

    /** By how much single runs differ. */
    private record Scatter(double deviation, int freedom) {
        static Scatter of(double[] logs) {
            return new Scatter(Math.sqrt(Series.squares(logs) / (logs.length - 1)), logs.length - 1);
        }

        double reach(double halfError) {
            return deviation * StudentT.quantile(1 - halfError, freedom);
        }
    }

    /** One of the two; the scatter is that of the other side's runs. */
    private record Side(Runs runs, double percentile, Optional<Scatter> scatter) {
        long nanos() {
            return Distribution.sum(runs.whole).valueAtPercentile(percentile);
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

        private static Limits between(double[] logs, double halfError) {
            double reach = Scatter.of(logs).reach(halfError) / Math.sqrt(logs.length);
            double mean = Series.mean(logs);
            return new Limits(mean, mean - reach, mean + reach);
        }

        /**
         * What the other side's runs differ by has the differences within a run in it: the larger one counts. What runs usually
         * differ by has not, and is added.
         */
        private Limits within(QuantileInterval run, double halfError, double usual) {
            double value = log(run.valueNanos());
            Limits far = run.isBounded() ? new Limits(value, value, value) : far(value);
            double low = run.lowNanos().isPresent() ? log(run.lowNanos().getAsLong()) : far.low;
            double high = run.highNanos().isPresent() ? log(run.highNanos().getAsLong()) : far.high;
            if (scatter.isEmpty()) {
                double between = runs.scatterOfOthers(percentile, usual) * Normal.quantile(1 - halfError);
                return new Limits(
                        value, value - Math.hypot(value - low, between), value + Math.hypot(high - value, between));
            }
            double reach = scatter.get().reach(halfError);
            return new Limits(value, Math.min(low, value - reach), Math.max(high, value + reach));
        }

        /** What moves by a thousandth within its run can be told from what takes ten times as long. */
        private Limits far(double value) {
            return Movement.of(runs.tenths, percentile)
                    .filter(Movement::isTelling)
                    .map(moved -> new Limits(value, moved.leastLog(), moved.mostLog()))
                    .orElse(new Limits(value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
        }
    }
}
