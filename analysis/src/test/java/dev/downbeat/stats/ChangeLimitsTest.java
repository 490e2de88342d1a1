package dev.downbeat.stats;

import static dev.downbeat.stats.RunLimitsTest.of;
import static dev.downbeat.stats.RunLimitsTest.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.Effect;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.stats.change.ShiftFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Systems whose difference is plain, with as few runs, turns and seconds as can tell it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChangeLimitsTest {
    private static final double[] MEDIAN = {50};

    private static List<Distribution> calm(double millis, int seconds) {
        return CalmService.seconds(millis, 0.5, seconds);
    }

    private static List<List<Distribution>> runs(int count, double micros) {
        List<List<Distribution>> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double level = micros * (1 + 0.01 * (i % 3));
            runs.add(run(i, 20, second -> level));
        }
        return runs;
    }

    @Test
    void a_run_and_its_copy_differ_by_nothing_but_other_runs_may() {
        List<List<Distribution>> runs = runs(1, 1);
        assertThat(QuantileChange.of(runs, runs(1, 1), List.of(50.0), 1))
                .isNotEmpty()
                .allSatisfy(change -> {
                    assertThat(change.low()).hasValue(0);
                    assertThat(change.high()).hasValue(0);
                    assertThat(change.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
                });
        assertThat(QuantileChange.of(runs, runs(1, 1.5), List.of(50.0), 1))
                .isNotEmpty()
                .allSatisfy(change -> {
                    assertThat(change.low().orElseThrow()).isBetween(0.3, 0.5);
                    assertThat(change.atLeast().orElseThrow())
                            .isBetween(change.low().orElseThrow(), 0.5);
                    assertThat(change.atMost().orElseThrow())
                            .isBetween(0.5, change.high().orElseThrow());
                    assertThat(change.answer()).isEqualTo(ChangeAnswer.SLOWER);
                });
        assertThat(QuantileChange.of(runs(1, 1.5), runs, List.of(50.0), 1))
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.answer()).isEqualTo(ChangeAnswer.FASTER));
    }

    /** Three runs differ by 1 % each: the single one, which says nothing of that, is taken to do so, too. */
    @Test
    void three_runs_of_a_side_show_the_scatter_of_a_single_run_of_the_other() {
        double ofThree = Math.log(1.02) / 2;
        List<QuantileChange> changes = QuantileChange.of(runs(1, 1), runs(3, 1.5), List.of(50.0), 1);
        double reach = ofThree * StudentT.quantile(0.975, 2);
        assertThat(Math.log1p(changes.get(0).high().orElseThrow()))
                .isCloseTo(Math.log(1.5) + Math.log(1.01) + Math.hypot(reach, reach / Math.sqrt(3)), within(0.01));
        double single = width(QuantileChange.of(runs(1, 1), runs(1, 1.5), List.of(50.0), 1));
        List<List<Distribution>> alike =
                List.of(runs(1, 1.5).get(0), runs(1, 1.5).get(0));
        assertThat(width(QuantileChange.of(runs(1, 1), alike, List.of(50.0), 1)))
                .as("two say nothing of the single one")
                .isLessThan(single);
    }

    private static double width(List<QuantileChange> changes) {
        return changes.get(0).high().orElseThrow() - changes.get(0).low().orElseThrow();
    }

    @Test
    void the_rarer_an_error_may_be_the_more_a_change_must_be() {
        List<List<Distribution>> base = runs(3, 1);
        List<List<Distribution>> other = runs(3, 1.06);
        assertThat(QuantileChange.of(base, other, List.of(50.0), 1).get(0).answer())
                .isEqualTo(ChangeAnswer.SLOWER);
        assertThat(QuantileChange.of(base, other, List.of(50.0), 1_000).get(0).answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(ints = {7, 12, 22})
    void services_without_scatter_differ_despite_a_drift_of_a_thousandth(int seconds) {
        List<QuantileChange> changes =
                QuantileChange.of(List.of(calm(50, seconds)), List.of(calm(500, seconds)), List.of(50.0, 90.0), 1);
        assertThat(changes).isNotEmpty().allSatisfy(change -> {
            assertThat(change.answer()).isEqualTo(ChangeAnswer.SLOWER);
            boolean isShort = seconds < QuantileChange.SHORT_SECONDS;
            assertThat(change.low().orElseThrow()).isGreaterThan(isShort ? 3.2 : 7.9);
            assertThat(change.high().orElseThrow()).isLessThan(isShort ? 23 : 10.1);
        });
    }

    @Test
    void a_percentile_that_doubled_within_its_run_has_no_bound() {
        List<Distribution> doubles = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            doubles.addAll(calm(50 * Math.exp(second / 11.0 * Math.log(2)), 1));
        }
        QuantileChange change = QuantileChange.of(List.of(doubles), List.of(calm(500, 12)), List.of(50.0), 1)
                .get(0);
        assertThat(change.low()).isEmpty();
        assertThat(change.answer()).isEqualTo(ChangeAnswer.NOT_JUDGED);
    }

    @Test
    void drifts_of_services_without_scatter_are_not_a_difference() {
        assertThat(QuantileChange.of(List.of(calm(50, 22)), List.of(calm(50.02, 22)), List.of(50.0, 90.0, 99.0), 1))
                .isNotEmpty()
                .noneMatch(change -> change.answer() == ChangeAnswer.SLOWER || change.answer() == ChangeAnswer.FASTER);
    }

    @Test
    void constant_services_do_not_differ_by_a_bucket_width() {
        List<List<Distribution>> base = List.of(CalmService.seconds(50, 0, 7));
        List<List<Distribution>> other = List.of(CalmService.seconds(50.06, 0, 7));
        assertThat(QuantileChange.of(base, other, List.of(50.0, 90.0), 1))
                .isNotEmpty()
                .noneMatch(change -> change.answer() == ChangeAnswer.SLOWER || change.answer() == ChangeAnswer.FASTER);
    }

    @Test
    void systems_in_turns_need_the_same_turns() {
        assertThatThrownBy(() -> ShiftFunction.ofTurns(List.of(List.of(of(1), of(2)), List.of(of(1))), MEDIAN, 1, 1))
                .hasMessageContaining("but there were [2, 1] turns");
    }

    @Test
    void turns_are_of_two_systems_and_two_at_least() {
        for (List<List<Distribution>> few : List.<List<List<Distribution>>>of(
                List.of(), List.of(List.of(of(1), of(2))), List.of(List.of(of(1)), List.of(of(2))))) {
            assertThatThrownBy(() -> ShiftFunction.ofTurns(few, MEDIAN, 1, 1))
                    .hasMessageStartingWith("there must be at least two systems and two turns");
        }
        List<Distribution> turns = List.of(of(1), of(2));
        assertThat(ShiftFunction.ofTurns(List.of(turns, turns), MEDIAN, 1, 1)).hasSize(1);
    }

    @Test
    void turns_that_all_differ_alike_are_told_apart_and_such_that_do_not_are_not() {
        List<Distribution> base = PercentileRange.tenths(run(1, 20, second -> 1));
        List<Distribution> slower = PercentileRange.tenths(run(2, 20, second -> 1.5));
        List<Distribution> same = PercentileRange.tenths(run(3, 20, second -> 1));
        List<List<ShiftFunction.Shift>> found = ShiftFunction.ofTurns(List.of(base, slower, same), MEDIAN, 1, 1);
        assertThat(found)
                .extracting(shifts -> shifts.get(0).answer())
                .containsExactly(ChangeAnswer.SLOWER, ChangeAnswer.CANNOT_TELL);
        ShiftFunction.Shift shift = found.get(0).get(0);
        assertThat(shift.lowChange()).isBetween(0.4, 0.5);
        assertThat(shift.atLeast()).isBetween(shift.lowChange(), 0.5);
        assertThat(shift.highChange()).isBetween(shift.atMost(), 0.6);
        assertThat(ShiftFunction.ofTurns(List.of(slower, base), MEDIAN, 1, 1)
                        .get(0)
                        .get(0)
                        .answer())
                .isEqualTo(ChangeAnswer.FASTER);
        assertThat(ShiftFunction.ofTurns(List.of(base, base), MEDIAN, 1, 1)
                        .get(0)
                        .get(0)
                        .answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
    }

    /** Twenty requests in each turn, which all take as long. */
    private static List<Distribution> levels(double... nanos) {
        return Arrays.stream(nanos)
                .mapToObj(each -> Distribution.of(new long[] {Math.round(each)}, new long[] {20}))
                .toList();
    }

    /**
     * Changes of 10, 20, 10 and 20 %: their logarithms have the mean 0.1388 and the deviation 0.0502, whose 95 % interval of
     * four is 3.182 / 2 deviations.
     */
    @Test
    void where_turns_lie_far_apart_the_changes_within_them_are_compared() {
        List<Distribution> base = levels(1e4, 3e5, 9e6, 2.7e8);
        List<Distribution> other = levels(1.1e4, 3.6e5, 9.9e6, 3.24e8);
        ShiftFunction.Shift shift =
                ShiftFunction.ofTurns(List.of(base, other), MEDIAN, 1, 1).get(0).get(0);
        assertThat(shift.lowChange()).isCloseTo(Math.expm1(0.1388 - 0.0800), within(0.002));
        assertThat(shift.highChange()).isCloseTo(Math.expm1(0.1388 + 0.0800), within(0.002));
        assertThat(shift.independentBeyond()).as("in each turn").isEqualTo(10);
        assertThat(shift.answer()).isEqualTo(ChangeAnswer.SLOWER);
    }

    @Test
    void the_effect_size_counts_pairs() {
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(4, 5, 6))).isEqualTo(1);
        assertThat(Effect.cliffsDelta(of(4, 5, 6), of(1, 2, 3))).isEqualTo(-1);
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(1, 2, 3))).isEqualTo(0);
        assertThat(Effect.cliffsDelta(of(1, 2), of(2, 3))).isEqualTo(0.75);
        assertThat(Effect.cliffsDelta(of(), of(2, 3))).isEqualTo(0);
    }
}
