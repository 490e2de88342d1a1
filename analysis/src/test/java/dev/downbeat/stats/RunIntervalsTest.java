package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches.Memory;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class RunIntervalsTest {
    private static final long ANSWERED = 1;
    private static final long FAILED = 2;

    private static List<Distribution> seconds(double utilisation, long seed, int count) {
        return new SimulatedQueue(utilisation, 1_000, SimulatedQueue.Beside.NOTHING, new SplittableRandom(seed))
                .seconds(count);
    }

    @Test
    void sixty_thousand_requests_of_a_busy_queue_are_worth_about_a_thousand() {
        RunIntervals intervals = RunIntervals.of(seconds(0.8, 2, 60)).orElseThrow();
        assertThat(intervals.at(99).effectiveCount()).isBetween(300.0, 2_500.0);
        assertThat(intervals.at(50).effectiveCount()).isBetween(300.0, 5_000.0);
    }

    /** The files of a run are written at the same time and ask the same intervals. */
    @Test
    void many_threads_get_the_intervals_that_one_gets() {
        List<Distribution> seconds = seconds(0.8, 2, 30);
        List<Double> percentiles = Percentiles.belowMax(Percentiles.Place.TABLE);
        RunIntervals alone = RunIntervals.of(seconds).orElseThrow();
        List<QuantileInterval> expected = percentiles.stream().map(alone::at).toList();
        for (int round = 0; round < 50; round++) {
            RunIntervals shared = RunIntervals.of(seconds).orElseThrow();
            assertThat(atOnce(16, () -> percentiles.stream().map(shared::at).toList()))
                    .containsOnly(expected);
        }
    }

    private static <T> List<T> atOnce(int threads, Callable<T> task) {
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> answers = Stream.generate(() -> executor.submit(() -> {
                        start.await();
                        return task.call();
                    }))
                    .limit(threads)
                    .toList();
            start.countDown();
            List<T> all = new ArrayList<>();
            for (Future<T> answer : answers) {
                all.add(answer.get());
            }
            return all;
        } catch (InterruptedException | ExecutionException broken) {
            throw new AssertionError("a thread failed", broken);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Half of the requests fail in each of a few seconds, by chance too many of them in every third run. */
    @ParameterizedTest(name = "{0} s")
    @ValueSource(ints = {60, 240})
    void failures_that_come_together_do_not_prove_that_there_are_too_many(int length) {
        int runs = 400;
        int proved = 0;
        int seenAbove = 0;
        for (int seed = 0; seed < runs; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Distribution> seconds = new ArrayList<>();
            for (int second = 0; second < length; second++) {
                seconds.add(outcomes(1_000, random.nextDouble() < 0.014 ? 500 : 0));
            }
            QuantileInterval interval = RunIntervals.of(seconds).orElseThrow().at(99);
            seenAbove += interval.valueNanos() == FAILED ? 1 : 0;
            proved += interval.lowNanos().orElse(ANSWERED) == FAILED ? 1 : 0;
        }
        assertThat(seenAbove).isGreaterThan(runs / 10);
        assertThat(proved).isLessThanOrEqualTo(runs / 40);
    }

    @Test
    void enough_failures_that_come_together_prove_it() {
        List<Distribution> seconds = new ArrayList<>();
        for (int second = 0; second < 120; second++) {
            seconds.add(outcomes(1_000, second * 7 % 10 == 0 ? 500 : 0));
        }
        assertThat(RunIntervals.of(seconds).orElseThrow().at(99).lowNanos()).hasValue(FAILED);
    }

    private static Distribution outcomes(int count, int failed) {
        Histogram histogram = new Histogram(1, FAILED, 1);
        histogram.recordValueWithCount(ANSWERED, count - failed);
        histogram.recordValueWithCount(FAILED, failed);
        return Distribution.of(histogram);
    }

    @Test
    void far_out_there_is_no_upper_bound_and_a_sufficient_length_is_advised() {
        RunIntervals intervals = RunIntervals.of(seconds(0.8, 2, 60)).orElseThrow();
        QuantileInterval far = intervals.at(99.99);
        assertThat(far.highNanos()).isEmpty();
        assertThat(far.isBounded()).isFalse();
        assertThat(intervals.stretchesNeeded(99.99)).isGreaterThan(1_000);
        assertThat(intervals.stretchesNeeded(50)).isEqualTo(60);
    }

    @Test
    void a_service_without_scatter_that_gets_faster_by_a_thousandth_needs_no_longer_run() {
        List<Distribution> seconds = CalmService.seconds(50, 0.2, 24);
        RunIntervals intervals = RunIntervals.of(seconds).orElseThrow();
        QuantileInterval median = intervals.at(50);
        assertThat(median.lowNanos().orElseThrow()).isBetween(49_000_000L, 50_050_000L);
        assertThat(median.highNanos().orElseThrow()).isBetween(50_050_000L, 51_500_000L);
        assertThat(intervals.memory(90).isTooLong()).isFalse();
        assertThat(intervals.stretchesNeeded(90)).isEqualTo(24);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_advised_length_exceeds_that_of_a_run_without_an_upper_bound(long seed) {
        RunIntervals intervals = RunIntervals.of(seconds(0.9, seed, 20)).orElseThrow();
        for (double percentile : new double[] {50, 90, 99, 99.9}) {
            if (intervals.at(percentile).highNanos().isEmpty()) {
                assertThat(intervals.stretchesNeeded(percentile)).isGreaterThan(25);
            }
        }
    }

    @Test
    void of_runs_as_long_as_advised_three_in_four_have_the_upper_end() {
        int advised = 0;
        int bounded = 0;
        for (int seed = 0; advised < 40; seed++) {
            RunIntervals run = RunIntervals.of(seconds(0.8, seed, 60)).orElseThrow();
            if (run.at(99).highNanos().isEmpty()) {
                advised++;
                int needed = (int) run.stretchesNeeded(99);
                bounded += RunIntervals.of(seconds(0.8, seed + 1_000_003L, needed))
                                .orElseThrow()
                                .at(99)
                                .isBounded()
                        ? 1
                        : 0;
            }
        }
        assertThat(bounded).isGreaterThan(30);
    }

    @Test
    void memory_is_short_where_seconds_are_independent_and_longer_than_a_tenth_of_the_run_where_they_are_waves() {
        assertThat(RunIntervals.of(seconds(0.4, 4, 60)).orElseThrow().memory(90).isTooLong())
                .isFalse();
        double[] wave = new double[60];
        for (int i = 0; i < wave.length; i++) {
            wave[i] = Math.sin(2 * Math.PI * i / 60);
        }
        Memory memory = Memory.of(wave);
        assertThat(memory.isTooLong()).isTrue();
        assertThat(memory.stretches()).isEqualTo(6);
        assertThat(memory.stretchesNeeded()).isGreaterThan(75);
    }

    @Test
    void the_length_that_a_long_memory_needs_is_about_that_at_which_its_batches_fit() {
        int fading = 20;
        SplittableRandom random = new SplittableRandom(fading);
        int tooLong = 0;
        int fits = 0;
        for (int i = 0; i < 200; i++) {
            Memory memory = Memory.of(fadingNoise(random, fading, 60));
            if (memory.isTooLong()) {
                tooLong++;
                fits += Memory.of(fadingNoise(random, fading, memory.stretchesNeeded()))
                                .isTooLong()
                        ? 0
                        : 1;
            }
        }
        assertThat(tooLong).isGreaterThan(50);
        assertThat((double) fits / tooLong).isGreaterThan(0.5);
    }

    private static double[] fadingNoise(SplittableRandom random, double fading, int length) {
        double kept = Math.exp(-1 / fading);
        double[] noise = new double[length];
        double last = random.nextGaussian();
        double sum = 0;
        for (int i = 0; i < length; i++) {
            noise[i] = last;
            sum += last;
            last = kept * last + Math.sqrt(1 - kept * kept) * random.nextGaussian();
        }
        for (int i = 0; i < length; i++) {
            noise[i] -= sum / length;
        }
        return noise;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_value_lies_in_its_interval_and_order_of_time_does_not_matter(long seed) {
        List<Distribution> seconds = new ArrayList<>(seconds(0.6, seed, 30));
        RunIntervals intervals = RunIntervals.of(seconds).orElseThrow();
        for (double percentile : new double[] {1, 50, 75, 90, 99, 99.9}) {
            QuantileInterval interval = intervals.at(percentile);
            assertThat(interval.valueNanos())
                    .isBetween(
                            interval.lowNanos().orElse(0), interval.highNanos().orElse(Long.MAX_VALUE));
            assertThat(interval.effectiveCount())
                    .isLessThanOrEqualTo((double) Distribution.sum(seconds).count());
        }
        Collections.reverse(seconds);
        QuantileInterval reversed = RunIntervals.of(seconds).orElseThrow().at(90);
        assertThat(reversed.lowNanos()).isEqualTo(intervals.at(90).lowNanos());
        assertThat(reversed.highNanos()).isEqualTo(intervals.at(90).highNanos());
    }

    @Test
    void long_runs_are_merged_into_fewer_batches_and_nothing_is_lost() {
        List<Distribution> seconds = seconds(0.4, 3, 333);
        assertThat(Distribution.sum(PercentileRange.tenths(seconds)))
                .isEqualTo(seconds.stream().reduce(Distribution.empty(), Distribution::plus));
    }
}
