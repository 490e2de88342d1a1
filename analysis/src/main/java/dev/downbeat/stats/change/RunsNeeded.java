package dev.downbeat.stats.change;

import dev.downbeat.stats.Normal;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.StudentT;
import java.util.OptionalInt;

/** How many runs a side show a change of a percentile in four of five comparisons, as {@link QuantileChange} makes them. */
public final class RunsNeeded {
    /** Of the comparisons that are to show it. */
    private static final double POWER = 0.8;

    /** With more it is no plan any more. */
    public static final int MOST = 50;

    private RunsNeeded() {}

    /**
     * The least number: one, or three and more.
     *
     * @param change 0.05 for 5 % slower; above 0
     * @param within standard deviation of the percentile's logarithm by what happens within a run
     * @param rows how many percentiles are asked about at the same time, 1 or more
     * @return empty if {@link #MOST} are too few
     */
    public static OptionalInt of(double change, double within, int rows) {
        double log = Math.log1p(change);
        double halfError = QuantileChange.errorOf(rows) / 2;
        double deviation = Math.sqrt(2) * Math.hypot(within, QuantileChange.USUAL_SCATTER);
        double reach = Normal.quantile(1 - halfError) * Math.sqrt(2) * Math.hypot(within, QuantileChange.LARGE_SCATTER);
        if (log >= reach + Normal.quantile(POWER) * deviation) {
            return OptionalInt.of(1);
        }
        for (int runs = QuantileChange.LEAST_RUNS; runs <= MOST; runs++) {
            double sure = StudentT.quantile(1 - halfError, runs - 1) + StudentT.quantile(POWER, 2 * runs - 2);
            if (log >= sure * deviation / Math.sqrt(runs)) {
                return OptionalInt.of(runs);
            }
        }
        return OptionalInt.empty();
    }

    /** The standard deviation of the logarithm that an interval of 95 % stands for; infinite if it has an open end. */
    public static double within(QuantileInterval interval) {
        return interval.isBounded()
                ? Math.log((double) interval.highNanos().orElseThrow()
                                / Math.max(1, interval.lowNanos().orElseThrow()))
                        / (2 * Normal.quantile(1 - (1 - QuantileInterval.CONFIDENCE) / 2))
                : Double.POSITIVE_INFINITY;
    }
}
