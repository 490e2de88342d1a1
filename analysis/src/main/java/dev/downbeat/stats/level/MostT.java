package dev.downbeat.stats.level;

import dev.downbeat.stats.Series;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The greatest t statistic over all cuts of a series without a change. The statistics of different cuts are dependent,
 * so Bonferroni's limit is too high. This limit is simulated with a fixed seed. Thread-safe.
 */
final class MostT {
    private static final int DRAWS = 20_000;
    private static final long SEED = 0x3a17;
    private static final int LEAST = 2;

    private static final Map<Integer, double[]> KNOWN = new ConcurrentHashMap<>();

    private MostT() {}

    /**
     * The value exceeded with probability {@code error}.
     *
     * @param values at least 4
     * @param error above 0, below 1
     */
    static double limit(int values, double error) {
        double[] drawn = KNOWN.computeIfAbsent(values, MostT::drawn);
        return drawn[Math.min(DRAWS - 1, (int) Math.ceil((1 - error) * DRAWS) - 1)];
    }

    private static double[] drawn(int values) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] series = new double[values];
        double[] most = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            for (int i = 0; i < values; i++) {
                series[i] = random.nextGaussian();
            }
            most[draw] = most(series);
        }
        Arrays.sort(most);
        return most;
    }

    private static double most(double[] series) {
        int n = series.length;
        double mean = Series.mean(series);
        double squares = Series.squares(series);
        double sum = 0;
        double explained = 0;
        for (int before = 1; before <= n - LEAST; before++) {
            sum += series[before - 1] - mean;
            if (before >= LEAST) {
                explained = Math.max(explained, sum * sum * n / ((double) before * (n - before)));
            }
        }
        return Math.sqrt(explained / (squares - explained) * (n - 2));
    }
}
