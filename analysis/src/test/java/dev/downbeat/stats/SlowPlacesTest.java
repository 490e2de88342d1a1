package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PeriodFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Series of few values, whose ranks can be counted: just enough to be a period, and just too little. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlowPlacesTest {
    private static final long UNKNOWN = -1;
    private static final long FAST = 1_000;
    private static final long RATHER_SLOW = 1_100;
    private static final long SOME = 1_200;
    private static final long SLOW = 5_000;

    private static long[] series(int count, IntToLongFunction nanos) {
        long[] series = new long[count];
        for (int i = 0; i < count; i++) {
            series[i] = nanos.applyAsLong(i);
        }
        return series;
    }

    private static List<long[]> alike(int runs, int count, IntToLongFunction nanos) {
        List<long[]> series = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            series.add(series(count, nanos));
        }
        return series;
    }

    /** Such as {@code 20[18] x6}: every twentieth, the 18th, seen six times. */
    private static List<String> found(List<long[]> series) {
        return PeriodFinder.find(series).stream()
                .map(period -> period.length() + period.places().toString() + " x" + period.repeats())
                .toList();
    }

    /**
     * Every {@code length}th is rather slow, every {@code times} times that one very slow. Of the others so many in a hundred
     * are slower than what is rather slow, so that its rank is known.
     */
    private static long[] series(int length, int times, int place, int count, int slower, IntPredicate isKnown) {
        SplittableRandom random = new SplittableRandom(1);
        return series(count, i -> {
            long other = random.nextInt(100) < slower ? SOME : FAST;
            if (i % (length * times) == place) {
                return SLOW;
            }
            return i % length != place % length ? other : isKnown.test(i) ? RATHER_SLOW : UNKNOWN;
        });
    }

    /** A rank of about 0.79 is four fifths of one of about 0.98. */
    @ParameterizedTest
    @CsvSource({
        "10, 3, 13, 720, 14, 10[4] x72",
        "10, 3, 13, 720, 15, 30[14] x24",
        "20, 2, 37, 480, 16, 20[18] x24",
        "20, 2, 37, 480, 17, 40[38] x12",
        "20, 2, 37, 480, 30, 40[38] x12",
        "20, 2, 0, 500, 16, 20[1] x25",
        "20, 2, 0, 500, 17, 40[1] x13"
    })
    void a_multiple_is_folded_if_the_rest_is_four_fifths_as_slow(
            int length, int times, int place, int count, int slower, String first) {
        long[] series = series(length, times, place, count, slower, i -> true);
        assertThat(found(List.of(series))).startsWith(first);
    }

    @Test
    void the_rest_after_a_shorter_period_is_a_separate_period() {
        assertThat(found(List.of(series(10, 3, 13, 720, 20, i -> true)))).containsExactly("30[14] x24", "10[4] x48");
        assertThat(found(List.of(series(10, 3, 13, 720, 27, i -> true)))).containsExactly("30[14] x24");
    }

    /** The first would, if it counted, make the rest as slow or keep it from being so. */
    @ParameterizedTest
    @CsvSource({
        "16, 9000, 20[1] x25",
        "16, 1, 20[1] x24",
        "14, 1, 20[1] x24",
        "17, 9000, 40[21] x12",
        "20, 9000, 40[21] x12",
        "17, 1, 40[21] x12"
    })
    void the_first_request_does_not_affect_the_others(int slower, long first, String period) {
        long[] series = series(20, 2, 20, 500, slower, i -> true);
        series[0] = first;
        assertThat(found(List.of(series))).containsExactly(period);
    }

    /** By chance one in 20 has such a rank or a higher one: of one 0.95, of two 0.84, of three 0.78 and more. */
    @ParameterizedTest
    @CsvSource({
        "1, 2, 40[18] x11",
        "1, 3, 80[18] x10",
        "1, 20, 80[18] x10",
        "2, 13, 40[18] x12",
        "2, 14, 80[18] x10",
        "3, 20, 40[18] x13",
        "3, 21, 80[18] x10"
    })
    void a_rest_of_few_must_be_slow_beyond_chance(int known, int slower, String period) {
        long[] series = series(40, 2, 17, 800, slower, i -> i < 80 * known);
        assertThat(found(List.of(series))).containsExactly(period);
    }

    @ParameterizedTest
    @CsvSource({"25, 0", "27, 1"})
    void a_significant_but_rarely_slow_place_does_not_matter(int inHundred, int periods) {
        SplittableRandom random = new SplittableRandom(1);
        long[] series = series(3_000, i -> i % 10 == 6 && random.nextInt(100) < inHundred ? SLOW : FAST);
        assertThat(PeriodFinder.find(List.of(series))).hasSize(periods);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 0", "6, 1", "10, 1"})
    void a_standstill_of_ten_runs_is_no_period_unless_the_place_is_slow_without_it(int slowRuns, int periods) {
        List<long[]> series = new ArrayList<>();
        for (int run = 0; run < 10; run++) {
            boolean isSlow = run < slowRuns;
            series.add(series(60, i -> i == 27 || (i % 20 == 7 && isSlow) ? SLOW : FAST));
        }
        assertThat(PeriodFinder.find(series)).hasSize(periods);
    }

    /** Most runs end before it. */
    @ParameterizedTest
    @CsvSource({"2, 0", "8, 1"})
    void a_standstill_is_where_most_is_in_excess_not_where_most_requests_were(int slowRuns, int periods) {
        List<long[]> series = new ArrayList<>();
        for (int run = 0; run < 60; run++) {
            int at = run;
            series.add(series(run % 3 == 0 ? 80 : 20, i -> {
                boolean isSlow = i == 7 ? at < slowRuns : i == 27 || (i % 20 == 7 && at % 2 == 0);
                return isSlow ? SLOW : FAST;
            }));
        }
        assertThat(PeriodFinder.find(series)).hasSize(periods);
    }

    @ParameterizedTest
    @CsvSource({"25, 0", "26, 3", "35, 3", "36, 4"})
    void a_place_must_be_slow_three_times(int count, int repeats) {
        List<long[]> series = alike(6, count, i -> i % 10 == 5 ? SLOW : FAST);
        assertThat(found(series)).isEqualTo(repeats == 0 ? List.of() : List.of("10[6] x" + repeats));
    }

    @Test
    void unknown_requests_do_not_count_as_slow() {
        IntToLongFunction nanos = i -> i == 25 ? UNKNOWN : i % 10 == 5 ? SLOW : FAST;
        assertThat(found(alike(6, 35, nanos))).isEmpty();
        assertThat(found(alike(6, 36, nanos))).containsExactly("10[6] x3");
    }

    @Test
    void the_first_request_is_one_of_three_but_makes_nothing_surer() {
        assertThat(found(alike(6, 25, i -> i % 10 == 0 ? SLOW : FAST))).containsExactly("10[1] x3");
        assertThat(found(alike(6, 25, i -> i % 10 == 0 && i > 0 ? SLOW : FAST))).isEmpty();
        assertThat(found(alike(6, 31, i -> i % 10 == 0 && i > 0 ? SLOW : FAST))).containsExactly("10[1] x3");
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 200, 201})
    void the_longest_period_is_200(int length) {
        long[] series = series(5 * length, i -> i % length == 77 ? SLOW : FAST);
        assertThat(found(List.of(series))).isEqualTo(length > 200 ? List.of() : List.of(length + "[78] x5"));
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 13, 14})
    void the_first_twelve_places_are_listed(int count) {
        List<Integer> slow =
                List.of(4, 8, 13, 21, 32, 36, 45, 53, 62, 67, 76, 84, 89, 98).subList(0, count);
        long[] series = series(1_000, i -> slow.contains(i % 100 + 1) ? SLOW : FAST);
        assertThat(PeriodFinder.find(List.of(series)))
                .singleElement()
                .satisfies(period -> assertThat(period.places()).isEqualTo(slow.subList(0, Math.min(12, count))));
    }

    /** Where both meet the surer one has it, but for the first request. */
    @Test
    void two_periods_have_their_places_and_repeats_each() {
        assertThat(found(List.of(series(900, i -> i % 9 == 4 || i % 50 == 30 ? SLOW : FAST))))
                .containsExactly("9[5] x100", "50[31] x16");
        assertThat(found(List.of(series(900, i -> i % 9 == 0 || i % 50 == 0 ? SLOW : FAST))))
                .containsExactly("9[1] x100", "50[1] x17");
    }

    @Test
    void two_slow_places_of_one_period_are_reported_together() {
        List<Period> periods = PeriodFinder.find(List.of(series(800, i -> i % 40 == 3 || i % 40 == 30 ? SLOW : FAST)));
        assertThat(periods).singleElement().satisfies(period -> {
            assertThat(period.places()).containsExactly(4, 31);
            assertThat(period.repeats()).isEqualTo(40);
            assertThat(period.slowNanos()).isEqualTo(SLOW);
            assertThat(period.otherwiseNanos()).isEqualTo(FAST);
        });
    }

    @Test
    void zero_durations_count_for_the_median_and_unknown_ones_do_not() {
        SplittableRandom random = new SplittableRandom(1);
        long[] series = series(400, i -> i % 20 == 9 ? SLOW : random.nextInt(100) < 40 ? 3 : 0);
        assertThat(PeriodFinder.find(List.of(series)).get(0).otherwiseNanos()).isZero();
        for (int i = 0; i < series.length; i++) {
            series[i] = series[i] == 0 && i % 2 == 0 ? UNKNOWN : series[i];
        }
        assertThat(PeriodFinder.find(List.of(series)).get(0).otherwiseNanos()).isEqualTo(3);
    }
}
