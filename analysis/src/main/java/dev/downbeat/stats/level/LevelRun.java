package dev.downbeat.stats.level;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import java.util.List;

/**
 * What one run tells of a percentile.
 *
 * @param log the natural logarithm of its nanoseconds
 * @param deviation the standard deviation of that logarithm as seen within the run; {@code NaN} if it was too short
 */
public record LevelRun(double log, double deviation) {
    private static final double Z = 1.96;

    /**
     * Reads it off a run.
     *
     * @param stretches of a second or more each, in their order
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
