package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.QuantileInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The change of each percentile between systems measured in turns, and whether it is significant.
 *
 * <p>Whole turns are resampled, not single requests, since requests in the same queue are alike. The differences of the
 * percentiles form the shift function (Doksum: Empirical probability plots and statistical inference for nonlinear
 * models in the two-sample case, Ann. Stat. 2, 1974). With few turns the interval is too narrow and is widened by the
 * ratio of Student's t to the normal distribution (Hesterberg: What teachers should know about the bootstrap, Am. Stat.
 * 69, 2015). Answers over all percentiles are corrected by Holm's method (A simple sequentially rejective multiple test
 * procedure, Scand. J. Stat. 6, 1979). Separate runs are compared by {@link QuantileChange}.
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
     *     {@link #LEAST_BEYOND} the interval is unreliable
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
        return ofTurns(systems, percentiles, Collections.nCopies(Math.max(0, systems.size() - 1), none), seed, rarer);
    }

    /**
     * Compares systems whose values are not all their own.
     *
     * @param foreign for each system but the first, for each percentile
     */
    public static List<List<Shift>> ofTurns(
            List<List<Distribution>> systems,
            double[] percentiles,
            List<List<ForeignPart>> foreign,
            long seed,
            double rarer) {
        int turns = systems.isEmpty() ? 0 : systems.get(0).size();
        if (systems.size() < 2 || turns < 2 || systems.stream().anyMatch(system -> system.size() != turns)) {
            throw new IllegalArgumentException("there must be at least two systems and two turns, and as many turns of"
                    + " each system, but there were "
                    + systems.stream().map(List::size).toList() + " turns");
        }
        List<Difference> differences = new ArrayList<>();
        for (int i = 1; i < systems.size(); i++) {
            differences.addAll(differences(systems.get(0), systems.get(i), percentiles, foreign.get(i - 1), seed));
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
            long seed) {
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
            double observed = log(otherDraws.observed(i)) - log(baseDraws.observed(i));
            differences.add(new Difference(
                    percentiles[i],
                    baseDraws.observed(i),
                    otherDraws.observed(i),
                    BlockChange.ofTurns(
                            observed,
                            before[i],
                            after[i],
                            base.size(),
                            foreign.get(i).low(otherDraws.observed(i)),
                            foreign.get(i).high(baseDraws.observed(i))),
                    Math.min(baseDraws.independentBeyond(i), otherDraws.independentBeyond(i))));
        }
        return differences;
    }

    private static void logs(long[] nanos, double[][] into, int draw) {
        for (int i = 0; i < nanos.length; i++) {
            into[i][draw] = log(nanos[i]);
        }
    }

    private static double log(long nanos) {
        return Math.log((double) Math.max(1, nanos));
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
}
