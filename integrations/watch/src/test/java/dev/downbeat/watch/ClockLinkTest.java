package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.watch.JvmWatcher.ClockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
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
        List<ClockLink.Exchange> exchanges = new ArrayList<>();
        for (long at = 0; at < 600_000 * MILLI; at += 5_000 * MILLI) {
            for (int i = 0; i < 5; i++) {
                long sent = at + i * 3L * MILLI;
                long there = sent + random.nextLong(2 * MILLI);
                long done = there + random.nextLong(MILLI / 2);
                exchanges.add(new ClockLink.Exchange(
                        sent, theirs(there, offset), theirs(done, offset), done + random.nextLong(2 * MILLI)));
            }
        }
        ClockLink link = ClockLink.of(exchanges);
        assertThat(link.uncertaintyNanos()).isBetween(1L, 2 * MILLI);
        for (int i = 0; i < 1000; i++) {
            long at = random.nextLong(595_000 * MILLI);
            assertThat(Math.abs(link.ours(theirs(at, offset)) - at))
                    .isLessThanOrEqualTo(link.uncertaintyNanos() + 1000);
        }
    }

    private static long theirs(long ours, long offset) {
        return ours - offset + ours / 20_000;
    }
}
