package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.stats.level.LevelChange;
import dev.downbeat.stats.level.LevelChanges;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.stats.level.Levels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories whose steps and drifts can be seen with the eye, at the limits where one becomes the other. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StepsAndDriftsTest {
    private static final double ERROR = 0.02;

    private static List<List<LevelRun>> builds(double... logs) {
        List<List<LevelRun>> builds = new ArrayList<>();
        for (double log : logs) {
            builds.add(List.of(new LevelRun(log, 0.01)));
        }
        return builds;
    }

    /** Of so many builds, with a noise of 0.01 that adds nothing to a mean or a slope of each four. */
    private static LevelChanges history(int builds, IntToDoubleFunction logs) {
        return LevelChanges.of(
                builds(IntStream.range(0, builds)
                        .mapToDouble(i -> logs.applyAsDouble(i) + (i % 4 == 0 || i % 4 == 3 ? 0.01 : -0.01))
                        .toArray()),
                ERROR);
    }

    /** As {@code at}, or {@code at-until} of a drift. */
    private static List<String> places(LevelChanges found) {
        return found.changes().stream()
                .map(change -> change.isDrift() ? change.at() + "-" + change.until() : "" + change.at())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.003, 0.01, 0.02, -0.003, -0.01, -0.02})
    void a_line_is_one_drift_from_the_first_build_to_the_last(double slope) {
        LevelChanges found = history(24, i -> 1 + slope * i);
        assertThat(places(found)).containsExactly("0-23");
        LevelChange drift = found.changes().get(0);
        assertThat(drift.earliest()).isZero();
        assertThat(drift.latest()).isEqualTo(23);
        assertThat(drift.before()).isCloseTo(1, within(1e-9));
        assertThat(drift.after()).isCloseTo(1 + 23 * slope, within(1e-9));
        for (int build = 0; build < 24; build++) {
            assertThat(found.level(build)).isCloseTo(1 + slope * build, within(1e-9));
        }
        assertThat(found.outliers()).isEmpty();
    }

    /** Of the slope of n values the standard error is that of one, divided by the root of n (n² - 1) / 12. */
    @ParameterizedTest
    @ValueSource(ints = {0, 12})
    void the_certainty_of_a_drift_follows_from_the_slope_of_its_builds(int from) {
        LevelChanges found = history(from + 24, i -> i < from ? 2 : 1 + 0.01 * (i - from));
        LevelChange drift = found.changes().get(found.changes().size() - 1);
        assertThat(drift.at()).isEqualTo(from);
        double ofEnds = 23 * found.noise() / Math.sqrt(24 * (24 * 24 - 1) / 12.0);
        assertThat(drift.reach() / ofEnds)
                .isBetween(StudentT.quantile(0.975, from + 24), StudentT.quantile(0.975, from + 17));
    }

    @Test
    void too_slight_a_slope_is_nothing() {
        assertThat(history(24, i -> 1 + 0.001 * i).changes()).isEmpty();
        assertThat(places(history(24, i -> 1 + 0.0016 * i))).containsExactly("0-23");
    }

    /** Each step costs as much as a change, and the line only what it is off. */
    @ParameterizedTest
    @CsvSource({
        "4, 12, 0.025, 0-47",
        "4, 12, 0.027, 12 24 36",
        "4, 12, 0.2, 12 24 36",
        "4, 12, -0.025, 0-47",
        "4, 12, -0.027, 12 24 36",
        "3, 12, 0.02, 0-35",
        "3, 12, 0.023, 12 24",
        "3, 12, -0.023, 12 24",
        "2, 12, 0.03, 12",
        "2, 4, 0.08, 4"
    })
    void steps_in_one_direction_are_a_drift_where_a_line_is_as_good(
            int levels, int each, double height, String changes) {
        LevelChanges found = history(levels * each, i -> 1 + height * Math.floorDiv(i, each));
        assertThat(places(found)).containsExactly(changes.split(" "));
        assertThat(found.changes().get(0).change() > 0).isEqualTo(height > 0);
    }

    @Test
    void two_rising_steps_have_three_levels() {
        LevelChanges found = history(36, i -> 1 + 0.1 * Math.floorDiv(i, 12));
        assertThat(found.changes())
                .extracting(change -> Math.round(100 * change.before()), change -> Math.round(100 * change.after()))
                .containsExactly(tuple(100L, 110L), tuple(110L, 120L));
        assertThat(List.of(found.level(11), found.level(12), found.level(23), found.level(24)))
                .usingElementComparator((one, two) -> Math.abs(one - two) < 1e-9 ? 0 : 1)
                .containsExactly(1.0, 1.1, 1.1, 1.2);
    }

    @Test
    void up_and_down_are_two_steps_however_great() {
        for (double height : new double[] {0.041, 0.05, 0.5, -0.041, -0.05, -0.5}) {
            LevelChanges found = history(36, i -> i / 12 == 1 ? 1 + height : 1);
            assertThat(places(found)).as("by " + height).containsExactly("12", "24");
            assertThat(found.changes().get(0).change() > 0).isEqualTo(height > 0);
            assertThat(found.changes().get(1).change() > 0).isEqualTo(height < 0);
        }
    }

    @Test
    void a_step_against_its_direction_ends_a_drift_or_comes_before_it() {
        LevelChanges after = history(40, i -> i < 12 ? 2 : 1 + 0.01 * (i - 12));
        assertThat(places(after)).containsExactly("12", "12-39");
        assertThat(after.level(11)).isCloseTo(2, within(1e-9));
        assertThat(after.level(12)).isCloseTo(1, within(1e-9));
        assertThat(after.level(39)).isCloseTo(1.27, within(1e-9));
        LevelChanges before = history(40, i -> i < 24 ? 1 + 0.008 * i : 0);
        // where a level ends is known to a build or two
        assertThat(before.changes()).hasSize(2);
        assertThat(before.changes().get(0).isDrift()).isTrue();
        assertThat(before.changes().get(0).until()).isBetween(22, 23);
        assertThat(before.changes().get(1).earliest()).isLessThanOrEqualTo(24);
        assertThat(before.changes().get(1).latest()).isGreaterThanOrEqualTo(24);
        assertThat(before.level(22)).isCloseTo(1.176, within(0.01));
        assertThat(before.level(24)).isCloseTo(0, within(1e-9));
    }

    @Test
    void a_step_has_place_size_and_confidence() {
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
        assertThat(one.outliers()).containsExactly(19);
        logs[18] = 1.5;
        assertThat(LevelChanges.of(builds(logs), ERROR).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.at()).isEqualTo(18));
    }

    /** Noise of 0.01; the last two builds are slower by 0.22. */
    @ParameterizedTest
    @CsvSource({"8, 2", "11, 2", "12, 5", "16, 2", "24, 9 15"})
    void outliers_neither_hide_a_step_nor_themselves(int count, String places) {
        List<Integer> apart =
                Arrays.stream(places.split(" ")).map(Integer::valueOf).toList();
        double[] logs = IntStream.range(0, count)
                .mapToDouble(i -> 1 + (i % 3 - 1) * 0.01 + (apart.contains(i) ? 0.9 : 0))
                .toArray();
        LevelChanges unchanged = LevelChanges.of(builds(logs), ERROR / 3);
        assertThat(unchanged.changes()).isEmpty();
        assertThat(unchanged.outliers()).isEqualTo(apart);
        logs[count - 2] += 0.22;
        logs[count - 1] += 0.22;
        LevelChanges changed = LevelChanges.of(builds(logs), ERROR / 3);
        assertThat(places(changed)).containsExactly("" + (count - 2));
        assertThat(changed.outliers()).isEqualTo(apart);
        assertThat(changed.noise()).isLessThan(0.05);
    }

    /** Noise of 0.01 around a level of 2, then what is slower for good, and differs by more than the noise. */
    @ParameterizedTest(name = "{0} builds, then {1}")
    @CsvSource({
        "6, 6 8, 2.8, 4.2",
        "6, 4 8, 1.9, 4.2",
        "6, 1500 1750, 720, 900",
        "12, 6 8, 2.9, 4.2",
        "12, 4 4.4, 1.9, 2.3",
        "12, 2.4 2.8, 1.15, 1.45",
        "12, 4 6 8, 1.9, 4.1",
        "12, 4 4.2, 1.9, 2.2",
        "12, 2.4 2.6, 1.15, 1.35",
        "12, 4 4.4 4.8, 1.9, 2.5",
        "12, 4 4.4 4.8 5, 1.9, 2.6",
        "12, 4 4.4 4.8 5 5.5, 1.9, 2.9",
        "12, 2.2 2.4 2.6 2.8 3, 1.05, 1.55",
        "12, 1 1.3, 0.45, 0.7"
    })
    void newest_builds_that_are_all_slower_are_a_change_though_they_differ(
            int before, String slow, double least, double most) {
        double[] later =
                Arrays.stream(slow.split(" ")).mapToDouble(Double::parseDouble).toArray();
        for (double error : new double[] {ERROR, ERROR / 3}) {
            LevelChanges found = LevelChanges.of(
                    builds(IntStream.range(0, before + later.length)
                            .mapToDouble(
                                    i -> i < before ? Math.log(2) + (i % 3 - 1) * 0.01 : Math.log(later[i - before]))
                            .toArray()),
                    error);
            assertThat(found.changes()).singleElement().satisfies(change -> {
                assertThat(change.at()).isEqualTo(before);
                assertThat(change.until()).isEqualTo(before);
                assertThat(1 + change.low()).isGreaterThan(least);
                assertThat(1 + change.high()).isLessThan(most);
            });
            assertThat(found.wanders()).isFalse();
            assertThat(found.outliers()).isEmpty();
            assertThat(found.noise()).isLessThan(0.03);
        }
    }

    /** Both beyond the noise, but on both sides; or the older of them within it. */
    @ParameterizedTest
    @CsvSource({"12, 1.4 2.8", "12, 2.01 4", "12, 4 2.01"})
    void newest_builds_that_are_not_all_slower_are_no_change(int before, String millis) {
        double[] later = Arrays.stream(millis.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        LevelChanges found = LevelChanges.of(
                builds(IntStream.range(0, before + later.length)
                        .mapToDouble(i -> i < before ? Math.log(2) + (i % 3 - 1) * 0.01 : Math.log(later[i - before]))
                        .toArray()),
                ERROR);
        assertThat(found.changes()).isEmpty();
        assertThat(found.outliers()).isNotEmpty();
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
        assertThat(found.noiseWithin()).hasValueCloseTo(0.2 / Math.sqrt(3), within(1e-9));
        assertThat(found.changes()).isEmpty();
    }

    @Test
    void a_constant_series_has_no_changes_and_short_runs_count_too() {
        assertThat(LevelChanges.of(builds(1, 1, 1, 1, 1, 1, 1), ERROR).changes())
                .isEmpty();
        List<List<LevelRun>> bare = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            bare.add(List.of(new LevelRun(1 + (i % 2) * 0.01 + (i < 10 ? 0 : 0.3), Double.NaN)));
        }
        assertThat(LevelChanges.of(bare, ERROR).changes()).hasSize(1);
        assertThat(LevelChanges.of(bare, ERROR).noiseWithin())
                .as("no run is long enough to show it")
                .isEmpty();
    }

    private static Levels levels(double most, double... values) {
        double[] variances = new double[values.length];
        Arrays.fill(variances, 1);
        int[] runs = new int[values.length];
        Arrays.fill(runs, 1);
        return new Levels(values, variances, runs, most);
    }

    @Test
    void a_cut_must_save_more_than_its_price() {
        Levels levels = levels(100, 0, 0, 2, 2);
        assertThat(levels.cost(0, 4)).isEqualTo(4);
        assertThat(levels.begins(4)).containsExactly(0);
        assertThat(levels.begins(3.99)).containsExactly(0, 2);
    }

    @Test
    void who_is_just_as_far_off_as_may_be_belongs_to_the_level() {
        Levels levels = levels(4, 0, 0, 2);
        assertThat(levels.isWithin(2, 0)).isTrue();
        assertThat(levels.isWithin(2, -1e-9)).isFalse();
        assertThat(levels.level(0, 3)).isCloseTo(2 / 3.0, within(1e-12));
    }

    @Test
    void a_level_needs_two_runs_wherever_it_is_and_of_one_build_or_two() {
        double[] alike = {1, 1, 1, 1};
        Levels levels = new Levels(alike, alike, new int[] {1, 1, 2, 1}, 9);
        assertThat(levels.cost(0, 2)).isZero();
        assertThat(levels.cost(2, 3)).isZero();
        assertThat(levels.cost(1, 2)).isInfinite();
        assertThat(levels.cost(3, 4)).isInfinite();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 501})
    void too_few_builds_are_refused_and_too_many(int builds) {
        assertThatThrownBy(() -> LevelChanges.of(builds(new double[builds]), ERROR))
                .hasMessage("builds must be 6 to 500, but were " + builds);
    }

    /** Noise that is seen from few neighbours may hide the change that is part of it. */
    @Test
    void three_builds_that_are_a_third_slower_than_five_are_found() {
        double[] millis = {2.23, 2.31, 2.41, 2.28, 2.35, 3.04, 3.36, 3.2};
        LevelChanges found =
                LevelChanges.of(builds(Arrays.stream(millis).map(Math::log).toArray()), ERROR / 3);
        assertThat(places(found)).containsExactly("5");
        assertThat(found.changes().get(0).change()).isCloseTo(0.38, within(0.02));
        assertThat(found.noise()).isLessThan(0.05);
    }

    @Test
    void a_level_that_comes_and_goes_little_by_little_wanders() {
        LevelChanges found = history(60, i -> Math.sin(i / 6.0) + 0.5 * Math.sin(i / 3.1));
        assertThat(found.wanders()).isTrue();
        assertThat(history(24, i -> i < 12 ? 1 : 1.2).wanders()).isFalse();
        assertThat(history(36, i -> i / 12 == 1 ? 1.2 : 1).wanders()).isFalse();
    }

    @Test
    void six_builds_are_enough() {
        assertThat(places(LevelChanges.of(builds(1, 1.01, 0.99, 2, 2.01, 1.99), ERROR)))
                .containsExactly("3");
    }
}
