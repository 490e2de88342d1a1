package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.stats.SimulatedHistory.Kind;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
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

    private static List<List<LevelRun>> builds(double... logs) {
        List<List<LevelRun>> builds = new ArrayList<>();
        for (double log : logs) {
            builds.add(List.of(new LevelRun(log, 0.01)));
        }
        return builds;
    }

    @Test
    void a_step_says_where_by_how_much_and_how_surely() {
        LevelChanges found =
                LevelChanges.of(builds(1, 1.01, 0.99, 1, 1.01, 0.99, 1.2, 1.19, 1.21, 1.2, 1.19, 1.21), ERROR);
        assertThat(found.changes()).hasSize(1);
        LevelChange change = found.changes().get(0);
        assertThat(change.at()).isEqualTo(6);
        assertThat(change.earliest()).isEqualTo(6);
        assertThat(change.latest()).isEqualTo(6);
        assertThat(change.isDrift()).isFalse();
        assertThat(change.change()).isCloseTo(Math.expm1(0.2), within(1e-9));
        assertThat(change.low()).isBetween(0.18, 0.22);
        assertThat(change.high()).isBetween(0.22, 0.26);
        assertThat(found.level(0)).isCloseTo(1, within(1e-9));
        assertThat(found.level(11)).isCloseTo(1.2, within(1e-9));
    }

    @Test
    void the_more_builds_come_the_smaller_a_change_they_show_also_after_a_short_history() {
        LevelChanges found = LevelChanges.of(builds(1, 1.01, 0.99, 1, 1.01, 0.99), ERROR);
        assertThat(found.visible(5)).isLessThan(found.visible(2));
    }

    @Test
    void one_build_is_no_level_but_two_are() {
        double[] logs = new double[20];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = 1 + (i % 3 - 1) * 0.01;
        }
        logs[19] = 1.5;
        LevelChanges one = LevelChanges.of(builds(logs), ERROR);
        assertThat(one.changes()).isEmpty();
        assertThat(one.apart()).containsExactly(19);
        logs[18] = 1.5;
        assertThat(LevelChanges.of(builds(logs), ERROR).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.at()).isEqualTo(18));
    }

    @Test
    void several_runs_of_a_build_tell_how_runs_differ() {
        List<List<LevelRun>> builds = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            double log = i < 5 ? 1 : 1.15;
            builds.add(
                    List.of(new LevelRun(log - 0.2, 0.001), new LevelRun(log, 0.001), new LevelRun(log + 0.2, 0.001)));
        }
        LevelChanges found = LevelChanges.of(builds, ERROR);
        assertThat(found.noiseWithin()).isCloseTo(0.2 / Math.sqrt(3), within(1e-9));
        assertThat(found.changes()).isEmpty();
    }

    @Test
    void what_never_varies_has_no_changes_and_runs_too_short_for_intervals_count_too() {
        assertThat(LevelChanges.of(builds(1, 1, 1, 1, 1, 1, 1), ERROR).changes())
                .isEmpty();
        List<List<LevelRun>> bare = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            bare.add(List.of(new LevelRun(1 + (i % 2) * 0.01 + (i < 10 ? 0 : 0.3), Double.NaN)));
        }
        assertThat(LevelChanges.of(bare, ERROR).changes()).hasSize(1);
    }

    @Test
    void too_few_builds_are_refused() {
        assertThatThrownBy(() -> LevelChanges.of(builds(1, 1, 1), ERROR))
                .hasMessage("builds must be 6 to 500, but were 3");
    }
}
