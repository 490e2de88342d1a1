package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
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

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class StationarityTest {
    private static final double MS = 1e6;

    @ParameterizedTest(name = "utilisation {0}")
    @ValueSource(doubles = {0.4, 0.8})
    void of_a_hundred_clean_runs_at_most_three_are_accused(double utilisation) {
        int accused = 0;
        for (int seed = 0; seed < Replications.of(100, 30); seed++) {
            List<Distribution> seconds = new SimulatedQueue(
                            utilisation, 1_000, SimulatedQueue.Beside.NOTHING, new SplittableRandom(seed))
                    .seconds(30 + seed % 31);
            Stationarity found = Stationarity.of(seconds).orElseThrow();
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
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.STEADY);
        assertThat(found.start()).isZero();
    }

    @Test
    void a_change_too_small_to_matter_is_hardly_ever_named() {
        int named = 0;
        for (int seed = 0; seed < 50; seed++) {
            named += look(seed, 60, second -> second < 30 ? 2 : 2.1).shape() == Stationarity.Shape.STEADY ? 0 : 1;
        }
        assertThat(named).isLessThanOrEqualTo(2);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void a_long_run_is_looked_at_in_coarser_stretches(long seed) {
        Stationarity found = look(seed, 1_500, second -> second < 1_000 ? 2 : 3);
        assertThat(found.shape()).isEqualTo(Stationarity.Shape.JUMPS);
        assertThat(found.at()).isBetween(990, 1_010);
    }

    @Test
    void slopes_have_their_known_value() {
        assertThat(Series.slope(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})).isEqualTo(1);
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
        return Stationarity.of(run).orElseThrow();
    }
}
