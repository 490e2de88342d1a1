package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoissonTailTest {
    @Test
    void more_than_expected_is_as_likely_as_a_library_has_it() {
        for (double mean : new double[] {0.01, 0.5, 3, 40, 700}) {
            for (int more : new int[] {1, 2, 5, 30}) {
                int count = (int) mean + more;
                double chance = PoissonDistribution.of(mean).survivalProbability(count - 1);
                assertThat(PoissonTail.atLeast(count, mean))
                        .as("%d of %s", count, mean)
                        .isCloseTo(chance, within(1e-9 * chance + 1e-15));
            }
        }
    }

    /** From a million on, a normal distribution is as exact. */
    @Test
    void chances_of_many_events_are_complete() {
        for (double mean : new double[] {1e6, 1e8}) {
            double deviations = 0.1;
            long count = Math.round(mean + deviations * Math.sqrt(mean));
            assertThat(PoissonTail.atLeast(count, mean)).isCloseTo(0.460, within(0.001));
        }
    }

    @Test
    void what_is_expected_is_certain_and_what_cannot_be_is_not() {
        assertThat(PoissonTail.atLeast(3, 3)).isEqualTo(1);
        assertThat(PoissonTail.atLeast(1, 0)).isZero();
        assertThat(PoissonTail.atLeast(100_000_000_000L, 2)).isZero();
    }
}
