package dev.downbeat.stats.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.SimulatedHistory;
import dev.downbeat.stats.SimulatedHistory.Kind;
import dev.downbeat.stats.Table;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
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
        "STEP_10,     80, 9",
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

    /** Builds that differ by 5 % and are each known to 1 to 2 %; in those that remember, neighbours are alike. */
    private static List<List<LevelRun>> builds(long seed, int count, double kept, int at, double step) {
        SplittableRandom random = new SplittableRandom(seed * 7_919L + 3);
        List<List<LevelRun>> builds = new ArrayList<>();
        double level = random.nextGaussian();
        for (int i = 0; i < count; i++) {
            double within = random.nextDouble(0.01, 0.02);
            double log = 0.05 * level + within * random.nextGaussian() + (i >= at ? Math.log1p(step) : 0);
            builds.add(List.of(new LevelRun(log, within)));
            level = kept * level + Math.sqrt(1 - kept * kept) * random.nextGaussian();
        }
        return builds;
    }

    private static final int NEVER = 1_000;

    @ParameterizedTest(name = "+{2} at {1} of {0}")
    @CsvSource({"12, 6, 0.2, 77", "20, 10, 0.1, 49", "50, 48, 0.2, 65"})
    void short_histories_show_as_much_as_the_exact_limit_allows(int count, int at, double step, double goal) {
        int histories = Replications.of(1_000, 100);
        int found = 0;
        int wrong = 0;
        for (long seed = 0; seed < histories; seed++) {
            found += LevelChanges.of(builds(seed, count, 0, at, step), ERROR).changes().stream()
                            .anyMatch(change -> change.change() > 0 && Math.abs(change.at() - at) <= 3)
                    ? 1
                    : 0;
            wrong += LevelChanges.of(builds(seed, count, 0, NEVER, 0), ERROR)
                            .changes()
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat(Table.percent(found, histories)).isGreaterThanOrEqualTo(goal - Table.slack(goal, histories));
        assertThat(Table.percent(wrong, histories)).isLessThanOrEqualTo(2 + Table.slack(2, histories));
    }

    /** What a history says of the rise that it would show is what is found when such a rise comes. */
    @ParameterizedTest(name = "after {1} builds beside {0}")
    @CsvSource({"8, 2", "8, 5", "12, 2", "12, 5", "20, 2", "20, 5", "50, 2", "50, 5"})
    void the_promised_detectable_rise_is_found_in_four_of_five(int count, int further) {
        int histories = Replications.of(1_000, 100);
        int found = 0;
        for (long seed = 0; seed < histories; seed++) {
            List<List<LevelRun>> history = builds(seed, count, 0, NEVER, 0);
            double rise = LevelChanges.of(history, ERROR / 3).visible(further);
            history.addAll(builds(seed + 1_000_000, further, 0, 0, rise));
            found += LevelChanges.of(history, ERROR / 3).changes().stream()
                            .anyMatch(change -> change.change() > 0 && Math.abs(change.at() - count) <= 2)
                    ? 1
                    : 0;
        }
        double slack = Table.slack(80, histories);
        assertThat(Table.percent(found, histories)).isBetween(75 - slack, 87 + slack);
    }

    @ParameterizedTest(name = "{0} of the level kept: named without a warning in at most {1} %")
    @CsvSource({"0.5, 7", "0.8, 15"})
    void dependent_builds_are_reported_as_wandering(double kept, double most) {
        int histories = Replications.of(1_000, 100);
        int wrong = 0;
        for (long seed = 0; seed < histories; seed++) {
            LevelChanges found = LevelChanges.of(builds(seed, 50, kept, NEVER, 0), ERROR / 3);
            wrong += found.changes().isEmpty() || found.wanders() ? 0 : 1;
        }
        assertThat(Table.percent(wrong, histories)).isLessThanOrEqualTo(most + Table.slack(most, histories));
    }
}
