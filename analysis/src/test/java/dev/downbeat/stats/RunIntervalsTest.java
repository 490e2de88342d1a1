package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class RunIntervalsTest {
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final int RUNS = 800;

    @ParameterizedTest(name = "utilisation {0}")
    @ValueSource(doubles = {0.4, 0.8})
    void intervals_hold_the_truth_in_95_of_100_runs_although_requests_wait_together(double utilisation) {
        int[] held = new int[PERCENTILES.length];
        int[] naive = new int[PERCENTILES.length];
        for (int seed = 0; seed < RUNS; seed++) {
            Mm1 queue = new Mm1(utilisation, new SplittableRandom(seed * 7_919L + 13));
            RunIntervals intervals = RunIntervals.of(queue.seconds(60)).orElseThrow();
            for (int i = 0; i < PERCENTILES.length; i++) {
                long truth = queue.trueValue(PERCENTILES[i]);
                held[i] += intervals.at(PERCENTILES[i]).holds(truth) ? 1 : 0;
                naive[i] += QuantileInterval.ofIndependent(intervals.whole(), PERCENTILES[i])
                                .holds(truth)
                        ? 1
                        : 0;
            }
        }
        for (int i = 0; i < PERCENTILES.length; i++) {
            assertThat(100.0 * held[i] / RUNS).as("p" + PERCENTILES[i]).isBetween(93.0, 97.0);
        }
        if (utilisation == 0.8) {
            assertThat(100.0 * naive[1] / RUNS).as("what independence claims").isLessThan(30);
        }
    }

    @Test
    void sixty_thousand_requests_of_a_busy_queue_are_worth_about_a_thousand() {
        RunIntervals intervals = RunIntervals.of(new Mm1(0.8, new SplittableRandom(2)).seconds(60))
                .orElseThrow();
        assertThat(intervals.effectiveCount(99)).isBetween(500.0, 2_500.0);
        assertThat(intervals.varianceInflation(99)).isGreaterThan(20);
        assertThat(intervals.at(99).isBounded()).isTrue();
    }

    @Test
    void far_out_there_is_no_upper_end_and_the_run_length_that_would_give_one_is_told() {
        RunIntervals intervals = RunIntervals.of(new Mm1(0.8, new SplittableRandom(2)).seconds(60))
                .orElseThrow();
        QuantileInterval far = intervals.at(99.99);
        assertThat(far.highNanos()).isEmpty();
        assertThat(far.holds(Long.MAX_VALUE)).isTrue();
        assertThat(far.isBounded()).isFalse();
        double perIndependent = intervals.whole().count() / intervals.effectiveCount(99.99);
        assertThat((double) intervals.needed(99.99)).isCloseTo(perIndependent * 36_887, within(1.0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_value_lies_in_its_interval_and_order_of_time_does_not_matter(long seed) {
        List<Distribution> seconds = new Mm1(0.6, new SplittableRandom(seed)).seconds(30);
        RunIntervals intervals = RunIntervals.of(seconds).orElseThrow();
        for (double percentile : new double[] {1, 50, 75, 90, 99, 99.9}) {
            QuantileInterval interval = intervals.at(percentile);
            assertThat(interval.holds(interval.valueNanos())).isTrue();
            assertThat(interval.effectiveCount())
                    .isLessThanOrEqualTo((double) intervals.whole().count());
        }
        Collections.reverse(seconds);
        QuantileInterval reversed = RunIntervals.of(seconds).orElseThrow().at(90);
        assertThat(reversed.lowNanos()).isEqualTo(intervals.at(90).lowNanos());
        assertThat(reversed.highNanos()).isEqualTo(intervals.at(90).highNanos());
    }

    @Test
    void long_runs_are_merged_into_fewer_batches_and_nothing_is_lost() {
        List<Distribution> seconds = new Mm1(0.4, new SplittableRandom(3)).seconds(333);
        assertThat(RunIntervals.of(seconds).orElseThrow().whole())
                .isEqualTo(seconds.stream().reduce(Distribution.empty(), Distribution::plus));
    }

    @Test
    void too_short_a_run_has_no_intervals() {
        assertThat(RunIntervals.of(new Mm1(0.4, new SplittableRandom(3)).seconds(19)))
                .isEmpty();
        assertThatThrownBy(() -> QuantileInterval.independentNeeded(100))
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
        assertThat(QuantileInterval.independentNeeded(percentile)).isEqualTo(needed);
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
}
