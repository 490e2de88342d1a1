package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.steady.Stationarity;
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

/** Runs whose answer is plain, at the least length and the least change that have one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunLimitsTest {
    static Distribution of(long... values) {
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

    @Test
    void a_service_without_scatter_stands_still_although_it_gets_faster_by_a_thousandth() {
        List<Distribution> seconds = CalmService.seconds(50, 0.2, 24);
        Stationarity found = Stationarity.of(seconds, 100).orElseThrow();
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
        assertThat(found.isJudged()).isTrue();
        assertThat(found.visible().orElseThrow()).isCloseTo(1.1, within(1e-6));
    }

    @Test
    void short_runs_tell_nothing() {
        assertThat(Stationarity.of(List.of(), 100)).isEmpty();
        assertThat(Stationarity.of(Collections.nCopies(19, Distribution.empty()), 100))
                .isEmpty();
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

    static List<Distribution> run(long seed, int count, IntToDoubleFunction micros) {
        return run(seed, count, 0.01, micros);
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
        "301, 15, STEADY, 14, 0"
    })
    void a_start_is_left_out_if_it_is_at_most_a_third(
            int count, int slow, Stationarity.Shape shape, int start, int at) {
        Stationarity found = Stationarity.of(run(1, count, 0.1, second -> second < slow ? 3 : 1), 100)
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.start()).isEqualTo(start);
        assertThat(found.at()).isEqualTo(at);
        assertThat(found.isJudged()).isTrue();
    }

    @ParameterizedTest(name = "by {0}")
    @CsvSource({"1.08, STEADY", "1.12, JUMPS", "0.88, JUMPS", "0.93, STEADY"})
    void a_jump_is_named_from_a_tenth_on(double factor, Stationarity.Shape shape) {
        Stationarity found = Stationarity.of(run(1, 60, 0.01, second -> second < 30 ? 1 : factor), 100)
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.change()).isCloseTo(shape == Stationarity.Shape.STEADY ? 1 : factor, within(0.01));
        assertThat(found.percentile()).isEqualTo(shape == Stationarity.Shape.STEADY ? 0 : 50);
    }

    @ParameterizedTest(name = "by {0}")
    @CsvSource({"1.08, STEADY", "1.2, DRIFTS", "1.5, DRIFTS", "0.85, DRIFTS", "0.93, STEADY"})
    void a_line_is_a_drift_from_a_tenth_on(double factor, Stationarity.Shape shape) {
        Stationarity found = Stationarity.of(run(1, 60, 0.1, second -> 1 + (factor - 1) * second / 59), 100)
                .orElseThrow();
        assertThat(found.shape()).isEqualTo(shape);
        assertThat(found.change()).isCloseTo(shape == Stationarity.Shape.STEADY ? 1 : factor, within(0.02));
        assertThat(found.at()).isZero();
    }
}
