package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Counts;
import dev.downbeat.stats.Normal;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShiftFunction.BlockChange;
import dev.downbeat.stats.change.ShiftFunction.BlockDraws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The change of each percentile between systems measured in turns, and whether it is significant.
 *
 * <p>Whole turns are resampled, not single requests, since requests in the same queue are alike. The differences of the
 * percentiles form the shift function (Doksum: Empirical probability plots and statistical inference for nonlinear
 * models in the two-sample case, Ann. Stat. 2, 1974). With few turns the interval is too narrow and is widened by the
 * ratio of Student's t to the normal distribution (Hesterberg: What teachers should know about the bootstrap, Am. Stat.
 * 69, 2015). Where the levels of turns lie far apart, the changes within turns count instead. Answers over all
 * percentiles are corrected by Holm's method (A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6,
 * 1979). Separate runs are compared by {@link QuantileChange}.
 */
public final class ShiftFunction {
    /** The probability of a false alarm between any two identical systems. */
    private static final double ERROR = 0.05;

    /** The number of independent requests beyond a percentile that its interval needs. */
    public static final int LEAST_BEYOND = 5;

    /** With fewer, the error of a change must be smaller by this factor. */
    private static final double STRICTER = 10;

    private static final int DRAWS = BlockDraws.DRAWS;

    private ShiftFunction() {}

    /**
     * The difference at one percentile. Changes are relative: 0.1 is 10 % slower.
     *
     * @param percentile above 0, below 100
     * @param baseNanos value of the base
     * @param otherNanos value of the other system
     * @param lowChange lower end of this percentile's own 95 % interval
     * @param highChange upper end of the interval
     * @param atLeast one-sided 95 % lower bound of the change
     * @param atMost one-sided 95 % upper bound of the change
     * @param independentBeyond independent requests beyond the percentile, on the side with fewer; below
     *     {@link #LEAST_BEYOND} the interval is unreliable. If systems are compared within turns, those beyond it in the
     *     turn with the fewest
     * @param answer the conclusion, corrected for all percentiles together
     */
    public record Shift(
            double percentile,
            long baseNanos,
            long otherNanos,
            double lowChange,
            double highChange,
            double atLeast,
            double atMost,
            double independentBeyond,
            ChangeAnswer answer) {}

    /**
     * Compares systems measured in turns with the first of them. Changes of the machine affect all systems of a turn,
     * so a turn is resampled as a whole.
     *
     * @param systems at least two; each by turn, with at least two turns and equally many
     * @param percentiles each above 0 and below 100
     * @param seed seed of the draws; the same seed gives the same answer
     * @param rarer factor by which false alarms must be rarer than 5 %, at least 1
     * @return for each system but the first, in the order of the percentiles; corrected for all of them together
     */
    public static List<List<Shift>> ofTurns(
            List<List<Distribution>> systems, double[] percentiles, long seed, double rarer) {
        List<ForeignPart> none = Collections.nCopies(percentiles.length, ForeignPart.NONE);
        return ofTurns(
                systems, percentiles, Collections.nCopies(Math.max(0, systems.size() - 1), none), seed, rarer, 1);
    }

    /**
     * Compares systems whose values may include foreign delays.
     *
     * @param foreign for each system but the first, for each percentile
     * @param looks number of looks at growing data that share the error of the intervals and bounds, at least 1
     */
    public static List<List<Shift>> ofTurns(
            List<List<Distribution>> systems,
            double[] percentiles,
            List<List<ForeignPart>> foreign,
            long seed,
            double rarer,
            int looks) {
        int turns = systems.isEmpty() ? 0 : systems.get(0).size();
        if (systems.size() < 2 || turns < 2 || systems.stream().anyMatch(system -> system.size() != turns)) {
            throw new IllegalArgumentException("there must be at least two systems and two turns, and as many turns of"
                    + " each system, but there were "
                    + systems.stream().map(List::size).toList() + " turns");
        }
        List<Difference> differences = new ArrayList<>();
        for (int i = 1; i < systems.size(); i++) {
            differences.addAll(
                    differences(systems.get(0), systems.get(i), percentiles, foreign.get(i - 1), seed, looks));
        }
        List<Shift> shifts = answered(differences, ERROR / rarer);
        List<List<Shift>> bySystem = new ArrayList<>();
        for (int i = 0; i < shifts.size(); i += percentiles.length) {
            bySystem.add(shifts.subList(i, i + percentiles.length));
        }
        return bySystem;
    }

    /** One percentile's difference before the correction for the others. */
    private record Difference(double percentile, long baseNanos, long otherNanos, BlockChange change, double beyond) {
        Shift with(ChangeAnswer answer) {
            return new Shift(
                    percentile,
                    baseNanos,
                    otherNanos,
                    Math.expm1(change.low()),
                    Math.expm1(change.high()),
                    Math.expm1(change.atLeast()),
                    Math.expm1(change.atMost()),
                    beyond,
                    answer);
        }

        double chance() {
            return beyond < LEAST_BEYOND ? Math.min(1, STRICTER * change.chance()) : change.chance();
        }
    }

    private static List<Difference> differences(
            List<Distribution> base,
            List<Distribution> other,
            double[] percentiles,
            List<ForeignPart> foreign,
            long seed,
            int looks) {
        Arrays.stream(percentiles).forEach(QuantileInterval::requireInside);
        BlockDraws baseDraws = new BlockDraws(base, percentiles);
        BlockDraws otherDraws = new BlockDraws(other, percentiles);
        SplittableRandom random = new SplittableRandom(seed);
        double[][] before = new double[percentiles.length][DRAWS];
        double[][] after = new double[percentiles.length][DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            int[] chosen = baseDraws.choose(random);
            logs(baseDraws.quantiles(chosen), before, draw);
            logs(otherDraws.quantiles(chosen), after, draw);
        }
        List<Difference> differences = new ArrayList<>();
        for (int i = 0; i < percentiles.length; i++) {
            double observed = Series.log(otherDraws.observed(i)) - Series.log(baseDraws.observed(i));
            double low = foreign.get(i).low(otherDraws.observed(i));
            double high = foreign.get(i).high(baseDraws.observed(i));
            double beyond = Math.min(baseDraws.independentBeyond(i), otherDraws.independentBeyond(i));
            Pairs pairs = Pairs.of(base, other, percentiles[i]);
            boolean isWithin = beyond < LEAST_BEYOND && pairs.areAlike();
            differences.add(new Difference(
                    percentiles[i],
                    baseDraws.observed(i),
                    otherDraws.observed(i),
                    isWithin
                            ? BlockChange.ofPairs(observed, pairs.changes(), low, high, looks)
                            : BlockChange.ofTurns(observed, before[i], after[i], base.size(), low, high, looks),
                    isWithin ? pairs.leastBeyond() : beyond));
        }
        return differences;
    }

    /**
     * One percentile in each turn, in logarithms. If turns differ much in level, a few of them determine the percentile
     * of the sum. If both systems rise and fall together, their changes within turns still show a difference.
     *
     * @param leastBeyond the requests beyond the percentile in the turn with the fewest
     */
    private record Pairs(double[] before, double[] after, double leastBeyond) {
        static Pairs of(List<Distribution> base, List<Distribution> other, double percentile) {
            long least = Stream.concat(base.stream(), other.stream())
                    .mapToLong(Distribution::count)
                    .min()
                    .orElse(0);
            return new Pairs(levels(base, percentile), levels(other, percentile), least * (1 - percentile / 100));
        }

        private static double[] levels(List<Distribution> turns, double percentile) {
            return turns.stream()
                    .mapToDouble(turn -> Series.log(turn.valueAtPercentile(percentile)))
                    .toArray();
        }

        double[] changes() {
            return IntStream.range(0, before.length)
                    .mapToDouble(turn -> after[turn] - before[turn])
                    .toArray();
        }

        /** Whether the changes scatter less than the levels of either system, and each turn has enough requests. */
        boolean areAlike() {
            return leastBeyond >= LEAST_BEYOND && variance(changes()) < Math.min(variance(before), variance(after));
        }
    }

    private static double variance(double[] values) {
        return Series.squares(values) / (values.length - 1);
    }

    private static void logs(long[] nanos, double[][] into, int draw) {
        for (int i = 0; i < nanos.length; i++) {
            into[i][draw] = Series.log(nanos[i]);
        }
    }

    /** Tests the most certain change first. Each further one faces a less strict limit, until one fails. */
    private static List<Shift> answered(List<Difference> differences, double error) {
        ChangeAnswer[] answers = new ChangeAnswer[differences.size()];
        Arrays.fill(answers, ChangeAnswer.CANNOT_TELL);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingDouble(i -> differences.get(i).chance()));
        for (int rank = 0; rank < order.size(); rank++) {
            Difference difference = differences.get(order.get(rank));
            if (difference.chance() > error / (order.size() - rank)) {
                break;
            }
            answers[order.get(rank)] = difference.change().observed() < 0 ? ChangeAnswer.FASTER : ChangeAnswer.SLOWER;
        }
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            shifts.add(differences.get(i).with(answers[i]));
        }
        return shifts;
    }

    /** One system as blocks in time, resampled with replacement. Not thread-safe. */
    static final class BlockDraws {
        static final int DRAWS = 1_000;

        private final double[] percentiles;

        /** Indices of the percentiles from the lowest to the highest. */
        private final int[] ascending;

        private final long[] values;

        /** By block: indices of the values, and their counts. */
        private final int[][] places;

        private final long[][] counts;
        private final long[] sum;
        private final long[] observed;

        BlockDraws(List<Distribution> blocks, double[] percentiles) {
            this.percentiles = percentiles;
            ascending = IntStream.range(0, percentiles.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> percentiles[i]))
                    .mapToInt(i -> i)
                    .toArray();
            Distribution whole = Distribution.sum(blocks);
            values = Counts.of(whole).values();
            observed = Arrays.stream(percentiles)
                    .mapToLong(whole::valueAtPercentile)
                    .toArray();
            sum = new long[values.length];
            places = new int[blocks.size()][];
            counts = new long[blocks.size()][];
            for (int i = 0; i < places.length; i++) {
                Counts block = Counts.of(blocks.get(i));
                counts[i] = block.counts();
                places[i] = Arrays.stream(block.values())
                        .mapToInt(value -> Arrays.binarySearch(values, value))
                        .toArray();
            }
        }

        long observed(int percentile) {
            return observed[percentile];
        }

        /** Draws the blocks of one sample. */
        int[] choose(SplittableRandom random) {
            int[] chosen = new int[places.length];
            for (int i = 0; i < chosen.length; i++) {
                chosen[i] = random.nextInt(places.length);
            }
            return chosen;
        }

        /** The percentiles of the drawn blocks together, in nanoseconds. */
        long[] quantiles(int[] chosen) {
            Arrays.fill(sum, 0);
            long total = 0;
            for (int block : chosen) {
                int[] at = places[block];
                long[] count = counts[block];
                for (int i = 0; i < at.length; i++) {
                    sum[at[i]] += count[i];
                    total += count[i];
                }
            }
            return quantiles(total);
        }

        /** In one pass over the values, from the lowest percentile to the highest. */
        private long[] quantiles(long total) {
            long[] quantiles = new long[percentiles.length];
            int place = -1;
            long cumulated = 0;
            for (int i : ascending) {
                long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percentiles[i]) / 100 * total));
                while (cumulated < rank && place + 1 < sum.length) {
                    cumulated += sum[++place];
                }
                quantiles[i] = place < 0 ? 0 : values[place];
            }
            return quantiles;
        }

        /** The number of independent requests beyond a percentile, for independent blocks. */
        double independentBeyond(int percentile) {
            int n = places.length;
            double[] excess = new double[n];
            double all = Math.max(
                    1, Arrays.stream(counts).mapToLong(BlockDraws::total).sum());
            double share = 0;
            for (int i = 0; i < n; i++) {
                excess[i] = above(i, observed[percentile]);
                share += excess[i] / all;
            }
            double squares = 0;
            for (int i = 0; i < n; i++) {
                excess[i] -= share * total(counts[i]);
                squares += excess[i] * excess[i];
            }
            double variance = n / (n - 1.0) * squares / (all * all);
            double independent = variance > 0 ? Math.min(all, share * (1 - share) / variance) : all;
            return independent * (1 - percentiles[percentile] / 100);
        }

        private long above(int block, long nanos) {
            long above = 0;
            for (int i = 0; i < places[block].length; i++) {
                above += values[places[block][i]] > nanos ? counts[block][i] : 0;
            }
            return above;
        }

        private static long total(long[] counts) {
            return Arrays.stream(counts).sum();
        }
    }

    /**
     * The change of one quantity between two systems measured in turns, in logarithms, from resampled turns.
     *
     * @param observed change over all turns
     * @param low lower end of the 95 % interval
     * @param high upper end of the 95 % interval
     * @param atLeast one-sided 95 % lower bound of the change
     * @param atMost one-sided 95 % upper bound of the change
     * @param chance probability of a change this large between identical systems, from 0 to 1
     */
    public record BlockChange(double observed, double low, double high, double atLeast, double atMost, double chance) {
        private static final double HALF_ERROR = 0.025;
        private static final double ONE_SIDED = 0.05;

        /** Corrects the draws: n draws from n turns vary less than n new turns, and few turns are little evidence. */
        public static BlockChange ofTurns(double observed, double[] before, double[] after, int turns) {
            return ofTurns(observed, before, after, turns, 0, 0, 1);
        }

        /**
         * The same with ends widened by foreign delays.
         *
         * @param foreignLow added to the lower ends, 0 or less
         * @param foreignHigh added to the upper ends, 0 or more
         * @param looks number of looks that share the error of the ends (Bonferroni)
         */
        static BlockChange ofTurns(
                double observed,
                double[] before,
                double[] after,
                int turns,
                double foreignLow,
                double foreignHigh,
                int looks) {
            double[] sorted = differences(before, after);
            double widening = Math.sqrt(turns / (turns - 1.0));
            double freedom = Math.max(1, turns - 1);
            return new BlockChange(
                    observed,
                    foreignLow + end(observed, sorted, HALF_ERROR / looks, widening, freedom),
                    foreignHigh + end(observed, sorted, 1 - HALF_ERROR / looks, widening, freedom),
                    foreignLow + end(observed, sorted, ONE_SIDED / looks, widening, freedom),
                    foreignHigh + end(observed, sorted, 1 - ONE_SIDED / looks, widening, freedom),
                    unexplained(observed, sorted, widening, freedom, observed > 0 ? foreignLow : foreignHigh));
        }

        /**
         * The change by the mean of the changes within turns, with Student's t. Between identical systems these scatter
         * evenly around 0. The interval includes the change over all turns.
         */
        static BlockChange ofPairs(
                double observed, double[] changes, double foreignLow, double foreignHigh, int looks) {
            double mean = Arrays.stream(changes).average().orElse(0);
            double error = Math.sqrt(ShiftFunction.variance(changes) / changes.length);
            double freedom = changes.length - 1.0;
            double reach = error * StudentT.quantile(1 - HALF_ERROR / looks, freedom);
            double oneSided = error * StudentT.quantile(1 - ONE_SIDED / looks, freedom);
            double left = observed > 0 ? mean + foreignLow : -mean - foreignHigh; // of the change
            return new BlockChange(
                    observed,
                    foreignLow + Math.min(observed, mean - reach),
                    foreignHigh + Math.max(observed, mean + reach),
                    foreignLow + Math.min(observed, mean - oneSided),
                    foreignHigh + Math.max(observed, mean + oneSided),
                    left <= 0 ? 1 : error == 0 ? 0 : Math.min(1, 2 * StudentT.upperTail(left / error, freedom)));
        }

        private static double end(double observed, double[] sorted, double share, double widening, double freedom) {
            double upper = Math.max(share, 1 - share);
            double stretch = widening * StudentT.quantile(upper, freedom) / Normal.quantile(upper);
            double drawn = sorted[(int) (sorted.length * share)] - observed;
            return observed + stretch * (share < 0.5 ? Math.min(0, drawn) : Math.max(0, drawn));
        }

        /** The chance of the part of a change that is not foreign; 1 if all of it may be foreign. */
        private static double unexplained(
                double observed, double[] sorted, double widening, double freedom, double foreign) {
            return Math.abs(foreign) >= Math.abs(observed)
                    ? 1
                    : chance(
                            observed + foreign,
                            Arrays.stream(sorted)
                                    .map(change -> change + foreign)
                                    .toArray(),
                            widening,
                            freedom);
        }

        /** From the share of draws on the rarer side of no change; if that is zero, from their scatter. */
        private static double chance(double observed, double[] sorted, double widening, double freedom) {
            long below = Arrays.stream(sorted).filter(change -> change <= 0).count();
            long above = Arrays.stream(sorted).filter(change -> change >= 0).count();
            double share = (Math.min(below, above) + 1.0) / (sorted.length + 1.0);
            if (share >= 0.5) {
                return 1;
            }
            double z = -Normal.quantile(share);
            double deviation = Math.sqrt(variance(sorted));
            if (Math.min(below, above) == 0 && deviation > 0) {
                z = Math.max(z, Math.abs(observed) / deviation);
            }
            return Math.min(1, 2 * StudentT.upperTail(z / widening, freedom));
        }

        private static double[] differences(double[] before, double[] after) {
            double[] differences = new double[before.length];
            for (int i = 0; i < differences.length; i++) {
                differences[i] = after[i] - before[i];
            }
            Arrays.sort(differences);
            return differences;
        }
    }

    /** Intervals of the percentiles of one system measured in a few blocks: slices or runs. */
    public static final class BlockIntervals {
        private BlockIntervals() {}

        /**
         * The 95 % interval of each percentile by resampling whole blocks, widened as in {@link ShiftFunction}.
         *
         * @param blocks at least two
         * @param percentiles each above 0 and below 100
         * @param seed seed of the draws
         * @return in the order of the percentiles
         */
        public static List<Range> of(List<Distribution> blocks, double[] percentiles, long seed) {
            if (blocks.size() < 2) {
                throw new IllegalArgumentException(
                        "there must be at least two blocks, but there were " + blocks.size());
            }
            BlockDraws draws = new BlockDraws(blocks, percentiles);
            SplittableRandom random = new SplittableRandom(seed);
            double[][] logs = new double[percentiles.length][BlockDraws.DRAWS];
            for (int draw = 0; draw < BlockDraws.DRAWS; draw++) {
                logs(draws.quantiles(draws.choose(random)), logs, draw);
            }
            List<Range> ranges = new ArrayList<>();
            for (int i = 0; i < percentiles.length; i++) {
                double observed = Series.log(draws.observed(i));
                BlockChange value = BlockChange.ofTurns(observed, new double[logs[i].length], logs[i], blocks.size());
                ranges.add(new Range(Math.round(Math.exp(value.low())), Math.round(Math.exp(value.high()))));
            }
            return ranges;
        }

        /**
         * An interval.
         *
         * @param lowNanos lower end
         * @param highNanos upper end
         */
        public record Range(long lowNanos, long highNanos) {}
    }
}
