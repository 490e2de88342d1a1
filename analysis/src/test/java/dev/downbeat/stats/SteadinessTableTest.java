package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.SimulatedQueue.Beside;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a change in mid-run is named, and how often one where there is none. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SteadinessTableTest {
    private static final int RUNS = 1_000;

    @ParameterizedTest(name = "{0}, beside {1}, {2}/s, {3} s")
    @CsvSource({
        "0.4, NOTHING, 100, 60, 3 95 95 60",
        "0.8, NOTHING, 100, 60, 3 62 14 3",
        "0.4, PAUSES, 100, 60, 3 55 88 35",
        "0.4, BUSY_SPELLS, 100, 60, 10 18 10 8",
        "0.4, NOTHING, 1000, 60, 3 98 98 95",
        "0.8, NOTHING, 1000, 60, 3 95 80 30",
        "0.4, NOTHING, 100, 300, 3 98 98 88",
        "0.8, NOTHING, 100, 300, 3 97 86 30",
        "0.4, BUSY_SPELLS, 100, 300, 4 30 8 2"
    })
    void a_change_is_named_and_none_is_invented(
            double utilisation, Beside beside, int perSecond, int seconds, String goals) {
        int runs = Math.max(10, Replications.of(RUNS) / (seconds > 60 ? 5 : perSecond > 100 ? 3 : 1));
        String[] goal = goals.split(" ", -1);
        StringBuilder row = new StringBuilder(
                String.format(Locale.ROOT, "| %s%s, %,d/s, %d s |", utilisation, beside.words, perSecond, seconds));
        int notJudged = 0;
        int column = 0;
        for (Change change : Change.values()) {
            int named = 0;
            for (int seed = 0; seed < runs; seed++) {
                SplittableRandom chance = new SplittableRandom(seed + 5_000L);
                SimulatedQueue queue =
                        new SimulatedQueue(utilisation, perSecond, beside, new SplittableRandom(seed * 7_919L + 13));
                Stationarity found = Stationarity.of(
                                queue.changed((second, response) -> change.of(second / seconds, response, chance))
                                        .seconds(seconds),
                                100)
                        .orElseThrow();
                named += found.shape() == Stationarity.Shape.STEADY ? 0 : 1;
                notJudged += change == Change.NONE && !found.isJudged() ? 1 : 0;
            }
            row.append(String.format(Locale.ROOT, " %.1f |", Table.percent(named, runs)));
            double wanted = Double.parseDouble(goal[column++]);
            double slack = Table.slack(wanted, runs);
            assertThat(Table.percent(named, runs))
                    .as(change.toString())
                    .isBetween(
                            change == Change.NONE ? 0 : wanted - slack, change == Change.NONE ? wanted + slack : 100);
        }
        row.append(String.format(Locale.ROOT, " %.0f |", Table.percent(notJudged, runs)));
        Table.line("steadiness", row.toString());
    }

    private enum Change {
        NONE,
        TAIL,
        STEP,
        DRIFT;

        double of(double part, double response, SplittableRandom chance) {
            return response
                    * switch (this) {
                        case NONE -> 1;
                        case TAIL -> part > 0.5 && chance.nextInt(10) == 0 ? 10 : 1;
                        case STEP -> part > 0.5 ? 1.5 : 1;
                        case DRIFT -> 1 + part / 2;
                    };
        }
    }
}
