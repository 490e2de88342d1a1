package dev.downbeat.stats.change;

import dev.downbeat.stats.Normal;
import dev.downbeat.stats.StudentT;
import java.util.Arrays;

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
        return ofTurns(observed, before, after, turns, 0, 0);
    }

    /**
     * The same with an interval that is widened by what something foreign may have added.
     *
     * @param foreignLow is added to the lower ends, 0 or less
     * @param foreignHigh is added to the upper ends, 0 or more
     */
    static BlockChange ofTurns(
            double observed, double[] before, double[] after, int turns, double foreignLow, double foreignHigh) {
        double[] sorted = differences(before, after);
        double widening = Math.sqrt(turns / (turns - 1.0));
        double freedom = Math.max(1, turns - 1);
        return new BlockChange(
                observed,
                foreignLow + end(observed, sorted, HALF_ERROR, widening, freedom),
                foreignHigh + end(observed, sorted, 1 - HALF_ERROR, widening, freedom),
                foreignLow + end(observed, sorted, ONE_SIDED, widening, freedom),
                foreignHigh + end(observed, sorted, 1 - ONE_SIDED, widening, freedom),
                unexplained(observed, sorted, widening, freedom, observed > 0 ? foreignLow : foreignHigh));
    }

    private static double end(double observed, double[] sorted, double share, double widening, double freedom) {
        double upper = Math.max(share, 1 - share);
        double stretch = widening * StudentT.quantile(upper, freedom) / Normal.quantile(upper);
        double drawn = sorted[(int) (sorted.length * share)] - observed;
        return observed + stretch * (share < 0.5 ? Math.min(0, drawn) : Math.max(0, drawn));
    }

    /** The chance of what is left of a change; 1 if all of it may be foreign. */
    private static double unexplained(
            double observed, double[] sorted, double widening, double freedom, double foreign) {
        return Math.abs(foreign) >= Math.abs(observed)
                ? 1
                : chance(
                        observed + foreign,
                        Arrays.stream(sorted).map(change -> change + foreign).toArray(),
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

    private static double variance(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        return Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length - 1);
    }
}
