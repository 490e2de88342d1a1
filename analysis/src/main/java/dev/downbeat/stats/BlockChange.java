package dev.downbeat.stats;

import java.util.Arrays;

/**
 * The change of one quantity between two systems, in logarithms, with its 95 % interval from draws of blocks.
 *
 * @param observed over all blocks
 * @param low lower end of the interval
 * @param high upper end
 * @param chance how probable a change as great as this would be between identical systems, from 0 to 1
 */
record BlockChange(double observed, double low, double high, double chance) {
    private static final double HALF_ERROR = 0.025;
    private static final double Z = Normal.quantile(1 - HALF_ERROR);

    /**
     * How many blocks a side has.
     *
     * @param count at least 2
     * @param dependence by how much the variance is greater than if they were independent; at least 1
     * @param beyond how many requests there are beyond the percentile that do not depend on each other
     */
    record Blocks(int count, double dependence, double beyond) {
        /** Draws of n blocks from n vary by this less than n new blocks would. */
        double correction() {
            return dependence * count / (count - 1);
        }

        double freedom() {
            return Math.max(1, count / dependence - 1);
        }
    }

    /** Both systems drawn on their own. */
    static BlockChange of(double observed, double[] before, double[] after, Blocks base, Blocks other) {
        double one = variance(before) * base.correction();
        double two = variance(after) * other.correction();
        double drawn = variance(before) + variance(after);
        double scale = one * one / base.freedom() + two * two / other.freedom();
        double freedom = scale > 0 ? (one + two) * (one + two) / scale : base.freedom() + other.freedom();
        double widening = drawn > 0 ? Math.sqrt((one + two) / drawn) : 1;
        return of(observed, differences(before, after), widening, freedom);
    }

    /** Both systems drawn together. */
    static BlockChange ofTurns(double observed, double[] before, double[] after, int turns) {
        Blocks blocks = new Blocks(turns, 1, turns);
        return of(observed, differences(before, after), Math.sqrt(blocks.correction()), blocks.freedom());
    }

    private static BlockChange of(double observed, double[] sorted, double widening, double freedom) {
        double stretch = widening * StudentT.quantile(1 - HALF_ERROR, freedom) / Z;
        double drawnLow = Math.min(observed, sorted[(int) (sorted.length * HALF_ERROR)]);
        double drawnHigh = Math.max(observed, sorted[(int) (sorted.length * (1 - HALF_ERROR))]);
        return new BlockChange(
                observed,
                observed - stretch * (observed - drawnLow),
                observed + stretch * (drawnHigh - observed),
                chance(observed, sorted, widening, freedom));
    }

    /** From the share of the draws on the rarer side of no change; where there is none, from their scatter. */
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
