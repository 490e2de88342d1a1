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

/**
 * How often looks at 60, 120, 240 and 480 s, of which two in a row must agree, call an objective met whose limit is just below
 * the truth.
 */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UntilDecidedTableTest {
    private static final int RUNS = 1_000;
    private static final int LOOKS = 4;
    private static final int FIRST_SECONDS = 60;
    private static final double ERROR_OF_LOOK = 0.04;

    @ParameterizedTest(name = "{0}, {1}, {2}/s, p{3}")
    @CsvSource({
        "0.4, NOTHING, 1000, 90",
        "0.4, NOTHING, 100, 50",
        "0.8, NOTHING, 1000, 90",
        "0.8, NOTHING, 100, 50",
        "0.95, NOTHING, 100, 50",
        "0.95, NOTHING, 100, 90",
        "0.4, PAUSES, 100, 50",
        "0.4, PAUSES, 100, 90",
        "0.4, BUSY_SPELLS, 100, 50",
        "0.4, BUSY_SPELLS, 100, 90"
    })
    void looking_again_and_again_errs_in_at_most_five_per_cent(
            double utilisation, Beside beside, int perSecond, double percentile) {
        int runs = Math.max(20, Replications.of(RUNS) / (perSecond > 100 ? 5 : 2));
        int wrong = 0;
        int open = 0;
        for (int seed = 0; seed < runs; seed++) {
            SimulatedQueue queue =
                    new SimulatedQueue(utilisation, perSecond, beside, new SplittableRandom(seed * 7_919L + 13));
            long limit = Math.round(0.999 * queue.trueValue(percentile));
            List<Distribution> seconds = queue.seconds(FIRST_SECONDS << (LOOKS - 1));
            boolean decided = false;
            int before = 0;
            for (int look = 0; look < LOOKS && !decided; look++) {
                QuantileInterval interval = RunIntervals.of(seconds.subList(0, FIRST_SECONDS << look))
                        .orElseThrow()
                        .at(percentile, 1 - ERROR_OF_LOOK);
                int seen = interval.highNanos().orElse(Long.MAX_VALUE) < limit
                        ? 1
                        : interval.lowNanos().orElse(0) > limit ? -1 : 0;
                decided = seen != 0 && seen == before;
                wrong += decided && seen == 1 ? 1 : 0;
                before = seen;
            }
            open += decided ? 0 : 1;
        }
        Table.line(
                "until-decided",
                String.format(
                        Locale.ROOT,
                        "| %s%s, %,d/s, p%.0f | %.1f | %.0f |",
                        utilisation,
                        beside.words,
                        perSecond,
                        percentile,
                        Table.percent(wrong, runs),
                        Table.percent(open, runs)));
        assertThat(Table.percent(wrong, runs)).isLessThanOrEqualTo(5 + Table.slack(5, runs));
    }
}
