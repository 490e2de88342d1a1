package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.testing.Simulated;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CapacityTest {
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest(name = "utilisation {0}")
    @ValueSource(doubles = {1.05, 1.2, 1.5, 2})
    void one_overloaded_minute_shows_the_capacity_within_two_per_cent(double utilisation) {
        int held = 0;
        int runs = 40;
        for (int seed = 0; seed < runs; seed++) {
            Growth growth = Growth.of(medians(utilisation, new SplittableRandom(seed)), SECOND);
            Growth.CapacityEstimate capacity = growth.capacity(1_000).orElseThrow();
            double truth = 1_000 / utilisation;
            assertThat(capacity.perSecond()).isCloseTo(truth, withinPercentage(2));
            held += capacity.lowPerSecond() <= truth && truth <= capacity.highPerSecond() ? 1 : 0;
        }
        assertThat(held).isGreaterThanOrEqualTo(34);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void below_the_capacity_no_overload_is_visible(long seed) {
        Growth growth = Growth.of(medians(0.7, new SplittableRandom(seed)), SECOND);
        assertThat(growth.grows()).isFalse();
        assertThat(growth.capacity(1_000)).isEmpty();
        assertThat(growth.highSlope()).isLessThan(0.01);
    }

    /** A queue that starts empty; medians by second of arrival, at 1,000 per second. */
    private static long[] medians(double utilisation, SplittableRandom random) {
        long[] medians = new long[60];
        double wait = 0;
        for (int second = 0; second < medians.length; second++) {
            double[] responses = new double[1_000];
            for (int i = 0; i < responses.length; i++) {
                double service = random.nextExponential() * 1e6 * utilisation;
                responses[i] = wait + service;
                wait = Math.max(0, wait + service - random.nextExponential() * 1e6);
            }
            medians[second] = (long) Series.median(responses);
        }
        return medians;
    }

    private static double throughput(ScalabilityLaw law, double n) {
        return law.perClient() * n / (1 + law.contention() * (n - 1) + law.coherence() * n * (n - 1));
    }

    @ParameterizedTest(name = "contention {0}, coherence {1}")
    @CsvSource({"0.03, 0.0005", "0.1, 0", "0, 0.001", "0, 0"})
    void the_scalability_law_is_found_again(double contention, double coherence) {
        ScalabilityLaw law = new ScalabilityLaw(120, contention, coherence);
        double[] clients = {1, 2, 4, 8, 16, 32, 64};
        double[] throughputs =
                Arrays.stream(clients).map(n -> throughput(law, n)).toArray();
        ScalabilityLaw found = ScalabilityLaw.fit(clients, throughputs);
        assertThat(found.perClient()).isCloseTo(120, withinPercentage(0.001));
        assertThat(found.contention()).isCloseTo(contention, within(1e-6));
        assertThat(found.coherence()).isCloseTo(coherence, within(1e-6));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void noise_of_three_per_cent_moves_the_best_number_of_clients_little_and_no_term_below_zero(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ScalabilityLaw law = new ScalabilityLaw(120, 0.03, 0.0005);
        double[] clients = {1, 2, 4, 8, 16, 32, 64, 128};
        double[] throughputs = Arrays.stream(clients)
                .map(n -> throughput(law, n) * (1 + 0.03 * random.nextGaussian()))
                .toArray();
        ScalabilityLaw found = ScalabilityLaw.fit(clients, throughputs);
        assertThat(found.bestClients()).isCloseTo(law.bestClients(), withinPercentage(25));
        assertThat(Math.min(found.contention(), found.coherence())).isNotNegative();
    }

    @Test
    void the_best_number_of_clients_follows_from_the_law() {
        assertThat(new ScalabilityLaw(1, 0.1, 0.001).bestClients()).isCloseTo(30, within(1e-9));
        assertThat(new ScalabilityLaw(1, 0.1, 0).bestClients()).isInfinite();
    }

    @Test
    void too_little_data_is_refused() {
        assertThatThrownBy(() -> ScalabilityLaw.fit(new double[5], new double[5]))
                .hasMessage("there must be at least 6 loads, each with a throughput, but there were 5 and 5");
        assertThatThrownBy(() -> Growth.of(new long[7], 1))
                .hasMessage("there must be at least 8 values of stretches longer than 0, but there were 7 of 1");
    }
}
