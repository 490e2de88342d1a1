package dev.downbeat.stats.position;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rank of each value among its neighbours' deviations, from 0 to 1. Drifts, warm-ups and slower series leave no
 * trace.
 */
final class LocalRanks {
    /** The number of neighbours compared on either side. */
    private static final int REACH = 8;

    private LocalRanks() {}

    /** The ranks in the shape of the series; NaN where there is no value or no neighbour. */
    static List<double[]> of(List<long[]> series) {
        List<double[]> ranks = new ArrayList<>();
        int count = 0;
        for (long[] values : series) {
            double[] above = aboveNeighbours(values);
            ranks.add(above);
            count += (int) Arrays.stream(above).filter(Double::isFinite).count();
        }
        double[] sorted = ranks.stream()
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        for (double[] above : ranks) {
            for (int i = 0; i < above.length; i++) {
                above[i] = Double.isNaN(above[i]) ? Double.NaN : middleRank(sorted, above[i]) / count;
            }
        }
        return ranks;
    }

    private static double[] aboveNeighbours(long[] values) {
        double[] logs = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            logs[i] = values[i] < 0 ? Double.NaN : Math.log((double) Math.max(1, values[i]));
        }
        double[] above = new double[values.length];
        double[] around = new double[2 * REACH];
        for (int i = 0; i < values.length; i++) {
            int size = 0;
            for (int j = Math.max(0, i - REACH); j <= Math.min(values.length - 1, i + REACH); j++) {
                if (j != i && !Double.isNaN(logs[j])) {
                    around[size++] = logs[j];
                }
            }
            above[i] = size == 0 ? Double.NaN : logs[i] - median(around, size);
        }
        return above;
    }

    private static double median(double[] values, int size) {
        Arrays.sort(values, 0, size);
        return (values[(size - 1) / 2] + values[size / 2]) / 2;
    }

    /** Equal values share their mean rank. */
    private static double middleRank(double[] sorted, double value) {
        return (firstNotBelow(sorted, value) + firstNotBelow(sorted, Math.nextUp(value))) / 2.0;
    }

    private static int firstNotBelow(double[] sorted, double value) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
