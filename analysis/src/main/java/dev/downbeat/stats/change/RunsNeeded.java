package dev.downbeat.stats.change;

import dev.downbeat.stats.Normal;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.StudentT;
import java.util.OptionalInt;

/**
 * The runs per side needed to detect a change of a percentile in four of five comparisons by {@link QuantileChange}.
 */
public final class RunsNeeded {
    /** The probability of detecting the change. */
    private static final double POWER = 0.8;

    /** The most runs that are planned. */
    public static final int MOST = 50;

    private RunsNeeded() {}

    /**
     * The least number of runs: one, or three and more.
     *
     * @param change slowdown to detect, above 0: 0.05 for 5 %
     * @param within standard deviation of the percentile's logarithm from variation within a run
     * @param rows number of percentiles tested together, at least 1
     * @return empty if {@link #MOST} runs are too few
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

    /** The standard deviation of the logarithm that corresponds to a 95 % interval; infinite if an end is open. */
    public static double within(QuantileInterval interval) {
        return interval.isBounded()
                ? Math.log((double) interval.highNanos().orElseThrow()
                                / Math.max(1, interval.lowNanos().orElseThrow()))
                        / (2 * Normal.quantile(1 - (1 - QuantileInterval.CONFIDENCE) / 2))
                : Double.POSITIVE_INFINITY;
    }
}
