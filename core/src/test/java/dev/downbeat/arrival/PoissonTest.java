package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.testing.Replications;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoissonTest {
    private static final int ARRIVALS = 20_000;

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(50, 10));
    }

    private static Rate rate(SplittableRandom random) {
        return random.nextBoolean()
                ? Rate.perSecond(1 + random.nextLong(1_000_000))
                : new Rate(1 + random.nextLong(1_000_000), 3_600_000_000_000L);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_whole_is_a_poisson_process(long seed) {
        Rate rate = rate(new SplittableRandom(seed));

        PoissonChecks.check(new Poisson(rate, seed).times(), rate.perSecond() / 1e9, ARRIVALS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void every_share_is_a_poisson_process_of_its_part_of_the_rate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate rate = rate(random);
        int shares = 2 + random.nextInt(6);
        for (int share = 0; share < shares; share++) {
            PoissonChecks.check(
                    new Poisson(rate, seed).times(share, shares), rate.perSecond() / 1e9 / shares, ARRIVALS / 2);
        }
    }

    @Test
    void twenty_million_arrivals_have_the_rate() {
        IntendedTimes times = new Poisson(Rate.perSecond(1_000_000), 1).times();
        long count = 0;
        while (times.nextNanos() < 20_000_000_000L) {
            count++;
        }
        assertThat((double) count).isCloseTo(20e6, within(5 * Math.sqrt(20e6)));
    }

    /** Each block begins anew at a whole multiple of its length, so no rounding adds up. */
    @Test
    void after_a_hundred_years_the_rate_is_the_rate_still() {
        long year = 8_766;
        IntendedTimes times = new Poisson(new Rate(1, 3_600_000_000_000L), 1).times();
        long count = 0;
        long nanos = times.nextNanos();
        while (nanos < 100 * year * 3_600_000_000_000L) {
            count++;
            nanos = times.nextNanos();
        }
        assertThat((double) count).isCloseTo(100.0 * year, within(5 * Math.sqrt(100.0 * year)));
    }

    @Test
    void seeds_and_blocks_differ() {
        Poisson poisson = new Poisson(Rate.perSecond(1_024), 1);
        long first = poisson.times().nextNanos();

        assertThat(new Poisson(Rate.perSecond(1_024), 2).times().nextNanos()).isNotEqualTo(first);
    }

    @Test
    void the_schedule_of_a_seed_is_the_same_on_every_machine() {
        IntendedTimes times = new Poisson(Rate.perSecond(2_000), 7).times();

        assertThat(LongStream.range(0, 5).map(i -> times.nextNanos()))
                .containsExactly(174_236L, 588_371L, 664_437L, 1_059_287L, 1_071_564L);
    }

    @Test
    void a_block_is_whole_nanoseconds_about_1024_arrivals_and_never_empty() {
        assertThat(PoissonStream.blockNanos(Rate.perSecond(2_000))).isEqualTo(512_000_000L);
        assertThat(PoissonStream.blockNanos(new Rate(Long.MAX_VALUE, 1))).isEqualTo(1);
        assertThat(PoissonStream.blockNanos(new Rate(1, Long.MAX_VALUE))).isEqualTo(1L << 52);
    }

    @Test
    void it_ends_at_the_end_of_the_range() {
        Poisson rare = new Poisson(new Rate(1, Long.MAX_VALUE / 50), 3);
        IntendedTimes times = rare.times();
        int count = 0;
        while (times.nextNanos() != IntendedTimes.END) {
            count++;
        }
        assertThat(count).isBetween(15, 100);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void a_rate_of_zero_never_arrives() {
        Poisson never = new Poisson(Rate.perSecond(0), 1);

        assertThat(never.times().nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void it_describes_itself() {
        assertThat(new Poisson(Rate.perSecond(2_000), 1).describe()).isEqualTo("Poisson 2,000/s");
        assertThat(new Poisson(Rate.perSecond(2_000), 1).kind()).isEqualTo("poisson");
    }
}
