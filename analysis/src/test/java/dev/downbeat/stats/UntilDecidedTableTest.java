package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.SimulatedQueue.Beside;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often looks at 20, 40, 80, 160 and 320 s call an objective met whose limit is just below the truth. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UntilDecidedTableTest {
    private static final int RUNS = 1_000;
    private static final int LOOKS = 5;
    private static final double ERROR = 0.05;

    @ParameterizedTest(name = "{0}, {1}/s, p{2}")
    @CsvSource({"0.4, 1000, 90", "0.4, 100, 50", "0.8, 1000, 50", "0.8, 1000, 90", "0.8, 100, 50", "0.8, 100, 90"})
    void looking_again_and_again_errs_in_at_most_five_per_cent(double utilisation, int perSecond, double percentile) {
        int runs = Math.max(20, Replications.of(RUNS) / (perSecond > 100 ? 5 : 2));
        int wrong = 0;
        int open = 0;
        for (int seed = 0; seed < runs; seed++) {
            SimulatedQueue queue = new SimulatedQueue(
                    utilisation, perSecond, Beside.NOTHING, new SplittableRandom(seed * 7_919L + 13));
            long limit = Math.round(0.999 * queue.trueValue(percentile));
            List<Distribution> seconds = queue.seconds(20 << (LOOKS - 1));
            boolean decided = false;
            for (int look = 1; look <= LOOKS && !decided; look++) {
                QuantileInterval interval = RunIntervals.of(seconds.subList(0, 20 << (look - 1)))
                        .orElseThrow()
                        .at(percentile, 1 - ERROR / (1L << look));
                boolean met = interval.highNanos().orElse(Long.MAX_VALUE) < limit;
                wrong += met ? 1 : 0;
                decided = met || interval.lowNanos().orElse(0) > limit;
            }
            open += decided ? 0 : 1;
        }
        Table.line(
                "until-decided",
                String.format(
                        Locale.ROOT,
                        "| %s, %,d/s, p%.0f | %.1f | %.0f |",
                        utilisation,
                        perSecond,
                        percentile,
                        Table.percent(wrong, runs),
                        Table.percent(open, runs)));
        assertThat(Table.percent(wrong, runs)).isLessThanOrEqualTo(5 + Table.slack(5, runs));
    }
}
