package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.stats.ShareChange.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShareChangeTest {
    @Test
    void a_tenth_of_failures_is_more_than_none() {
        ShareChange change = ShareChange.of(blocks(20, 0, 100), blocks(20, 10, 100), false, 1);
        assertThat(change.isMore()).isTrue();
        assertThat(change.other() - change.base()).isCloseTo(0.1, within(1e-9));
        assertThat(ShareChange.of(blocks(20, 10, 100), blocks(20, 0, 100), true, 1)
                        .isLess())
                .isTrue();
    }

    @Test
    void nothing_is_concluded_from_one_failure() {
        List<Tally> one = new ArrayList<>(blocks(19, 0, 100));
        one.add(new Tally(1, 100));
        ShareChange change = ShareChange.of(blocks(20, 0, 100), one, false, 1);
        assertThat(change.isMore()).isFalse();
        assertThat(change.isLess()).isFalse();
    }

    @Test
    void failures_that_came_at_once_count_as_one_event() {
        List<Tally> outage = new ArrayList<>(blocks(19, 0, 100));
        outage.add(new Tally(60, 100));
        assertThat(ShareChange.of(blocks(20, 0, 100), outage, false, 1).isMore())
                .isFalse();
        assertThat(ShareChange.of(blocks(20, 0, 100), blocks(20, 3, 100), false, 1)
                        .isMore())
                .isTrue();
    }

    @Test
    void systems_that_fail_alike_are_seldom_told_apart() {
        int[] apart = new int[2];
        for (int seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Tally> one = random(random);
            List<Tally> other = random(random);
            for (int turns = 0; turns < 2; turns++) {
                ShareChange change = ShareChange.of(one, other, turns == 1, 1);
                apart[turns] += change.isMore() || change.isLess() ? 1 : 0;
            }
        }
        assertThat(apart[0]).isLessThanOrEqualTo(20);
        assertThat(apart[1]).isLessThanOrEqualTo(20);
    }

    private static List<Tally> random(SplittableRandom random) {
        List<Tally> tallies = new ArrayList<>();
        for (int block = 0; block < 15; block++) {
            double share = 0.02 * (1 + random.nextExponential());
            int failed = 0;
            for (int i = 0; i < 100; i++) {
                failed += random.nextDouble() < share ? 1 : 0;
            }
            tallies.add(new Tally(failed, 100));
        }
        return tallies;
    }

    private static List<Tally> blocks(int count, long part, long whole) {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tallies.add(new Tally(part, whole));
        }
        return tallies;
    }
}
