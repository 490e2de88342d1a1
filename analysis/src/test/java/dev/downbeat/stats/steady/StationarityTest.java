package dev.downbeat.stats.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.SimulatedQueue;
import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class StationarityTest {
    private static final double MS = 1e6;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Replications.of(50, 3)); // SteadinessTableTest has the rates
    }

    @ParameterizedTest(name = "utilisation {0}")
    @ValueSource(doubles = {0.4, 0.8})
    void of_a_hundred_clean_runs_at_most_three_are_accused(double utilisation) {
        int accused = 0;
        for (int seed = 0; seed < Replications.of(100, 30); seed++) {
            List<Distribution> seconds = new SimulatedQueue(
                            utilisation, 1_000, SimulatedQueue.Beside.NOTHING, new SplittableRandom(seed))
                    .seconds(30 + seed % 31);
            Stationarity found = Stationarity.of(seconds, 100).orElseThrow();
            accused += found.shape() == Stationarity.Shape.STEADY && found.start() == 0 ? 0 : 1;
        }
        assertThat(accused).isLessThanOrEqualTo(3);
    }

    @Test
    void runs_that_slow_down_by_half_drift() {
        int drifts = 0;
        for (int seed = 0; seed < 50; seed++) {
            Stationarity found = look(seed, 60, second -> 2 * (1 + second / 120.0));
            drifts += found.shape() == Stationarity.Shape.DRIFTS && Math.abs(found.change() - 1.5) < 0.2 ? 1 : 0;
        }
        assertThat(drifts).isGreaterThanOrEqualTo(45);
    }

    /** The test of curved growth adds no false trend to those of the tests of straight lines, which find 63. */
    @Test
    void the_waves_of_a_queue_near_saturation_are_no_curved_growth() {
        Random random = new Random(7);
        int drifts = 0;
        for (int run = 0; run < 400; run++) {
            List<Distribution> seconds = new ArrayList<>();
            double queue = 0;
            for (int second = 0; second < 20; second++) {
                queue = Math.max(0, queue + random.nextGaussian() * 0.5 - 0.015);
                double mean = 0.3 + queue;
                seconds.add(Distribution.of(LongStream.generate(
                                () -> (long) (-Math.log(1 - random.nextDouble()) * mean * 10 * MS) + 1_000)
                        .limit(60)
                        .sorted()));
            }
            drifts += Stationarity.of(seconds, 99).orElseThrow().shape() == Stationarity.Shape.DRIFTS ? 1 : 0;
        }
        assertThat(drifts).isLessThanOrEqualTo(63);
    }

    /** A backlog grows linearly, so a line through its logarithms ends beyond every time. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_drift_ends_at_times_that_there_were(long seed) {
        Stationarity found = look(seed, 60, second -> 100 + 240 * second);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.DRIFTS);
        assertThat(found.ends().beforeNanos()).isBetween(80 * MS, 2_000 * MS);
        assertThat(found.ends().afterNanos()).isBetween(12_000 * MS, 15_500 * MS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_warm_up_is_a_start_and_what_follows_is_steady(long seed) {
        Stationarity found = look(seed, 60, second -> second < 10 ? 9 - 0.6 * second : 2);
        assertThat(found.start()).isBetween(5, 15);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_new_level_is_a_jump_with_its_time(long seed) {
        Stationarity found = look(seed, 60, second -> second < 40 ? 2 : 3);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.JUMPS);
        assertThat(found.at()).isBetween(39, 41);
        assertThat(found.change()).isCloseTo(1.5, within(0.1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_pause_of_two_seconds_is_none_of_these(long seed) {
        Stationarity found = look(seed, 60, second -> second == 31 || second == 32 ? 900 : 2);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
        assertThat(found.start()).isZero();
    }

    /** In 60 s its size is seen to within 3 %. */
    @ParameterizedTest(name = "2 to {0} ms: at most {1} of 50")
    @CsvSource({"2.06, 2", "2.1, 5"})
    void a_change_too_small_to_matter_is_hardly_ever_named(double millis, int most) {
        int named = 0;
        for (int seed = 0; seed < 50; seed++) {
            named += look(seed, 60, second -> second < 30 ? 2 : millis).shape() == Stationarity.Shape.STEADY ? 0 : 1;
        }
        assertThat(named).isLessThanOrEqualTo(most);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void a_long_run_is_looked_at_in_coarser_stretches(long seed) {
        Stationarity found = look(seed, 1_500, second -> second < 1_000 ? 2 : 3);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.JUMPS);
        assertThat(found.at()).isBetween(990, 1_010);
    }

    /** 20 ms that grow by a share each second: what grows all the time looks like a memory without end. */
    @ParameterizedTest(name = "by {0} a second, scatter {1}")
    @CsvSource({
        "0.005, 0",
        "0.005, 0.1",
        "0.005, 0.3",
        "0.01, 0",
        "0.01, 0.1",
        "0.01, 0.3",
        "0.02, 0",
        "0.02, 0.1",
        "0.02, 0.3"
    })
    void a_trend_of_thirty_seconds_is_found_before_memory_is_blamed(double share, double sigma) {
        int runs = Replications.of(400, 40);
        int found = 0;
        for (int seed = 0; seed < runs; seed++) {
            Stationarity seen = of(sample(seed, 30, sigma, at -> 20 * (1 + share * at)));
            boolean isLine = seen.shape() == Stationarity.Shape.DRIFTS && seen.percentile() == 50;
            double wanted = 1 + 29 * share;
            found += isLine && Math.abs(seen.change() / wanted - 1) < 0.1 ? 1 : 0;
        }
        assertThat(Table.percent(found, runs)).isGreaterThanOrEqualTo(90 - Table.slack(90, runs));
    }

    /** By the same each second: in logarithms that is a bow, which looks like a memory without end. */
    @ParameterizedTest(name = "by {0} a second, scatter {1}")
    @CsvSource({"0.01, 0.16", "0.02, 0.32"})
    void a_trend_of_two_minutes_that_is_no_line_in_logarithms_is_found(double share, double sigma) {
        int runs = Replications.of(400, 40);
        int found = 0;
        for (int seed = 0; seed < runs; seed++) {
            found += isTrend(sample(seed, 120, sigma, at -> 20 * (1 + share * at)));
        }
        assertThat(Table.percent(found, runs)).isGreaterThanOrEqualTo(90 - Table.slack(90, runs));
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(ints = {30, 60})
    void a_queue_near_its_capacity_and_a_level_that_wanders_have_no_trend(int seconds) {
        int runs = Replications.of(400, 40);
        int queue = 0;
        int level = 0;
        for (int seed = 0; seed < runs; seed++) {
            queue += isTrend(new SimulatedQueue(
                            0.9, 100, SimulatedQueue.Beside.NOTHING, new SplittableRandom(seed * 7_919L + 13))
                    .seconds(seconds));
            level += isTrend(wandering(seed, seconds, 3 + 27.0 * seed / runs));
        }
        double most = 2 + Table.slack(2, runs);
        assertThat(Table.percent(queue, runs)).isLessThanOrEqualTo(most);
        assertThat(Table.percent(level, runs)).isLessThanOrEqualTo(most);
    }

    private static int isTrend(List<Distribution> run) {
        return of(run).shape() == Stationarity.Shape.DRIFTS ? 1 : 0;
    }

    /** A level that goes up and down by 30 % and forgets where it was in so many seconds. */
    private static List<Distribution> wandering(long seed, int seconds, double memory) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] levels = new double[10 * seconds];
        double kept = Math.exp(-0.1 / memory);
        double level = random.nextGaussian();
        for (int i = 0; i < levels.length; i++) {
            levels[i] = 5 * Math.exp(0.3 * level);
            level = kept * level + Math.sqrt(1 - kept * kept) * random.nextGaussian();
        }
        return sample(seed, seconds, 0.3, at -> levels[(int) (10 * at)]);
    }

    @ParameterizedTest(name = "{0} s of 30 s {1} times as slow, scatter {2}")
    @CsvSource({"3, 2, 0.001", "3, 2, 0.01", "3, 2, 0.3", "5, 3, 0.001", "5, 3, 0.01", "5, 3, 0.3"})
    void a_slow_begin_of_up_to_a_sixth_is_a_warm_up_and_is_cut(int slow, double times, double sigma) {
        int runs = Replications.of(400, 40);
        int cut = 0;
        for (int seed = 0; seed < runs; seed++) {
            Stationarity seen = of(sample(seed, 30, sigma, at -> at < slow ? 20 * times : 20));
            cut += seen.shape() == Stationarity.Shape.STEADY && seen.start() == slow ? 1 : 0;
        }
        assertThat(Table.percent(cut, runs)).isGreaterThanOrEqualTo(90 - Table.slack(90, runs));
    }

    @ParameterizedTest(name = "scatter {0}")
    @ValueSource(doubles = {0.001, 0.01, 0.3})
    void five_slow_seconds_in_the_middle_are_a_spell_with_its_begin_and_end(double sigma) {
        int runs = Replications.of(400, 40);
        int found = 0;
        for (int seed = 0; seed < runs; seed++) {
            int from = 6 + seed % 18;
            found += of(sample(seed, 30, sigma, at -> at >= from && at < from + 5 ? 60 : 20))
                            .spell()
                            .filter(spell -> spell.from() == from && spell.to() == from + 5)
                            .filter(spell -> Math.abs(spell.times() - 3) < 0.3)
                            .isPresent()
                    ? 1
                    : 0;
        }
        assertThat(Table.percent(found, runs)).isGreaterThanOrEqualTo(90 - Table.slack(90, runs));
    }

    /** With nearly as many of either kind the median is now of the one, now of the other. */
    @Test
    void two_kinds_of_requests_whose_median_changes_places_are_no_spell() {
        for (int seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Distribution> run = new ArrayList<>();
            long[] times = new long[100];
            for (int second = 0; second < 30; second++) {
                double share = second == 18 || second == 19 ? 0.6 : 0.4;
                for (int i = 0; i < times.length; i++) {
                    times[i] = random.nextDouble() < share ? 80_000 : 5_000;
                }
                run.add(SimulatedQueue.distribution(times, times.length));
            }
            assertThat(of(run).spell()).as("seed %d", seed).isEmpty();
        }
    }

    /** 1,000/s, of which a share is six times as slow from the middle on; the median moves by 2 to 6 %. */
    @ParameterizedTest(name = "{0} of the requests, {1} s")
    @CsvSource({"0.12, 60", "0.06, 60", "0.03, 60", "0.12, 30", "0.06, 30"})
    void a_worsening_tail_is_reported_at_its_percentile(double share, int seconds) {
        int runs = Replications.of(200, 20);
        int found = 0;
        for (int seed = 0; seed < runs; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Distribution> run = new ArrayList<>();
            long[] times = new long[1_000];
            for (int second = 0; second < seconds; second++) {
                for (int i = 0; i < times.length; i++) {
                    boolean slow = second >= seconds / 2 && random.nextDouble() < share;
                    times[i] = (long) (20_000 * Math.exp(0.5 * random.nextGaussian()) * (slow ? 6 : 1));
                }
                run.add(SimulatedQueue.distribution(times, times.length));
            }
            Stationarity seen = of(run);
            found += seen.shape() == Stationarity.Shape.JUMPS && seen.percentile() >= 90 && seen.change() > 1.2 ? 1 : 0;
        }
        assertThat(Table.percent(found, runs)).isGreaterThanOrEqualTo(90 - Table.slack(90, runs));
    }

    private static Stationarity of(List<Distribution> run) {
        return Stationarity.of(run, 100).orElseThrow();
    }

    /** A hundred requests a second, log-normal; in microseconds. */
    private static List<Distribution> sample(long seed, int seconds, double sigma, DoubleUnaryOperator millis) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> run = new ArrayList<>();
        long[] times = new long[100];
        for (int second = 0; second < seconds; second++) {
            for (int i = 0; i < times.length; i++) {
                times[i] = (long)
                        (1_000 * millis.applyAsDouble(second + i / 100.0) * Math.exp(sigma * random.nextGaussian()));
            }
            run.add(SimulatedQueue.distribution(times, times.length));
        }
        return run;
    }

    @Test
    void slopes_have_their_known_value() {
        assertThat(Series.slope(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})).isEqualTo(1);
    }

    /** A hundred requests a second, log-normal with a sigma of 0.5. */
    private static Stationarity look(long seed, int seconds, IntToDoubleFunction medianMillis) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> run = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            double median = medianMillis.applyAsDouble(second) * MS;
            run.add(Distribution.of(LongStream.generate(() -> (long) (median * Math.exp(0.5 * random.nextGaussian())))
                    .limit(100)));
        }
        return Stationarity.of(run, 100).orElseThrow();
    }
}
