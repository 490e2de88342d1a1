package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RampTest {
    private static final MathContext EXACT = new MathContext(60);
    private static final Rate ZERO = Rate.perSecond(0);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    private static Rate rate(SplittableRandom random) {
        long magnitude = 1L << random.nextInt(27);
        return switch (random.nextInt(4)) {
            case 0 -> ZERO;
            case 1 -> new Rate(1 + random.nextLong(magnitude), 3_600_000_000_000L);
            case 2 -> new Rate(1 + random.nextLong(1_000), 10_000 + random.nextLong(magnitude));
            default -> Rate.perSecond(Math.min(100_000_000, 1 + random.nextLong(magnitude)));
        };
    }

    private static long duration(SplittableRandom random) {
        return 1 + random.nextLong(random.nextBoolean() ? TimeUnit.DAYS.toNanos(10) : TimeUnit.MINUTES.toNanos(5));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void an_evenly_spaced_arrival_is_within_1_ns_of_its_place(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate from = rate(random);
        Rate near = new Rate(from.count() + 1, from.periodNanos());
        Rate to = random.nextInt(4) == 0 && from.count() > 0 && from.perSecond() < 1e7 ? near : rate(random);
        Ramp ramp = new Ramp(from, to, duration(random), new Spacing.Even());
        BigDecimal total = integral(ramp, BigDecimal.valueOf(ramp.durationNanos()));
        long count = total.setScale(0, RoundingMode.CEILING).longValueExact();
        for (int i = 0; i < 40 && count > 0; i++) {
            int index =
                    (int) Math.min(Integer.MAX_VALUE - 1, i % 2 == 0 ? random.nextLong(count) : count - 1 - i % count);
            IntendedTimes times = ramp.times(index, Integer.MAX_VALUE);
            assertPlace(ramp, index, times.nextNanos());
            for (long later = index + (long) Integer.MAX_VALUE; later < count; later += Integer.MAX_VALUE) {
                long nanos = times.nextNanos();
                if (random.nextInt(500) == 0) {
                    assertPlace(ramp, later, nanos);
                    assertThat(times.index()).isEqualTo(later);
                }
            }
            assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        }
    }

    private static void assertPlace(Ramp ramp, long index, long nanos) {
        BigDecimal exact = place(ramp, index).setScale(0, RoundingMode.FLOOR);
        assertThat(nanos).as("%s, index %s", ramp, index).isCloseTo(exact.longValueExact(), within(1L));
        assertThat(nanos).isBetween(0L, ramp.durationNanos() - 1);
    }

    private static BigDecimal perNano(Rate rate) {
        return BigDecimal.valueOf(rate.count()).divide(BigDecimal.valueOf(rate.periodNanos()), EXACT);
    }

    private static BigDecimal slope(Ramp ramp) {
        return perNano(ramp.to())
                .subtract(perNano(ramp.from()))
                .divide(BigDecimal.valueOf(ramp.durationNanos()), EXACT);
    }

    private static BigDecimal integral(Ramp ramp, BigDecimal nanos) {
        BigDecimal half = new BigDecimal("0.5");
        return perNano(ramp.from())
                .add(slope(ramp).multiply(nanos, EXACT).multiply(half, EXACT))
                .multiply(nanos, EXACT)
                // the last digits of 60 would push an exact whole number over the next
                .round(new MathContext(45));
    }

    private static BigDecimal place(Ramp ramp, long index) {
        if (index == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal from = perNano(ramp.from());
        BigDecimal twice = BigDecimal.valueOf(index).multiply(BigDecimal.valueOf(2));
        BigDecimal root = from.pow(2)
                .add(slope(ramp).multiply(twice), EXACT)
                .max(BigDecimal.ZERO)
                .sqrt(EXACT);
        return twice.divide(from.add(root), EXACT);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_number_of_even_arrivals_is_the_integral_of_the_rate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate from = Rate.perSecond(random.nextLong(2_000));
        Rate to = new Rate(random.nextLong(100_000), 60_000_000_000L);
        Ramp ramp = new Ramp(from, to, 1 + random.nextLong(20_000_000_000L), new Spacing.Even());
        BigDecimal total = integral(ramp, BigDecimal.valueOf(ramp.durationNanos()));

        assertThat(count(ramp.times()))
                .isEqualTo(total.setScale(0, RoundingMode.CEILING).longValueExact());
    }

    private static long count(IntendedTimes times) {
        long count = 0;
        while (times.nextNanos() != IntendedTimes.END) {
            count++;
        }
        return count;
    }

    @Test
    void a_ramp_that_stays_level_is_constant() {
        Rate rate = Rate.perSecond(1_000);
        IntendedTimes level = new Ramp(rate, rate, 1_000_000_000L, new Spacing.Even()).times();
        IntendedTimes constant = new Constant(rate).times();
        for (int i = 0; i < 1_000; i++) {
            assertThat(level.nextNanos()).isCloseTo(constant.nextNanos(), within(1L));
        }
        assertThat(level.nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void a_ramp_to_nothing_is_a_ramp_from_nothing_backwards() {
        Rate rate = Rate.perSecond(10);
        IntendedTimes down = new Ramp(rate, ZERO, 2_000_000_000L, new Spacing.Even()).times();

        assertThat(LongStream.range(0, 11).map(i -> down.nextNanos()))
                .containsExactly(
                        0L,
                        102_633_403L,
                        211_145_618L,
                        326_679_946L,
                        450_806_661L,
                        585_786_437L,
                        735_088_935L,
                        904_554_884L,
                        1_105_572_809L,
                        1_367_544_467L,
                        IntendedTimes.END);
    }

    @Test
    void nothing_to_nothing_has_no_arrivals() {
        assertThat(count(new Ramp(ZERO, ZERO, 1_000, new Spacing.Even()).times()))
                .isZero();
        assertThat(count(new Ramp(ZERO, ZERO, 1_000, new Spacing.Poisson(1)).times()))
                .isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_poisson_ramp_is_a_poisson_process_in_the_time_of_its_integral(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] perSecond = {random.nextInt(500), 500 + random.nextInt(5_000)};
        boolean falls = random.nextBoolean();
        Rate from = Rate.perSecond((long) perSecond[falls ? 1 : 0]);
        Rate to = Rate.perSecond((long) perSecond[falls ? 0 : 1]);
        long durationNanos = 20_000_000_000L;
        Ramp ramp = new Ramp(from, to, durationNanos, new Spacing.Poisson(seed));
        double total = (perSecond[0] + perSecond[1]) / 2 * 20;
        assertThat((double) count(ramp.times())).isCloseTo(total, within(5 * Math.sqrt(total)));

        int shares = 1 + random.nextInt(3);
        IntendedTimes times = ramp.times(shares - 1, shares);
        double[] gaps = new double[(int) (total / shares / 2)];
        double last = 0;
        for (int i = 0; i < gaps.length; i++) {
            double t = (double) times.nextNanos() / 1e9;
            double integral = (from.perSecond() * t + (to.perSecond() - from.perSecond()) * t * t / 40) / shares;
            gaps[i] = integral - last;
            last = integral;
        }
        PoissonChecks.assertExponential(gaps);
    }

    @Test
    void values_out_of_range_are_rejected() {
        Rate one = Rate.perSecond(1);
        assertThatThrownBy(() -> new Ramp(one, one, 0, new Spacing.Even()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a ramp must last from 1 ns to 10d, but was 0 s");
        long tenDays = TimeUnit.DAYS.toNanos(10);
        assertThatThrownBy(() -> new Ramp(one, one, tenDays + 1, new Spacing.Even()))
                .hasMessageEndingWith("but was 10d0.000000001s");
        assertThatThrownBy(() -> new Ramp(Rate.perSecond(100_000_001), one, 1, new Spacing.Even()))
                .hasMessage("rate from must be at most 100,000,000/s, but was 100,000,001/s");
        assertThatThrownBy(() -> new Ramp(one, Rate.perSecond(100_000_001), 1, new Spacing.Even()))
                .hasMessage("rate to must be at most 100,000,000/s, but was 100,000,001/s");
    }

    @Test
    void the_ends_of_the_ranges_are_within() {
        Rate most = Rate.perSecond(100_000_000);
        assertThat(count(new Ramp(most, most, 1, new Spacing.Even()).times())).isEqualTo(1);
        assertThat(count(new Ramp(ZERO, new Rate(1, 3_600_000_000_000L), TimeUnit.DAYS.toNanos(10), new Spacing.Even())
                        .times()))
                .isEqualTo(120);
    }

    @Test
    void it_describes_itself() {
        Ramp ramp = new Ramp(Rate.perSecond(100), Rate.perSecond(5_000), 120_000_000_000L, new Spacing.Even());
        assertThat(ramp.describe()).isEqualTo("ramp 100/s to 5,000/s over 2m");
        assertThat(ramp.kind()).isEqualTo("ramp");
        assertThat(new Ramp(ramp.from(), ramp.to(), 500_000_000, new Spacing.Poisson(1)).describe())
                .isEqualTo("Poisson ramp 100/s to 5,000/s over 500 ms");
    }
}
