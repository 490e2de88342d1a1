package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.change.ShiftFunction.BlockChange;
import dev.downbeat.stats.change.ShiftFunction.BlockDraws;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Intervals of the percentiles of one system measured in a few blocks: slices or runs. */
public final class BlockIntervals {
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
            throw new IllegalArgumentException("there must be at least two blocks, but there were " + blocks.size());
        }
        BlockDraws draws = new BlockDraws(blocks, percentiles);
        SplittableRandom random = new SplittableRandom(seed);
        double[][] logs = new double[percentiles.length][BlockDraws.DRAWS];
        for (int draw = 0; draw < BlockDraws.DRAWS; draw++) {
            long[] nanos = draws.quantiles(draws.choose(random));
            for (int i = 0; i < nanos.length; i++) {
                logs[i][draw] = Math.log((double) Math.max(1, nanos[i]));
            }
        }
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < percentiles.length; i++) {
            double observed = Math.log((double) Math.max(1, draws.observed(i)));
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
