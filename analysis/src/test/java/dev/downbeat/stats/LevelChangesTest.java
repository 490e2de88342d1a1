package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.SimulatedHistory.Kind;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LevelChangesTest {
    private static final int HISTORIES = 200;
    private static final double ERROR = 0.02;

    /** The goals: in how many of a hundred what is there is found at most three builds off, and something else is said. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "NOTHING,      0, 3",
        "OUTLIERS,     0, 3",
        "HEAVY_TAILS,  0, 5",
        "STEP_10,     80, 5",
        "STEP_20,     97, 3",
        "LATE_STEP,   90, 3",
        "DRIFT,       90, 3"
    })
    void a_lasting_change_is_found_and_none_is_invented(Kind kind, double foundGoal, double falseGoal) {
        int histories = Replications.of(HISTORIES, 40);
        int found = 0;
        int wrong = 0;
        int covered = 0;
        int drifts = 0;
        for (long seed = 1; seed <= histories; seed++) {
            SimulatedHistory history = SimulatedHistory.of(kind, seed);
            List<LevelChange> changes = LevelChanges.of(history.builds(), ERROR).changes();
            List<LevelChange> right = changes.stream()
                    .filter(change -> kind.isFound(change.at()) && change.change() > 0)
                    .toList();
            found += right.isEmpty() ? 0 : 1;
            wrong += right.size() == changes.size() ? 0 : 1;
            drifts += changes.stream().anyMatch(LevelChange::isDrift) ? 1 : 0;
            double truth = kind == Kind.STEP_10 ? 0.1 : 0.2;
            covered += right.stream().anyMatch(change -> change.low() <= truth && truth <= change.high()) ? 1 : 0;
            if (Replications.areWhole()) {
                Table.line("histories", history.line(seed));
            }
        }
        Table.line(
                "history",
                String.format(
                        Locale.ROOT,
                        "| %s | %.1f | %.1f | %.1f | %.0f | %.0f |",
                        kind.words,
                        Table.percent(found, histories),
                        kind.at < 0 ? 0.0 : 100 - Table.percent(found, histories),
                        Table.percent(wrong, histories),
                        Table.percent(covered, Math.max(1, found)),
                        Table.percent(drifts, histories)));
        assertThat(Table.percent(found, histories))
                .isGreaterThanOrEqualTo(foundGoal - Table.slack(foundGoal, histories));
        assertThat(Table.percent(wrong, histories)).isLessThanOrEqualTo(falseGoal + Table.slack(falseGoal, histories));
    }
}
