package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose answer is plain, at the least length, the least change and the least number of runs that have one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunLimitsTest {
    private static final double[] MEDIAN = {50};

    private static Distribution of(long... values) {
        Histogram histogram = Distribution.newHistogram();
        for (long value : values) {
            histogram.recordValue(value);
        }
        return Distribution.of(histogram);
    }

    /** 1, 2, 3 and so on, up to what three digits tell apart, then the rest at the same value. */
    private static Distribution upTo(long count) {
        Histogram histogram = Distribution.newHistogram();
        for (long i = 1; i <= Math.min(count, 1_000); i++) {
            histogram.recordValue(i);
        }
        if (count > 1_000) {
            histogram.recordValueWithCount(1_000, count - 1_000);
        }
        return Distribution.of(histogram);
    }

    private static List<Distribution> calm(double millis, int seconds) {
        return CalmService.seconds(millis, 0.5, seconds);
    }

    @Test
    void too_short_a_run_has_no_intervals() {
        assertThat(RunIntervals.of(Collections.nCopies(19, of(1, 2, 3)))).isEmpty();
        assertThatThrownBy(() -> QuantileInterval.ofIndependent(upTo(100), 100))
                .hasMessage("percentile must be above 0 and below 100, but was 100.0");
    }

    @Test
    void a_run_of_nothing_knows_nothing() {
        QuantileInterval interval = RunIntervals.of(Collections.nCopies(20, Distribution.empty()))
                .orElseThrow()
                .at(50);
        assertThat(interval.isBounded()).isFalse();
    }

    @ParameterizedTest(name = "p{0} needs {1}")
    @CsvSource({"90, 36", "99, 368", "99.9, 3688", "99.99, 36887", "99.999, 368887"})
    void the_number_of_independent_values_that_a_bound_needs_is_known(double percentile, long needed) {
        assertThat(QuantileInterval.ofIndependent(upTo(needed), percentile).highNanos())
                .isPresent();
        assertThat(QuantileInterval.ofIndependent(upTo(needed - 1), percentile).highNanos())
                .isEmpty();
    }

    @Test
    void intervals_of_independent_values_have_the_ranks_of_the_binomial_law() {
        QuantileInterval median = QuantileInterval.ofIndependent(upTo(100), 50);
        assertThat(median.lowNanos()).hasValue(40);
        assertThat(median.highNanos()).hasValue(61);
        assertThat(QuantileInterval.ofIndependent(upTo(5), 50).lowNanos()).isEmpty();
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(ints = {7, 12, 22})
    void services_without_scatter_are_told_apart_although_they_drift_by_a_thousandth(int seconds) {
        List<QuantileChange> changes =
                QuantileChange.of(List.of(calm(50, seconds)), List.of(calm(500, seconds)), List.of(50.0, 90.0), 1);
        assertThat(changes).allSatisfy(change -> {
            assertThat(change.answer()).isEqualTo(Answer.SLOWER);
            assertThat(change.low().orElseThrow()).isGreaterThan(8);
            assertThat(change.high().orElseThrow()).isLessThan(10);
        });
    }

    @Test
    void what_doubled_within_its_run_gives_no_end() {
        List<Distribution> doubles = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            doubles.addAll(calm(50 * Math.exp(second / 11.0 * Math.log(2)), 1));
        }
        QuantileChange change = QuantileChange.of(List.of(doubles), List.of(calm(500, 12)), List.of(50.0), 1)
                .get(0);
        assertThat(change.low()).isEmpty();
        assertThat(change.answer()).isEqualTo(Answer.NOT_JUDGED);
    }

    @Test
    void drifts_of_services_without_scatter_are_not_a_difference() {
        assertThat(QuantileChange.of(List.of(calm(50, 22)), List.of(calm(50.02, 22)), List.of(50.0, 90.0, 99.0), 1))
                .noneMatch(change -> change.answer() == Answer.SLOWER || change.answer() == Answer.FASTER);
    }

    @Test
    void services_that_never_move_are_not_told_apart_by_the_width_of_a_bucket() {
        List<List<Distribution>> base = List.of(CalmService.seconds(50, 0, 7));
        List<List<Distribution>> other = List.of(CalmService.seconds(50.06, 0, 7));
        assertThat(QuantileChange.of(base, other, List.of(50.0, 90.0), 1))
                .noneMatch(change -> change.answer() == Answer.SLOWER || change.answer() == Answer.FASTER);
    }

    @Test
    void a_service_without_scatter_stands_still_although_it_gets_faster_by_a_thousandth() {
        List<Distribution> seconds = CalmService.seconds(50, 0.2, 24);
        Stationarity found = Stationarity.of(seconds).orElseThrow();
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
        assertThat(found.isJudged()).isTrue();
        assertThat(found.visible().orElseThrow()).isCloseTo(1.1, within(1e-6));
    }

    @Test
    void short_runs_tell_nothing() {
        assertThat(Stationarity.of(List.of())).isEmpty();
        assertThat(Stationarity.of(Collections.nCopies(19, Distribution.empty())))
                .isEmpty();
    }

    @Test
    void systems_in_turns_need_the_same_turns() {
        assertThatThrownBy(() -> ShiftFunction.ofTurns(List.of(List.of(of(1), of(2)), List.of(of(1))), MEDIAN, 1, 1))
                .hasMessageContaining("but there were [2, 1] turns");
    }

    @Test
    void the_effect_size_counts_pairs() {
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(4, 5, 6))).isEqualTo(1);
        assertThat(Effect.cliffsDelta(of(4, 5, 6), of(1, 2, 3))).isEqualTo(-1);
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(1, 2, 3))).isEqualTo(0);
        assertThat(Effect.cliffsDelta(of(1, 2), of(2, 3))).isEqualTo(0.75);
        assertThat(Effect.cliffsDelta(of(), of(2, 3))).isEqualTo(0);
    }

    /** So many seconds of 40 requests each, from a level to its double; seconds scatter by so much at most. */
    private static List<Distribution> run(long seed, int count, double scatter, IntToDoubleFunction micros) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> seconds = new ArrayList<>();
        for (int second = 0; second < count; second++) {
            double level = 1_000 * micros.applyAsDouble(second) * (1 - scatter + 2 * scatter * random.nextDouble());
            long[] nanos = new long[40];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = Math.round(level * (1 + i / 40.0));
            }
            seconds.add(of(nanos));
        }
        return seconds;
    }

    private static List<Distribution> run(long seed, int count, IntToDoubleFunction micros) {
        return run(seed, count, 0.01, micros);
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
    void an_interval_has_a_confidence_from_a_half_and_below_one() {
        RunIntervals intervals = RunIntervals.of(run(1, 20, second -> 1)).orElseThrow();
        QuantileInterval half = intervals.at(50, 0.5);
        QuantileInterval usual = intervals.at(50);
        assertThat(half.lowNanos().orElseThrow()).isGreaterThan(usual.lowNanos().orElseThrow());
        assertThat(half.highNanos().orElseThrow()).isLessThan(usual.highNanos().orElseThrow());
        for (double confidence : new double[] {0.49, 1, Double.NaN}) {
            assertThatThrownBy(() -> intervals.at(50, confidence))
                    .hasMessage("confidence must be from 0.5 and below 1, but was " + confidence);
        }
        for (double percentile : new double[] {0, 100}) {
            assertThatThrownBy(() -> intervals.at(percentile)).hasMessageStartingWith("percentile must be above 0");
        }
    }

    @Test
    void ten_stretches_are_enough_where_any_length_will_do() {
        assertThat(RunIntervals.ofAny(run(1, 10, second -> 1)).at(50).isBounded())
                .isTrue();
        assertThatThrownBy(() -> RunIntervals.ofAny(run(1, 9, second -> 1)))
                .hasMessage("there must be at least 10 stretches, but there were 9");
    }

    @ParameterizedTest(name = "{0} s, {1} s of them 3 times as slow")
    @CsvSource({
        "60, 0, STEADY, 0, 0",
        "60, 5, STEADY, 5, 0",
        "60, 10, STEADY, 10, 0",
        "60, 20, STEADY, 20, 0",
        "60, 25, JUMPS, 0, 26",
        "60, 30, JUMPS, 0, 30",
        "60, 40, JUMPS, 0, 40",
        "300, 100, STEADY, 100, 0",
        "301, 40, STEADY, 40, 0",
        "301, 15, STEADY, 20, 0"
    })
    void a_start_is_left_out_if_it_is_at_most_a_third(
            int count, int slow, Stationarity.Shape shape, int start, int at) {
        Stationarity found = Stationarity.of(run(1, count, 0.1, second -> second < slow ? 3 : 1))
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.start()).isEqualTo(start);
        assertThat(found.at()).isEqualTo(at);
        assertThat(found.isJudged()).isTrue();
    }

    @ParameterizedTest(name = "by {0}")
    @CsvSource({"1.08, STEADY", "1.12, JUMPS", "0.88, JUMPS", "0.93, STEADY"})
    void a_jump_is_named_from_a_tenth_on(double factor, Stationarity.Shape shape) {
        Stationarity found = Stationarity.of(run(1, 60, 0.01, second -> second < 30 ? 1 : factor))
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.change()).isCloseTo(shape == Stationarity.Shape.STEADY ? 1 : factor, within(0.01));
        assertThat(found.percentile()).isEqualTo(shape == Stationarity.Shape.STEADY ? 0 : 50);
    }

    @ParameterizedTest(name = "by {0}")
    @CsvSource({"1.08, STEADY", "1.2, DRIFTS", "1.5, DRIFTS", "0.85, DRIFTS", "0.93, STEADY"})
    void a_line_is_a_drift_from_a_tenth_on(double factor, Stationarity.Shape shape) {
        Stationarity found = Stationarity.of(run(1, 60, 0.1, second -> 1 + (factor - 1) * second / 59))
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.change()).isCloseTo(shape == Stationarity.Shape.STEADY ? 1 : factor, within(0.02));
        assertThat(found.at()).isZero();
    }

    @Test
    void a_run_and_its_copy_differ_by_nothing_but_other_runs_may() {
        List<List<Distribution>> runs = runs(1, 1);
        assertThat(QuantileChange.of(runs, runs(1, 1), List.of(50.0), 1)).allSatisfy(change -> {
            assertThat(change.low()).hasValue(0);
            assertThat(change.high()).hasValue(0);
            assertThat(change.answer()).isEqualTo(Answer.CANNOT_TELL);
        });
        assertThat(QuantileChange.of(runs, runs(1, 1.5), List.of(50.0), 1)).allSatisfy(change -> {
            assertThat(change.low().orElseThrow()).isBetween(0.3, 0.5);
            assertThat(change.atLeast().orElseThrow()).isBetween(change.low().orElseThrow(), 0.5);
            assertThat(change.atMost().orElseThrow())
                    .isBetween(0.5, change.high().orElseThrow());
            assertThat(change.answer()).isEqualTo(Answer.SLOWER);
        });
        assertThat(QuantileChange.of(runs(1, 1.5), runs, List.of(50.0), 1))
                .allSatisfy(change -> assertThat(change.answer()).isEqualTo(Answer.FASTER));
    }

    /** Three runs differ by 1 % each: the single one, which says nothing of that, is taken to do so, too. */
    @Test
    void from_three_runs_on_a_side_tells_how_a_single_one_of_the_other_scatters() {
        double ofThree = Math.log(1.02) / 2;
        List<QuantileChange> changes = QuantileChange.of(runs(1, 1), runs(3, 1.5), List.of(50.0), 1);
        double reach = ofThree * StudentT.quantile(0.975, 2);
        assertThat(Math.log1p(changes.get(0).high().orElseThrow()))
                .isCloseTo(Math.log(1.5) + Math.log(1.01) + Math.hypot(reach, reach / Math.sqrt(3)), within(0.01));
        double single = width(QuantileChange.of(runs(1, 1), runs(1, 1.5), List.of(50.0), 1));
        assertThat(width(changes)).isGreaterThan(single);
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
                .isEqualTo(Answer.SLOWER);
        assertThat(QuantileChange.of(base, other, List.of(50.0), 1_000).get(0).answer())
                .isEqualTo(Answer.CANNOT_TELL);
    }

    @Test
    void turns_that_all_differ_alike_are_told_apart_and_such_that_do_not_are_not() {
        List<Distribution> base = Stretches.tenths(run(1, 20, second -> 1));
        List<Distribution> slower = Stretches.tenths(run(2, 20, second -> 1.5));
        List<Distribution> same = Stretches.tenths(run(3, 20, second -> 1));
        List<List<ShiftFunction.Shift>> found = ShiftFunction.ofTurns(List.of(base, slower, same), MEDIAN, 1, 1);
        assertThat(found)
                .extracting(shifts -> shifts.get(0).answer())
                .containsExactly(Answer.SLOWER, Answer.CANNOT_TELL);
        ShiftFunction.Shift shift = found.get(0).get(0);
        assertThat(shift.lowChange()).isBetween(0.4, 0.5);
        assertThat(shift.atLeast()).isBetween(shift.lowChange(), 0.5);
        assertThat(shift.highChange()).isBetween(shift.atMost(), 0.6);
        assertThat(ShiftFunction.ofTurns(List.of(slower, base), MEDIAN, 1, 1)
                        .get(0)
                        .get(0)
                        .answer())
                .isEqualTo(Answer.FASTER);
        assertThat(ShiftFunction.ofTurns(List.of(base, base), MEDIAN, 1, 1)
                        .get(0)
                        .get(0)
                        .answer())
                .isEqualTo(Answer.CANNOT_TELL);
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
}
