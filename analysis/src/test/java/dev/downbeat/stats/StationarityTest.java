package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class StationarityTest {
    private static final double MS = 1e6;

    @ParameterizedTest(name = "utilisation {0}")
    @ValueSource(doubles = {0.4, 0.8})
    void a_hundred_clean_runs_are_not_accused_of_anything(double utilisation) {
        for (int seed = 0; seed < 100; seed++) {
            List<Distribution> seconds = new SimulatedQueue(
                            utilisation, 1_000, SimulatedQueue.Beside.NOTHING, new SplittableRandom(seed))
                    .seconds(30 + seed % 31);
            Stationarity found = Stationarity.ofMedians(seconds).orElseThrow();
            assertThat(found).as("seed " + seed).isEqualTo(new Stationarity(0, Stationarity.Shape.STEADY, 1, 0));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_run_that_slows_down_by_half_drifts(long seed) {
        Stationarity found = look(seed, 60, second -> 2 * (1 + second / 120.0));
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.DRIFTS);
        assertThat(found.change()).isCloseTo(1.5, within(0.15));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_warm_up_is_a_start_and_what_follows_is_steady(long seed) {
        Stationarity found = look(seed, 60, second -> second < 10 ? 9 - 0.6 * second : 2);
        assertThat(found.start()).isBetween(5, 15);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_new_level_is_a_jump_and_its_moment_is_told(long seed) {
        Stationarity found = look(seed, 60, second -> second < 40 ? 2 : 3);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.JUMPS);
        assertThat(found.at()).isBetween(39, 41);
        assertThat(found.change()).isCloseTo(1.5, within(0.1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_pause_of_two_seconds_is_none_of_these(long seed) {
        Stationarity found = look(seed, 60, second -> second == 31 || second == 32 ? 900 : 2);
        assertThat(found).isEqualTo(new Stationarity(0, Stationarity.Shape.STEADY, 1, 0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_change_too_small_to_matter_is_not_named(long seed) {
        assertThat(look(seed, 60, second -> second < 30 ? 2 : 2.1).shape()).isEqualTo(Stationarity.Shape.STEADY);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void a_long_run_is_looked_at_in_coarser_stretches(long seed) {
        Stationarity found = look(seed, 1_500, second -> second < 1_000 ? 2 : 3);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.JUMPS);
        assertThat(found.at()).isBetween(990, 1_010);
    }

    @Test
    void short_runs_tell_nothing() {
        assertThat(Stationarity.ofMedians(List.of())).isEmpty();
        assertThatThrownBy(() -> Stationarity.ofLogs(new double[19]))
                .hasMessage("there must be at least 20 values, but there were 19");
        assertThat(Stationarity.ofLogs(new double[20]).shape()).isEqualTo(Stationarity.Shape.STEADY);
    }

    @Test
    void the_statistics_have_their_known_values() {
        double[] line = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        assertThat(Series.slope(line)).isEqualTo(1);
        assertThat(Series.trend(line)).isCloseTo(45 / Math.sqrt(125), within(1e-12));
        // window 1: variance 1, covariance -3/4 at lag 1 with weight 1/2, twice
        assertThat(Series.longRunVariance(new double[] {1, -1, 1, -1})).isCloseTo(0.25, within(1e-12));
        // sums 1, 0, 1, 0: 2 / (16 * 0.25)
        assertThat(Stationarity.kpss(new double[] {1, -1, 1, -1})).isCloseTo(0.5, within(1e-12));
    }

    /** A hundred requests a second, log-normal with a sigma of 0.5. */
    private static Stationarity look(long seed, int seconds, IntToDoubleFunction medianMillis) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> run = new ArrayList<>();
        Histogram histogram = Distribution.newHistogram();
        for (int second = 0; second < seconds; second++) {
            histogram.reset();
            for (int i = 0; i < 100; i++) {
                histogram.recordValue(
                        (long) (medianMillis.applyAsDouble(second) * MS * Math.exp(0.5 * random.nextGaussian())));
            }
            run.add(Distribution.of(histogram));
        }
        return Stationarity.ofMedians(run).orElseThrow();
    }
}
