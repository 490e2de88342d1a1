package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Counts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** One system as blocks in time, resampled with replacement. Not thread-safe. */
final class BlockDraws {
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
        observed =
                Arrays.stream(percentiles).mapToLong(whole::valueAtPercentile).toArray();
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
        long seen = 0;
        for (int i : ascending) {
            long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percentiles[i]) / 100 * total));
            while (seen < rank && place + 1 < sum.length) {
                seen += sum[++place];
            }
            quantiles[i] = place < 0 ? 0 : values[place];
        }
        return quantiles;
    }

    /** The number of independent requests beyond a percentile, for independent blocks. */
    double independentBeyond(int percentile) {
        int n = places.length;
        double[] excess = new double[n];
        double all =
                Math.max(1, Arrays.stream(counts).mapToLong(BlockDraws::total).sum());
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
