package dev.downbeat.stats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.stats.Table;
import dev.downbeat.stats.change.ShareChange.BlockCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        ShareChange.Side one = after(blocks(19, 0, 100), new BlockCounts(1, 100));
        ShareChange change = ShareChange.of(blocks(20, 0, 100), one, false, 1);
        assertThat(change.isMore()).isFalse();
        assertThat(change.isLess()).isFalse();
    }

    @ParameterizedTest(name = "{0} of {1} against {2} of {3}, as one of {4} questions")
    @CsvSource({
        "0, 1, 1, 1, 1",
        "0, 2, 2, 2, 1",
        "0, 3, 3, 3, 1",
        "0, 30, 1, 1, 1",
        "0, 50, 6, 50, 1",
        "0, 3, 3, 3, 50",
        "0, 300, 1, 1, 5"
    })
    void nothing_is_concluded_from_a_few_requests(long wasPart, long was, long isPart, long is, double rarer) {
        ShareChange change = ShareChange.of(alone(wasPart, was), alone(isPart, is), false, rarer);
        assertThat(change.isMore()).isFalse();
        assertThat(ShareChange.of(alone(isPart, is), alone(wasPart, was), false, rarer)
                        .isLess())
                .isFalse();
        assertThat(change.base()).isEqualTo((double) wasPart / was);
        assertThat(change.other()).isEqualTo((double) isPart / is);
        assertThat(change.other() - change.base()).isBetween(change.low(), change.high());
    }

    @ParameterizedTest(name = "0 of {0} against {0} of {0}, as one of {1} questions")
    @CsvSource({"5, 1", "8, 50", "100, 1500"})
    void it_is_more_if_all_of_several_requests_fail_where_none_did(long whole, double rarer) {
        assertThat(ShareChange.of(alone(0, whole), alone(whole, whole), false, rarer)
                        .isMore())
                .isTrue();
    }

    @Test
    void rare_requests_of_equal_systems_rarely_differ() {
        int apart = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double share = random.nextDouble();
            int was = 1 + random.nextInt(20);
            int is = 1 + random.nextInt(20);
            ShareChange change = ShareChange.of(
                    alone(failed(random, share, was), was), alone(failed(random, share, is), is), false, 1);
            apart += change.isMore() || change.isLess() ? 1 : 0;
        }
        assertThat(apart).isLessThanOrEqualTo(100);
    }

    private static ShareChange.Side alone(long part, long whole) {
        return new ShareChange.Side(List.of(new BlockCounts(part, whole)), true);
    }

    private static int failed(SplittableRandom random, double share, int whole) {
        int failed = 0;
        for (int i = 0; i < whole; i++) {
            failed += random.nextDouble() < share ? 1 : 0;
        }
        return failed;
    }

    @Test
    void failures_that_came_at_once_count_as_one_event() {
        ShareChange.Side outage = after(blocks(19, 0, 100), new BlockCounts(60, 100));
        assertThat(ShareChange.of(blocks(20, 0, 100), outage, false, 1).isMore())
                .isFalse();
        assertThat(ShareChange.of(blocks(20, 0, 100), blocks(20, 3, 100), false, 1)
                        .isMore())
                .isTrue();
    }

    @Test
    void systems_with_equal_failures_rarely_differ() {
        int[] apart = new int[2];
        for (int seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ShareChange.Side one = random(random);
            ShareChange.Side other = random(random);
            for (int turns = 0; turns < 2; turns++) {
                ShareChange change = ShareChange.of(one, other, turns == 1, 1);
                apart[turns] += change.isMore() || change.isLess() ? 1 : 0;
            }
        }
        assertThat(apart[0]).isLessThanOrEqualTo(20);
        assertThat(apart[1]).isLessThanOrEqualTo(20);
    }

    @ParameterizedTest(name = "of {0} s each {1} s, runs of {2} s")
    @CsvSource({"5, 30, 60", "5, 30, 120", "5, 20, 20", "20, 80, 60", "20, 40, 60", "20, 80, 120", "20, 80, 300"})
    void services_with_error_spells_rarely_differ(double spell, double each, int seconds) {
        int apart = 0;
        int pairs = 1_000;
        for (int seed = 0; seed < pairs; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 7_919L + seconds);
            ShareChange change = ShareChange.of(
                    spells(random, spell, each, seconds), spells(random, spell, each, seconds), false, 1);
            apart += change.isMore() ? 1 : 0;
        }
        Table.line(
                "failures-in-spells",
                String.format(
                        Locale.ROOT,
                        "| %.0f s each %.0f s, runs of %d s | %.1f |",
                        spell,
                        each,
                        seconds,
                        Table.percent(apart, pairs)));
        assertThat(apart).isLessThanOrEqualTo(20);
    }

    @ParameterizedTest(name = "{0} in runs of {1} s")
    @CsvSource({"0.02, 20", "0.02, 60", "0.1, 20"})
    void failures_at_any_time_are_found_for_all_that(double share, int seconds) {
        int found = 0;
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            found += ShareChange.of(steady(random, 0.002, seconds), steady(random, share, seconds), false, 1)
                            .isMore()
                    ? 1
                    : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(196);
    }

    /** A hundred requests a second, of which three in ten fail in spells; how long these and the times between last is random. */
    private static ShareChange.Side spells(SplittableRandom random, double spell, double each, int seconds) {
        boolean failing = random.nextDouble() < spell / each;
        double next = random.nextExponential() * (failing ? spell : each - spell);
        List<BlockCounts> tallies = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            int failed = 0;
            for (int i = 0; i < 100; i++) {
                while (second + i / 100.0 >= next) {
                    failing = !failing;
                    next += random.nextExponential() * (failing ? spell : each - spell);
                }
                failed += failing && random.nextDouble() < 0.3 ? 1 : 0;
            }
            tallies.add(new BlockCounts(failed, 100));
        }
        return new ShareChange.Side(tallies, true);
    }

    private static ShareChange.Side steady(SplittableRandom random, double share, int seconds) {
        return spells(random, share / 0.3 * 1e-3, 1e-3, seconds);
    }

    private static ShareChange.Side random(SplittableRandom random) {
        List<BlockCounts> tallies = new ArrayList<>();
        for (int block = 0; block < 15; block++) {
            double share = 0.02 * (1 + random.nextExponential());
            int failed = 0;
            for (int i = 0; i < 100; i++) {
                failed += random.nextDouble() < share ? 1 : 0;
            }
            tallies.add(new BlockCounts(failed, 100));
        }
        return new ShareChange.Side(tallies, true);
    }

    private static ShareChange.Side blocks(int count, long part, long whole) {
        List<BlockCounts> tallies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tallies.add(new BlockCounts(part, whole));
        }
        return new ShareChange.Side(tallies, true);
    }

    private static ShareChange.Side after(ShareChange.Side side, BlockCounts last) {
        List<BlockCounts> all = new ArrayList<>(side.blocks());
        all.add(last);
        return new ShareChange.Side(all, true);
    }
}
