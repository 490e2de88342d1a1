package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.stats.position.PeriodFinder.MeanOfUniforms;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws against Apache Commons Statistics. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LawsTest {
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_normal_law_is_that_of_Commons_Statistics(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            double x = random.nextDouble(-9, 9);
            assertThat(Normal.upperTail(x))
                    .isCloseTo(NORMAL.survivalProbability(x), within(1e-12 * NORMAL.survivalProbability(x)));
            assertThat(Normal.upperTail(-x)).isCloseTo(NORMAL.cumulativeProbability(x), within(1e-14));
            double p = random.nextDouble(1e-9, 1 - 1e-9);
            assertThat(Normal.quantile(p)).isCloseTo(NORMAL.inverseCumulativeProbability(p), within(1e-7));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_beta_law_is_that_of_Commons_Statistics(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double a = Math.exp(random.nextDouble(-1, 12));
        double b = Math.exp(random.nextDouble(-1, 12));
        BetaDistribution oracle = BetaDistribution.of(a, b);
        for (double p : new double[] {1e-6, 0.025, 0.3, 0.5, 0.975, 0.9999}) {
            double x = oracle.inverseCumulativeProbability(p);
            assertThat(Beta.cdf(x, a, b)).isCloseTo(oracle.cumulativeProbability(x), within(1e-9));
            assertThat(Beta.quantile(p, a, b)).isCloseTo(x, within(1e-7 * x + 1e-12));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_binomial_law_and_Students_t_are_those_of_Commons_Statistics(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int n = random.nextInt(1, 5_000);
        int k = random.nextInt(-1, n + 1);
        double p = random.nextDouble(0.01, 0.99);
        double binomial = BinomialDistribution.of(n, p).cumulativeProbability(k);
        assertThat(Beta.binomialCdf(k, n, p)).isCloseTo(binomial, within(1e-9));
        double freedom = random.nextInt(1, 400);
        double t = TDistribution.of(freedom).inverseCumulativeProbability(0.975);
        assertThat(StudentT.quantile(0.975, freedom)).isCloseTo(t, within(1e-9 * t));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_tail_of_a_mean_of_uniform_values_is_that_of_Irwin_and_Hall(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int n = random.nextInt(2, 13);
        double mean = random.nextDouble(0.8, 0.99);
        // by symmetry the tail is the probability of a sum up to n (1 - mean)
        double sum = n * (1 - mean);
        double tail = 0;
        double binomial = 1;
        for (int k = 0; k < sum; k++) {
            tail += (k % 2 == 0 ? 1 : -1) * binomial * Math.pow(sum - k, n);
            binomial = binomial * (n - k) / (k + 1);
        }
        for (int k = 2; k <= n; k++) {
            tail /= k;
        }
        assertThat(MeanOfUniforms.logTail(n, mean)).isCloseTo(Math.log(tail), within(0.3));
    }

    @Test
    void impossible_parameters_are_refused() {
        assertThatThrownBy(() -> Beta.cdf(0.5, 0, 1)).hasMessage("a and b must be above 0, but were 0.0 and 1.0");
        assertThatThrownBy(() -> Beta.quantile(1.5, 1, 1)).hasMessage("p must be from 0 to 1, but was 1.5");
        assertThatThrownBy(() -> Normal.quantile(0)).hasMessage("p must be above 0 and below 1, but was 0.0");
        assertThatThrownBy(() -> StudentT.quantile(0.2, 5)).hasMessage("p must be from 0.5 and below 1, but was 0.2");
    }
}
