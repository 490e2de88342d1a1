package dev.downbeat.stats.level;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import java.util.List;

/**
 * A percentile of one run.
 *
 * @param log natural logarithm of its nanoseconds
 * @param deviation standard deviation of that logarithm within the run; {@code NaN} if the run was too short
 */
public record LevelRun(double log, double deviation) {
    private static final double Z = 1.96;

    /**
     * Reads the percentile of a run.
     *
     * @param stretches recordings of a second or more each, in order
     * @param percentile above 0, below 100
     */
    public static LevelRun of(List<Distribution> stretches, double percentile) {
        if (stretches.size() < Batches.LEAST) {
            return new LevelRun(log(Distribution.sum(stretches).valueAtPercentile(percentile)), Double.NaN);
        }
        QuantileInterval interval = RunIntervals.ofAny(stretches).at(percentile);
        double log = log(interval.valueNanos());
        double below =
                interval.lowNanos().isPresent() ? log - log(interval.lowNanos().getAsLong()) : Double.NaN;
        double above =
                interval.highNanos().isPresent() ? log(interval.highNanos().getAsLong()) - log : below;
        return new LevelRun(log, (Double.isNaN(below) ? above : (below + above) / 2) / Z);
    }

    private static double log(long nanos) {
        return Math.log((double) Math.max(1, nanos));
    }
}
