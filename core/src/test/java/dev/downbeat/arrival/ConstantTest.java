package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConstantTest {
    private static final BigInteger END = BigInteger.valueOf(IntendedTimes.END);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void three_per_second_neither_drift_nor_round_up() {
        IntendedTimes times = new Constant(Rate.perSecond(3)).times();

        assertThat(LongStream.range(0, 7).map(i -> times.nextNanos()))
                .containsExactly(
                        0L, 333_333_333L, 666_666_666L, 1_000_000_000L, 1_333_333_333L, 1_666_666_666L, 2_000_000_000L);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_rate_and_any_share_is_exact_to_the_end_of_the_range(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate rate = new Rate(anyMagnitude(random, 63), anyMagnitude(random, 63));
        int shares = (int) anyMagnitude(random, 31);
        int share = random.nextInt(shares);
        IntendedTimes times = new Constant(rate).times(share, shares);
        for (int i = 0; i < 2_000; i++) {
            long index = share + (long) i * shares;
            assertThat(times.nextNanos())
                    .as("%s, share %s of %s, index %s", rate, share, shares, index)
                    .isEqualTo(exact(rate, index));
        }
    }

    private static long anyMagnitude(SplittableRandom random, int bits) {
        return 1 + random.nextLong((1L << (1 + random.nextInt(bits - 1))) - 1);
    }

    private static long exact(Rate rate, long index) {
        return BigInteger.valueOf(index)
                .multiply(BigInteger.valueOf(rate.periodNanos()))
                .divide(BigInteger.valueOf(rate.count()))
                .min(END)
                .longValueExact();
    }

    @Test
    void after_years_it_is_still_exact() {
        for (Rate rate :
                new Rate[] {Rate.perSecond(1_000_000), new Rate(1_000_000, 3_600_000_000_000L), Rate.perSecond(333_333)
                }) {
            int stride = Integer.MAX_VALUE;
            IntendedTimes times = new Constant(rate).times(stride - 1, stride);
            long nanos = 0;
            for (int i = 0; i < 10_000; i++) {
                nanos = times.nextNanos();
                assertThat(nanos).isEqualTo(exact(rate, (long) (i + 1) * stride - 1));
            }
            assertThat(nanos).isGreaterThan(240L * 86_400 * 1_000_000_000);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_count_in_a_time_is_the_closed_form(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate rate = new Rate(1 + random.nextLong(10_000), 1 + random.nextLong(1_000_000_000));
        long durationNanos = random.nextLong(rate.periodNanos() * 3);
        IntendedTimes times = new Constant(rate).times();
        long counted = 0;
        while (times.nextNanos() < durationNanos) {
            counted++;
        }

        BigInteger product = BigInteger.valueOf(durationNanos).multiply(BigInteger.valueOf(rate.count()));
        BigInteger[] closed = product.divideAndRemainder(BigInteger.valueOf(rate.periodNanos()));
        assertThat(counted).isEqualTo(closed[0].longValueExact() + closed[1].signum());
    }

    @Test
    void the_end_of_the_range_is_the_end_for_ever() {
        IntendedTimes times = new Constant(new Rate(1, Long.MAX_VALUE / 2 + 1)).times();

        assertThat(times.index()).isEqualTo(-1);
        assertThat(times.nextNanos()).isZero();
        assertThat(times.nextNanos()).isEqualTo(Long.MAX_VALUE / 2 + 1);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.index()).isEqualTo(1);
    }

    @Test
    void a_rate_of_zero_never_arrives() {
        IntendedTimes times = new Constant(Rate.perSecond(0)).times();

        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.index()).isEqualTo(-1);
    }

    @Test
    void shares_out_of_range_are_refused() {
        Constant constant = new Constant(Rate.perSecond(1));
        assertThatThrownBy(() -> constant.times(0, 0)).hasMessage("shares must be at least 1, but was 0");
        assertThatThrownBy(() -> constant.times(2, 2)).hasMessage("share must be from 0 to 1 of 2, but was 2");
        assertThatThrownBy(() -> constant.times(-1, 2)).hasMessage("share must be from 0 to 1 of 2, but was -1");
    }

    @Test
    void it_describes_itself() {
        assertThat(new Constant(Rate.perSecond(500)).describe()).isEqualTo("constant 500/s");
        assertThat(new Constant(Rate.perSecond(500)).kind()).isEqualTo("constant");
    }
}
