package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
                : Rate.perHour(1 + random.nextLong(1_000_000));
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

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void beginning_later_gives_the_tail_of_the_whole(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rate rate = rate(random);
        Poisson poisson = new Poisson(rate, seed);
        int shares = 1 + random.nextInt(4);
        int share = random.nextInt(shares);
        IntendedTimes whole = poisson.times(share, shares);
        long fromNanos = 0;
        for (int i = random.nextInt(5_000); i >= 0; i--) {
            fromNanos = whole.nextNanos();
        }
        fromNanos = Math.max(0, fromNanos - random.nextInt(2));
        IntendedTimes tail = poisson.timesFrom(fromNanos, share, shares);
        IntendedTimes again = poisson.times(share, shares);
        long nanos = again.nextNanos();
        while (nanos < fromNanos) {
            nanos = again.nextNanos();
        }
        long indexBefore = poisson.timesFrom(fromNanos, 0, 1).index();
        assertThat(indexBefore).isEqualTo(-1);
        for (int i = 0; i < 3_000; i++) {
            assertThat(tail.nextNanos()).isEqualTo(nanos);
            nanos = again.nextNanos();
        }
    }

    @Test
    void an_index_after_a_jump_is_counted_over_all_shares() {
        Poisson poisson = new Poisson(Rate.perSecond(1_000), 5);
        IntendedTimes whole = poisson.timesFrom(10_000_000_000L, 0, 1);
        IntendedTimes share = poisson.timesFrom(10_000_000_000L, 1, 3);
        long mine = share.nextNanos();
        long nanos = whole.nextNanos();
        while (nanos != mine) {
            nanos = whole.nextNanos();
        }
        assertThat(share.index()).isEqualTo(whole.index());
    }

    @Test
    void after_a_year_the_rate_is_the_rate_still() {
        long yearNanos = 365L * 86_400 * 1_000_000_000;
        for (Rate rate : new Rate[] {Rate.perSecond(1_000_000), Rate.perHour(1_000_000)}) {
            int expected = 100_000;
            long windowNanos = expected * rate.periodNanos() / rate.count();
            IntendedTimes times = new Poisson(rate, 2).timesFrom(yearNanos, 0, 1);
            long count = 0;
            while (times.nextNanos() < yearNanos + windowNanos) {
                count++;
            }
            assertThat((double) count).isCloseTo(expected, within(5 * Math.sqrt(expected)));
        }
    }

    @Test
    void seeds_and_blocks_differ() {
        Poisson poisson = new Poisson(Rate.perSecond(1_024), 1);
        long first = poisson.times().nextNanos();

        assertThat(new Poisson(Rate.perSecond(1_024), 2).times().nextNanos()).isNotEqualTo(first);
        assertThat(poisson.timesFrom(1_000_000_000L, 0, 1).nextNanos() - 1_000_000_000L)
                .isNotEqualTo(first);
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

        IntendedTimes tail = new Poisson(Rate.perSecond(1_000_000), 3).timesFrom(IntendedTimes.END - 1_000_000, 0, 1);
        count = 0;
        while (tail.nextNanos() != IntendedTimes.END) {
            count++;
        }
        assertThat(count).isBetween(800, 1_200);
        assertThat(rare.timesFrom(IntendedTimes.END, 0, 1).nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void a_rate_of_zero_never_arrives() {
        Poisson never = new Poisson(Rate.perSecond(0), 1);

        assertThat(never.times().nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(never.timesFrom(5, 0, 1).nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void a_negative_offset_is_refused() {
        assertThatThrownBy(() -> new Poisson(Rate.perSecond(1), 1).timesFrom(-1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offsetNanos must be at least 0, but was -1");
    }

    @Test
    void it_says_what_it_is() {
        assertThat(new Poisson(Rate.perSecond(2_000), 1).describe()).isEqualTo("Poisson 2,000/s");
        assertThat(new Poisson(Rate.perSecond(2_000), 1).kind()).isEqualTo("poisson");
    }
}
