package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArrivalsTest {
    private static final double MEAN_GAP = 500_000;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void a_Poisson_process_is_known_as_one(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Arrivals found = Arrivals.of(instants(20_000, () -> random.nextExponential() * MEAN_GAP));
        assertThat(found.kind()).isEqualTo(Arrivals.Kind.POISSON);
        assertThat(found.perSecond()).isCloseTo(2_000, within(100.0));
        assertThat(found.variation()).isCloseTo(1, within(0.05));
        assertThat(found.dispersion().ms1()).isCloseTo(1, within(0.08));
        assertThat(found.dispersion().ms10()).isCloseTo(1, within(0.25));
        assertThat(found.burst()).isCloseTo(0.095, within(0.012));
    }

    @Test
    void the_share_of_Poisson_processes_that_fail_the_test_is_its_level() {
        int failed = 0;
        for (int seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Arrivals found = Arrivals.of(instants(500, () -> random.nextExponential() * MEAN_GAP));
            failed += found.andersonDarling() > 1.32 ? 1 : 0;
        }
        assertThat(failed).isBetween(35, 65);
    }

    @Test
    void constant_gaps_bursts_and_others_are_distinguished() {
        SplittableRandom random = new SplittableRandom(1);
        assertThat(Arrivals.of(instants(5_000, () -> MEAN_GAP * random.nextDouble(0.98, 1.02)))
                        .kind())
                .isEqualTo(Arrivals.Kind.CONSTANT);
        int[] next = {0};
        assertThat(Arrivals.of(instants(5_000, () -> next[0]++ % 10 == 0 ? 10 * MEAN_GAP : 0))
                        .kind())
                .isEqualTo(Arrivals.Kind.BURSTY);
        assertThat(Arrivals.of(instants(5_000, () -> MEAN_GAP * random.nextDouble(0.5, 1.5)))
                        .kind())
                .isEqualTo(Arrivals.Kind.OTHER);
    }

    @Test
    void the_distance_is_that_of_Commons_Statistics() {
        SplittableRandom random = new SplittableRandom(8);
        long[] instants = instants(2_000, () -> random.nextExponential() * MEAN_GAP);
        double[] gaps = new double[instants.length - 1];
        Arrays.setAll(gaps, i -> (double) (instants[i + 1] - instants[i]));
        ExponentialDistribution law =
                ExponentialDistribution.of(Arrays.stream(gaps).average().orElseThrow());
        double oracle = KolmogorovSmirnovTest.withDefaults().statistic(gaps, law::cumulativeProbability);
        assertThat(Arrivals.of(instants).kolmogorov()).isCloseTo(oracle, within(1e-12));
    }

    @Test
    void too_few_arrivals_and_such_that_go_back_are_refused() {
        assertThatThrownBy(() -> Arrivals.of(new long[99]))
                .hasMessage("there must be at least 100 arrivals, but there were 99");
        long[] back = new long[100];
        back[1] = 5;
        assertThatThrownBy(() -> Arrivals.of(back)).hasMessage("arrivals must ascend, but number 3 does not");
    }

    private static long[] instants(int count, DoubleSupplier gap) {
        long[] instants = new long[count];
        double now = 0;
        for (int i = 0; i < count; i++) {
            now += gap.getAsDouble();
            instants[i] = Math.round(now);
        }
        return instants;
    }
}
