package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.Batches.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches of a run against numbers that a second program gave, as those of {@link ReferenceNumbersTest}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BatchesTest {
    private static double[] numbers(int count, IntUnaryOperator each) {
        return IntStream.range(0, count).map(each).asDoubleStream().toArray();
    }

    private static double[] waves(int count, double period) {
        return numbers(count, i -> (int) Math.floor(100 * Math.sin(2 * Math.PI * i / period) + 0.5));
    }

    @Test
    void sums_of_batches_take_the_rest_with_the_last() {
        Batches batches = Batches.of(numbers(40, i -> (i * i * 37 + 11 * i) % 101 - 50), 3);
        ReferenceNumbersTest.assertNumbers(batches.sums(), -33, 14, 39, 42, -78, -18, 20, 36, 30, -99, 53, -19, -17);
        ReferenceNumbersTest.assertNumbers(
                new double[] {batches.correlation(), batches.dependence(), batches.variance()},
                -0.25795632406648283,
                1,
                29070.166666666664);
        ReferenceNumbersTest.assertNumbers(new double[] {batches.freedom(1), batches.freedom(2)}, 12, 25);
        ReferenceNumbersTest.assertNumbers(
                new double[] {batches.upperStretch(0.025, 1), batches.lowerStretch(0.025)}, 1, 1);
    }

    @Test
    void batches_that_remember_are_worth_fewer() {
        Batches waves = Batches.of(waves(60, 10 * Math.PI), 2);
        ReferenceNumbersTest.assertNumbers(
                new double[] {waves.correlation(), waves.dependence(), waves.variance()},
                0.929971195665478,
                9,
                5704960.344827588);
        ReferenceNumbersTest.assertNumbers(new double[] {waves.freedom(1), waves.freedom(3)}, 3, 9);
        assertThat(Batches.of(new double[30], 1).correlation()).isZero();
    }

    @Test
    void a_level_that_wanders_at_one_percentile_alone_needs_longer_batches() {
        double[] calm = numbers(60, i -> (i * i * 37 + 11 * i) % 101 - 50);
        double[] waves = waves(60, 10 * Math.PI);
        assertThat(Batches.size(List.of(calm, calm, calm))).isEqualTo(1);
        double[] alternating = numbers(60, i -> i % 2 == 0 ? 1 : -1); // the mean of all three is calm
        assertThat(Batches.size(List.of(waves, alternating, alternating))).isNotEqualTo(1);
    }

    @Test
    void rare_slow_batches_stretch_the_upper_end_and_shorten_the_lower() {
        double[] rare = numbers(60, i -> i % 20 == 19 ? 900 : -40);
        ReferenceNumbersTest.assertNumbers(
                new double[] {
                    Batches.of(rare, 3).upperStretch(0.025, 1),
                    Batches.of(rare, 3).lowerStretch(0.025)
                },
                4.164695562950892,
                0.7422611324214544);
        double[] rarelyQuick = numbers(60, i -> i % 20 == 19 ? -900 : 40);
        ReferenceNumbersTest.assertNumbers(
                new double[] {Batches.of(rarelyQuick, 3).upperStretch(0.025, 1)}, 1);
        ReferenceNumbersTest.assertNumbers(
                new double[] {Batches.of(rarelyQuick, 3).lowerStretch(0.025)}, 1);
    }

    @Test
    void the_memory_of_waves_is_the_length_at_which_their_batches_forget() {
        double[] periods = {3, 6, 10, 14, 20, 40};
        ReferenceNumbersTest.assertNumbers(
                Arrays.stream(periods)
                        .map(period -> Batches.size(waves(120, period)))
                        .toArray(),
                1,
                2,
                3,
                4,
                5,
                9);
        assertThat(Batches.size(numbers(40, i -> (i * i * 37 + 11 * i) % 101 - 50)))
                .isEqualTo(1);
        assertThat(Batches.size(waves(60, 60))).as("none").isZero();
        assertThat(Memory.of(waves(60, 60)).stretches()).isEqualTo(6);
        assertThat(new Memory(2, 0).and(new Memory(1, 5))).isEqualTo(new Memory(2, 5));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"60, 30, 110", "60, 12, 90", "200, 100, 366", "15, 8, 62"})
    void long_memory_needs_a_minimum_number_of_seconds(int seconds, double period, int needed) {
        assertThat(Batches.neededSeconds(waves(seconds, period))).isEqualTo(needed);
    }
}
