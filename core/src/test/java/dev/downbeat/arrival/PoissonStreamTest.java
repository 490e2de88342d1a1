package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoissonStreamTest {
    private static final Rate RATE = Rate.perSecond(1_000);

    /** Some three blocks of about 1,024 arrivals. */
    private static final int COUNT = 3_200;

    private static List<Long> times(long seed) {
        PoissonStream stream = new PoissonStream(RATE, seed);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            times.add(stream.nextNanos());
        }
        return times;
    }

    @Test
    void a_block_holds_1024_arrivals_on_average_and_is_no_longer_than_a_double_is_exact() {
        assertThat(PoissonStream.blockNanos(RATE)).isEqualTo(1_024_000_000L);
        assertThat(PoissonStream.blockNanos(new Rate(Long.MAX_VALUE, 1))).isEqualTo(1);
        assertThat(PoissonStream.blockNanos(new Rate(1, Long.MAX_VALUE))).isEqualTo(1L << 52);
    }

    /** A stream may begin at any block: which one it is determines its draws. */
    @Test
    void each_block_follows_the_one_before_it_and_draws_by_its_own_number() {
        List<Long> times = times(42);
        for (int number = 1; number <= 2; number++) {
            long beginNanos = number * PoissonStream.blockNanos(RATE);
            long draw = SplitMix64.mix(SplitMix64.stateOf(42, number) + SplitMix64.STEP);
            assertThat(times.stream().filter(nanos -> nanos >= beginNanos).findFirst())
                    .contains(beginNanos + (long) (1e6 * ExponentialGap.of(draw)));
        }
    }

    @Test
    void arrivals_may_share_a_nanosecond_even_the_first() {
        PoissonStream dense = new PoissonStream(new Rate(10, 1), 1);
        assertThat(LongStream.generate(dense::nextNanos).limit(1_000).filter(nanos -> nanos == 0))
                .hasSizeBetween(1, 30);
        assertThat(dense.nextNanos()).isBetween(80L, 120L);
    }

    /** Shards and saved results count on it: whoever has the seed has the times and whose they are. */
    @Test
    void a_seed_is_the_same_schedule_in_every_version() {
        PoissonStream stream = new PoissonStream(RATE, 42);
        List<String> schedule = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            schedule.add(stream.nextNanos() + " of " + stream.owner(1_000) + " by " + stream.uniform());
        }
        assertThat(schedule)
                .containsExactly(
                        "486717 of 792 by 0.18417294230240766",
                        "1284982 of 909 by 0.3116418860651564",
                        "2862960 of 611 by 0.20664042569965257",
                        "3779589 of 754 by 0.6467812765927954");
    }
}
