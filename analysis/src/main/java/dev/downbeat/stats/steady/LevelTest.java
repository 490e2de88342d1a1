package dev.downbeat.stats.steady;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Tests whether the share of requests beyond the median, p90 and p99 of the whole run is constant. Medians alone miss a
 * growing tail. The cumulative excess peaks at a change; its distribution under chance is found by permuting the
 * batches. Batches are as long as the memory of the residuals without the change, which would itself look like memory.
 * Remaining memory raises the limit.
 *
 * @param failed the percentiles that failed the test, lowest first
 * @param visible the smallest factor of a mid-run jump of the median that four of five runs would show; empty if none
 *     would
 * @param size stretches per batch; 0 if the memory was too long for a judgement
 */
record LevelTest(List<Failed> failed, OptionalDouble visible, int size) {
    /**
     * A percentile that changed.
     *
     * @param percentile one of {@link #PERCENTILES}
     * @param at first stretch of the new level
     */
    record Failed(double percentile, int at) {}

    static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);

    private static final int LEAST = 12;

    /** Normal quantile at 90 %: a percentile with this evidence of long memory is not judged. */
    private static final double POSSIBLE = 1.2816;

    /** Normal quantile at 95 %: with this evidence of long memory at a percentile, none is judged. */
    private static final double CLEAR = 1.6449;

    private static final int PERMUTATIONS = 999;
    private static final double ERROR = 0.006;
    private static final long SEED = 0x7f3a;

    /** Normal quantile at 80 %, the power. */
    private static final double POWER = 0.8416;

    /** Tests the percentiles up to the given one. */
    static LevelTest of(List<Distribution> seconds, double highest) {
        Distribution whole = Distribution.sum(seconds);
        List<Double> percentiles =
                PERCENTILES.stream().filter(percentile -> percentile <= highest).toList();
        List<double[]> series = percentiles.stream()
                .map(percentile -> Batches.excess(seconds, whole, percentile))
                .toList();
        int[] fitting =
                series.stream().mapToInt(excess -> size(excess, POSSIBLE)).toArray();
        int size = Arrays.stream(fitting).max().orElse(0);
        boolean hasLongMemory = series.stream().anyMatch(excess -> size(excess, CLEAR) == 0);
        if (size == 0 || hasLongMemory || whole.isEmpty()) {
            return new LevelTest(List.of(), OptionalDouble.empty(), hasLongMemory ? 0 : size);
        }
        List<Failed> failed = new ArrayList<>();
        for (int i = 0; i < percentiles.size(); i++) {
            double[] sums = Batches.of(series.get(i), size).sums();
            if (fitting[i] > 0 && Permutations.isRare(sums)) {
                failed.add(new Failed(percentiles.get(i), peak(sums) * size));
            }
        }
        OptionalDouble visible = fitting[0] > 0
                ? Permutations.visible(series.get(0), size, whole, percentiles.get(0))
                : OptionalDouble.empty();
        return new LevelTest(failed, visible, size);
    }

    /** The least batch length at which the residuals show no memory at z; 0 if there is none. */
    private static int size(double[] excess, double z) {
        double[] residuals = withoutChange(excess);
        for (int size = 1; excess.length / size >= LEAST; size++) {
            Batches batches = Batches.of(residuals, size);
            double m = batches.count();
            if (batches.correlation() <= z * Math.sqrt((m - 2) / (m * m - 1)) - 1 / m) {
                return size;
            }
        }
        return 0;
    }

    /** The values less two levels, or less a line if it fits better. */
    private static double[] withoutChange(double[] values) {
        double[] levels = values.clone();
        int peak = peak(values);
        shift(levels, 0, peak);
        shift(levels, peak, levels.length);
        double[] line = values.clone();
        double middle = (values.length - 1) / 2.0;
        double slope = Series.leastSquaresSlope(values);
        for (int i = 0; i < values.length; i++) {
            line[i] -= slope * (i - middle);
        }
        shift(line, 0, line.length);
        return Series.squares(line) < Series.squares(levels) ? line : levels;
    }

    private static void shift(double[] values, int from, int to) {
        double mean = Arrays.stream(values, from, to).average().orElse(0);
        for (int i = from; i < to; i++) {
            values[i] -= mean;
        }
    }

    /** The number of values before the largest cumulative sum. */
    private static int peak(double[] values) {
        double sum = 0;
        double largest = -1;
        int peak = 1;
        for (int i = 0; i < values.length - 1; i++) {
            sum += values[i];
            if (Math.abs(sum) > largest) {
                largest = Math.abs(sum);
                peak = i + 1;
            }
        }
        return peak;
    }

    private static double excursion(double[] values) {
        double sum = 0;
        double largest = 0;
        for (double value : values) {
            sum += value;
            largest = Math.max(largest, Math.abs(sum));
        }
        return largest;
    }

    /** The cumulative sums of the same batches in random order. */
    private static final class Permutations {
        private final SplittableRandom random = new SplittableRandom(SEED);
        private final double[] order;
        private final double memory;

        private Permutations(double[] sums, double[] residuals) {
            this.order = sums.clone();
            double c = Math.max(0, Batches.of(residuals, 1).correlation());
            this.memory = Math.sqrt((1 + c) / (1 - c));
        }

        /** Whether hardly any order has as large a cumulative sum. Stops as soon as too many have. */
        static boolean isRare(double[] sums) {
            Permutations permutations = new Permutations(sums, withoutChange(sums));
            double largest = excursion(sums);
            int asLarge = 0;
            for (int draw = 0; draw < PERMUTATIONS && isRare(asLarge); draw++) {
                asLarge += permutations.nextLargestSum() >= largest ? 1 : 0;
            }
            return isRare(asLarge);
        }

        private static boolean isRare(int asLarge) {
            return (1.0 + asLarge) / (PERMUTATIONS + 1) <= ERROR;
        }

        /** The smallest factor of a mid-run change that is visible. */
        static OptionalDouble visible(double[] excess, int size, Distribution whole, double percentile) {
            double[] residuals = withoutChange(Batches.of(excess, size).sums());
            Permutations permutations = new Permutations(residuals, residuals);
            double[] alike = new double[PERMUTATIONS];
            Arrays.setAll(alike, draw -> permutations.nextLargestSum());
            Arrays.sort(alike);
            double least = alike[(int) Math.ceil((1 - ERROR) * PERMUTATIONS) - 1]
                    + POWER
                            * permutations.memory
                            * Math.sqrt(Arrays.stream(residuals).map(x -> x * x).sum())
                            / 2;
            return visible(4 * least / whole.count(), whole, percentile);
        }

        private double nextLargestSum() {
            for (int i = order.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                double swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
            return memory * excursion(order);
        }

        /** The factor by which times must change for this share of requests to cross the percentile. */
        private static OptionalDouble visible(double part, Distribution whole, double percentile) {
            double high = percentile + 50 * part;
            double low = percentile - 50 * part;
            return high >= 100 || low <= 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((double) Math.max(1, whole.valueAtPercentile(high))
                            / Math.max(1, whole.valueAtPercentile(low)));
        }
    }
}
