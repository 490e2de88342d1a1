package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.SimulatedQueue.Beside;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In how many simulated runs the 95 % intervals hold the truth, how many have no upper end, and how wide they are. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntervalCoverageTest {
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final int RUNS = 1_000;

    @ParameterizedTest(name = "{0}, beside {1}, {2}/s, {3} s")
    @CsvSource({
        "0.4, NOTHING, 1000, 20, 93 93 94",
        "0.4, NOTHING, 1000, 60, 95 95 95",
        "0.4, NOTHING, 100, 20, 93 93 94",
        "0.4, NOTHING, 100, 60, 94 95 95",
        "0.8, NOTHING, 1000, 20, 93 92 97",
        "0.8, NOTHING, 1000, 60, 95 95 95",
        "0.8, NOTHING, 100, 20, 90 94 99",
        "0.8, NOTHING, 100, 60, 93 95 99",
        "0.8, NOTHING, 100, 300, 94 94 92",
        "0.95, NOTHING, 1000, 20, 86 86 99",
        "0.95, NOTHING, 1000, 60, 91 92 99",
        "0.95, NOTHING, 100, 20, 90 98 99",
        "0.95, NOTHING, 100, 60, 92 97 99",
        "0.95, NOTHING, 100, 300, 92 93 99",
        "0.4, PAUSES, 1000, 20, 92 93 97",
        "0.4, PAUSES, 1000, 60, 94 94 95",
        "0.4, PAUSES, 100, 60, 93 94 95",
        "0.4, BUSY_SPELLS, 1000, 60, 90 92 94",
        "0.4, BUSY_SPELLS, 100, 60, 89 92 95",
        "0.4, BUSY_SPELLS, 100, 300, 92 92 92"
    })
    void intervals_hold_the_truth_although_requests_wait_together(
            double utilisation, Beside beside, int perSecond, int seconds, String goals) {
        int runs = Math.max(10, Replications.of(RUNS) / (seconds > 60 ? 5 : 1));
        int[] held = new int[PERCENTILES.length];
        int[] open = new int[PERCENTILES.length];
        double[][] width = new double[PERCENTILES.length][runs];
        int tooLong = 0;
        for (int seed = 0; seed < runs; seed++) {
            SimulatedQueue queue =
                    new SimulatedQueue(utilisation, perSecond, beside, new SplittableRandom(seed * 7_919L + 13));
            RunIntervals run = RunIntervals.of(queue.seconds(seconds)).orElseThrow();
            tooLong += run.memory(90).isTooLong() ? 1 : 0;
            for (int i = 0; i < PERCENTILES.length; i++) {
                QuantileInterval interval = run.at(PERCENTILES[i]);
                long truth = queue.trueValue(PERCENTILES[i]);
                boolean isWithin = interval.lowNanos().orElse(0) <= truth
                        && truth <= interval.highNanos().orElse(Long.MAX_VALUE);
                held[i] += isWithin ? 1 : 0;
                open[i] += interval.highNanos().isEmpty() ? 1 : 0;
                width[i][seed] = interval.isBounded()
                        ? Math.log((double) interval.highNanos().getAsLong()
                                / interval.lowNanos().getAsLong())
                        : Double.POSITIVE_INFINITY;
            }
        }
        Table.line("intervals", row(utilisation, beside, perSecond, seconds, runs, held, open, width, tooLong));
        String[] goal = goals.split(" ", -1);
        for (int i = 0; i < PERCENTILES.length; i++) {
            double wanted = Double.parseDouble(goal[i]);
            assertThat(Table.percent(held[i], runs))
                    .as("p" + PERCENTILES[i])
                    .isGreaterThanOrEqualTo(wanted - Table.slack(wanted, runs));
        }
    }

    private static String row(
            double utilisation,
            Beside beside,
            int perSecond,
            int seconds,
            int runs,
            int[] held,
            int[] open,
            double[][] width,
            int tooLong) {
        StringBuilder row = new StringBuilder(
                String.format(Locale.ROOT, "| %s%s, %,d/s, %d s |", utilisation, beside.words, perSecond, seconds));
        for (int i = 0; i < PERCENTILES.length; i++) {
            Arrays.sort(width[i]);
            double median = 100 * Math.expm1(width[i][runs / 2] / 2);
            row.append(String.format(
                    Locale.ROOT,
                    " %.1f | %.0f | %s |",
                    Table.percent(held[i], runs),
                    Table.percent(open[i], runs),
                    Double.isInfinite(median) ? "-" : String.format(Locale.ROOT, "%.1f", median)));
        }
        return row.append(String.format(Locale.ROOT, " %.0f |", Table.percent(tooLong, runs)))
                .toString();
    }
}
