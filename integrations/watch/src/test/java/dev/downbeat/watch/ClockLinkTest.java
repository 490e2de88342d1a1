package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.watch.JvmWatcher.ClockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClockLinkTest {
    private static final long MILLI = 1_000_000;

    /** A clock that began elsewhere and goes wrong by 50 in a million, asked over a slow and uneven way. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void their_instants_are_known_to_within_the_uncertainty(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long offset = random.nextLong(1_000_000_000_000L);
        List<ClockLink.RoundTrip> exchanges = new ArrayList<>();
        for (long at = 0; at < 600_000 * MILLI; at += 5_000 * MILLI) {
            for (int i = 0; i < 5; i++) {
                long sent = at + i * 3L * MILLI;
                long there = sent + random.nextLong(2 * MILLI);
                long done = there + random.nextLong(MILLI / 2);
                exchanges.add(new ClockLink.RoundTrip(
                        sent, theirs(there, offset), theirs(done, offset), done + random.nextLong(2 * MILLI)));
            }
        }
        ClockLink link = ClockLink.of(exchanges);
        assertThat(link.uncertaintyNanos()).isBetween(1L, 2 * MILLI);
        for (int i = 0; i < 1000; i++) {
            long at = random.nextLong(595_000 * MILLI);
            assertThat(Math.abs(link.toLocal(theirs(at, offset)) - at))
                    .isLessThanOrEqualTo(link.uncertaintyNanos() + 1000);
        }
    }

    /** Instants that cannot all be true: the offset would be at least 90 ms by one exchange and at most 12 ms by another. */
    @Test
    void of_a_clock_that_was_set_the_narrowest_exchange_counts() {
        ClockLink link = ClockLink.of(List.of(
                new ClockLink.RoundTrip(100 * MILLI, 10 * MILLI, 10 * MILLI, 130 * MILLI), // from 90 to 120 ms
                new ClockLink.RoundTrip(200 * MILLI, 190 * MILLI, 190 * MILLI, 202 * MILLI), // from 10 to 12 ms
                new ClockLink.RoundTrip(300 * MILLI, 285 * MILLI, 285 * MILLI, 303 * MILLI))); // from 15 to 18 ms
        assertThat(link.uncertaintyNanos()).isEqualTo(MILLI);
        assertThat(link.toLocal(190 * MILLI)).isEqualTo(201 * MILLI);
    }

    @Test
    void between_two_groups_of_exchanges_the_offset_is_a_straight_line() {
        long later = 100 * MILLI + ClockLink.TOGETHER_NANOS + 1;
        ClockLink link = ClockLink.of(List.of(
                new ClockLink.RoundTrip(100 * MILLI, 0, 0, 104 * MILLI), // an offset of 102 ms, give or take 2 ms
                new ClockLink.RoundTrip(later, later - 200 * MILLI, later - 200 * MILLI, later + 4 * MILLI))); // 202 ms
        assertThat(link.uncertaintyNanos()).isEqualTo(2 * MILLI);
        assertThat(link.toLocal(-50 * MILLI)).as("before the first").isEqualTo(52 * MILLI);
        long half = (later - 200 * MILLI) / 2;
        assertThat(link.toLocal(half)).isEqualTo(half + 152 * MILLI);
        assertThat(link.toLocal(later)).as("after the last").isEqualTo(later + 202 * MILLI);
    }

    @Test
    void exchanges_within_a_second_narrow_each_other() {
        long last = 100 * MILLI + ClockLink.TOGETHER_NANOS;
        ClockLink link = ClockLink.of(List.of(
                new ClockLink.RoundTrip(100 * MILLI, 0, 0, 104 * MILLI), // from 100 to 104 ms
                new ClockLink.RoundTrip(last, last - 102 * MILLI, last - 102 * MILLI, last + 4 * MILLI))); // to 106 ms
        assertThat(link.uncertaintyNanos()).isEqualTo(MILLI);
        assertThat(link.toLocal(0)).isEqualTo(103 * MILLI);
    }

    private static long theirs(long ours, long offset) {
        return ours - offset + ours / 20_000;
    }
}
