package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    private static void assertSought(long seed, List<Long> times, long offsetNanos) {
        PoissonStream stream = new PoissonStream(RATE, seed);
        stream.nextNanos();
        stream.seek(offsetNanos);
        times.stream()
                .filter(nanos -> nanos >= offsetNanos)
                .limit(20)
                .forEach(nanos -> assertThat(stream.nextNanos())
                        .as("after offset %s", offsetNanos)
                        .isEqualTo(nanos));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.arrival.RampTest#seeds")
    void seeking_leads_to_the_first_arrival_at_or_after_the_offset(long seed) {
        List<Long> times = times(seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            long at = times.get(random.nextInt(COUNT - 20));
            assertSought(seed, times, at);
            assertSought(seed, times, at + 1);
            assertSought(seed, times, Math.max(0, at - random.nextLong(5_000_000)));
        }
        assertSought(seed, times, 0);
    }

    /** The first arrival after such an offset is one of the next block, and the way back leads over the border. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.arrival.RampTest#seeds")
    void seeking_behind_the_last_arrival_of_a_block_leads_into_the_next(long seed) {
        List<Long> times = times(seed);
        long blockNanos = PoissonStream.blockNanos(RATE);
        for (int block = 1; block < 3; block++) {
            long border = block * blockNanos;
            long last = times.stream()
                    .filter(nanos -> nanos < border)
                    .mapToLong(Long::longValue)
                    .max()
                    .orElseThrow();
            assertSought(seed, times, last + 1);
            assertSought(seed, times, border - 1);
            assertSought(seed, times, border);
            assertSought(seed, times, border + 1);
        }
    }

    @Test
    void a_block_holds_1024_arrivals_on_average_and_is_no_longer_than_a_double_is_exact() {
        assertThat(PoissonStream.blockNanos(RATE)).isEqualTo(1_024_000_000L);
        assertThat(PoissonStream.blockNanos(new Rate(Long.MAX_VALUE, 1))).isEqualTo(1);
        assertThat(PoissonStream.blockNanos(new Rate(1, Long.MAX_VALUE))).isEqualTo(1L << 52);
    }

    @Test
    void a_rate_of_0_has_no_arrivals_wherever_one_seeks() {
        PoissonStream never = new PoissonStream(Rate.perSecond(0), 1);
        never.seek(1_000);
        assertThat(never.nextNanos()).isEqualTo(IntendedTimes.END);
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
            schedule.add(stream.nextNanos() + " of " + stream.owner(1_000) + " by " + stream.lot());
        }
        assertThat(schedule)
                .containsExactly(
                        "486717 of 792 by 0.18417294230240766",
                        "1284982 of 909 by 0.3116418860651564",
                        "2862960 of 611 by 0.20664042569965257",
                        "3779589 of 754 by 0.6467812765927954");
    }
}
