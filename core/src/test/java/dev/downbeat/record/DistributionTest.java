package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DistributionTest {
    private static final double[] PERCENTILES = {0, 0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 99.999, 100};

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(50, 10));
    }

    private static Histogram random(SplittableRandom random, int most) {
        Histogram histogram = Distribution.newHistogram();
        for (int i = random.nextInt(most); i > 0; i--) {
            histogram.recordValueWithCount(random.nextLong(1L << random.nextInt(1, 49)), 1 + random.nextInt(3));
        }
        return histogram;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void it_answers_as_the_histogram_it_was_made_of(long seed) {
        Histogram histogram = random(new SplittableRandom(seed), 3_000);
        histogram.recordValue(seed);
        Distribution distribution = Distribution.of(histogram);

        assertThat(distribution.count()).isEqualTo(histogram.getTotalCount());
        assertThat(distribution.maxNanos()).isEqualTo(histogram.getMaxValue());
        assertThat(distribution.minNanos()).isEqualTo(histogram.getMinValue());
        assertThat((double) distribution.meanNanos())
                .isCloseTo(histogram.getMean(), org.assertj.core.data.Offset.offset(1.0));
        for (double percentile : PERCENTILES) {
            assertThat(distribution.valueAtPercentile(percentile))
                    .as("p" + percentile)
                    .isEqualTo(
                            percentile == 0
                                    ? histogram.highestEquivalentValue(histogram.getMinValue())
                                    : histogram.getValueAtPercentile(percentile));
        }
        assertThat(distribution.toHistogram()).isEqualTo(histogram);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void durations_in_any_order_are_counted_as_in_a_histogram(long seed) {
        Histogram histogram = Distribution.newHistogram();
        long[] nanos = new SplittableRandom(seed)
                .longs(seed * 40, 0, 1L << Math.min(49, seed + 1))
                .peek(histogram::recordValue)
                .toArray();
        assertThat(Distribution.of(LongStream.of(nanos))).isEqualTo(Distribution.of(histogram));
        assertThat(Distribution.of(LongStream.of(-1, Long.MAX_VALUE)))
                .isEqualTo(Distribution.of(LongStream.of(Distribution.MAX_NANOS, 0)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void adding_loses_nothing_whatever_the_order(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Histogram sum = Distribution.newHistogram();
        List<Distribution> parts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Histogram part = random(random, 200);
            sum.add(part);
            parts.add(Distribution.of(part));
        }
        Distribution forwards = parts.stream().reduce(Distribution.empty(), Distribution::plus);
        Distribution backwards = parts.stream().reduce(Distribution.empty(), (a, b) -> b.plus(a));
        assertThat(Distribution.sum(parts)).isEqualTo(forwards);
        assertThat(Distribution.sum(parts).maxNanos()).isEqualTo(forwards.maxNanos());

        assertThat(forwards)
                .isEqualTo(Distribution.of(sum))
                .isEqualTo(backwards)
                .hasSameHashCodeAs(backwards);
    }

    @Test
    void the_nearest_rank_is_never_interpolated() {
        Distribution distribution = Distribution.of(LongStream.rangeClosed(1, 1_000));
        assertThat(distribution.valueAtPercentile(50)).isEqualTo(500);
        assertThat(distribution.valueAtPercentile(99.9)).isEqualTo(999);
        assertThat(distribution.valueAtPercentile(99.91)).isEqualTo(1_000);
        assertThat(distribution.valueAtPercentile(0)).isEqualTo(1);
    }

    @Test
    void how_many_lie_above_a_limit_can_be_asked() {
        Distribution distribution = Distribution.of(LongStream.rangeClosed(1, 1_000));
        assertThat(distribution.countAbove(0)).isEqualTo(1_000);
        assertThat(distribution.countAbove(990)).isEqualTo(10);
        assertThat(distribution.countAbove(1_000)).isZero();
    }

    @Test
    void durations_of_up_to_seven_days_are_told_apart() {
        assertThat(Distribution.MAX_NANOS).isEqualTo(604_800_000_000_000L);
        assertThat(Distribution.of(LongStream.of(Distribution.MAX_NANOS - 1_000_000_000_000L))
                        .maxNanos())
                .isLessThan(Distribution.MAX_NANOS);
    }

    @Test
    void several_ranks_are_found_in_one_pass() {
        Distribution distribution = Distribution.of(LongStream.of(5, 5, 7, 9));
        assertThat(distribution.valuesAtRanks(new long[] {1, 2, 2, 3, 4, 5})).containsExactly(5, 5, 5, 7, 9, 9);
        assertThat(distribution.valuesAtRanks(new long[0])).isEmpty();
        assertThat(Distribution.empty().valuesAtRanks(new long[] {1})).containsExactly(0);
        assertThat(distribution.sumNanos()).isEqualTo(26);
        assertThat(distribution.isEmpty()).isFalse();
    }

    @Test
    void nothing_is_a_distribution_too() {
        assertThat(Distribution.of(Distribution.newHistogram())).isEqualTo(Distribution.empty());
        assertThat(Distribution.empty().valueAtPercentile(99)).isZero();
        assertThat(Distribution.empty().maxNanos()).isZero();
        assertThat(Distribution.empty().meanNanos()).isZero();
    }

    @Test
    void a_percentile_beyond_a_hundred_is_refused_with_its_value() {
        assertThatThrownBy(() ->
                        Distribution.of(random(new SplittableRandom(1), 100)).valueAtPercentile(100.5))
                .hasMessage("percentile must be from 0 to 100, but was 100.5");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void it_is_restored_from_its_bytes_and_from_nothing_else(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Distribution times = Distribution.of(random(random, 300));
        byte[] bytes = times.bytes();
        assertThat(Distribution.of(bytes)).isEqualTo(times);

        byte[] cutOff = Arrays.copyOf(bytes, bytes.length + 1); // a step without a count
        assertThatThrownBy(() -> Distribution.of(cutOff)).isInstanceOf(IllegalArgumentException.class);
        for (int i = 0; i < 100; i++) {
            byte[] changed = new byte[random.nextInt(12)];
            random.nextBytes(changed);
            try {
                Distribution read = Distribution.of(changed);
                assertThat(Distribution.of(read.bytes())).isEqualTo(read);
                assertThat(read.maxNanos()).isLessThan(2 * Distribution.MAX_NANOS);
            } catch (IllegalArgumentException | ArithmeticException refused) {
                assertThat(refused).hasMessageMatching("(?s).*(cut off|invalid distribution).*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5,cut off",
        "-123,cut off",
        "'5,0',invalid distribution",
        "'5,1,0,1',invalid distribution",
        "'-1,-1,127,1',invalid distribution"
    })
    void bytes_of_no_distribution_are_refused(String numbers, String why) {
        String[] words = numbers.split(",");
        byte[] bytes = new byte[words.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Byte.parseByte(words[i]);
        }
        assertThatThrownBy(() -> Distribution.of(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
