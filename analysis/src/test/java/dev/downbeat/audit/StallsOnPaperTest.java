package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.audit.Stalls.FoundStall;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found of one stall, counted by hand: files of a second whose times are whole bins of the timeline. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StallsOnPaperTest {
    /** The width of a bin. */
    private static final long BIN = 1_024;

    private static final double SECOND = 1e9 / BIN;

    /** Two standard errors below and above a count, per second. */
    private static double low(long count, long bins) {
        return (count - 2 * Math.sqrt((double) count)) * SECOND / bins;
    }

    private static double high(long count, long bins) {
        return (count + 2 * Math.sqrt((double) count)) * SECOND / bins;
    }

    /** A thousand requests, one every 1,000 bins, some of which were not sent; those due in the stall end with it. */
    private static List<FoundStall> constant(int from, int length, IntPredicate isSent) {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 1_000; i++) {
            int start = 1_000 * i;
            boolean isStuck = start >= from && start < from + length;
            if (isSent.test(i)) {
                collected.request(start * BIN, (isStuck ? from + length - start : 100 + i % 2 * 20) * BIN, -1, false);
            }
        }
        return Stalls.of(collected).stream()
                .filter(stall -> stall.part().isEmpty())
                .toList();
    }

    /** The bins from the one after the first stuck request started to the one in which all of them end. */
    @Test
    void a_stall_of_a_constant_rate_lies_between_two_answers_and_is_certain() {
        assertThat(constant(500_000, 50_000, i -> true)).singleElement().satisfies(stall -> {
            assertThat(stall.fromNanos()).isEqualTo(500_001 * BIN);
            assertThat(stall.untilNanos()).isEqualTo(550_000 * BIN);
            assertThat(stall.stuck()).as("in its first half, 500 to 524").isEqualTo(25);
            assertThat(stall.starts()).as("501 to 549").isEqualTo(49);
            assertThat(stall.isCertain()).isTrue();
            assertThat(stall.omitted()).isZero();
            assertThat(stall.isCoordinated()).isFalse();
            // half a second before it has 489 starts; after it and once its length, 600 to 998 are left
            assertThat(stall.lowRate()).isCloseTo(low(399, 399_001), within(1e-6));
            assertThat(stall.highRate()).isCloseTo(high(399, 399_001), within(1e-6));
        });
    }

    /** Of 879 a second at least, 45 are due in 51.2 ms. */
    @Test
    void requests_that_were_not_sent_in_a_stall_are_omitted() {
        assertThat(constant(500_000, 50_000, i -> i <= 500 || i >= 550))
                .singleElement()
                .satisfies(stall -> {
                    assertThat(stall.stuck()).isEqualTo(1);
                    assertThat(stall.starts()).isZero();
                    assertThat(stall.isCertain()).isTrue();
                    assertThat(stall.omitted()).isEqualTo(45);
                    assertThat(stall.isCoordinated()).isTrue();
                });
    }

    /** On one side there is less than a quarter of what is on the other, 489 starts in half a second. */
    @ParameterizedTest(name = "from {0}")
    @CsvSource({"100000", "850000"})
    void beside_a_stall_near_an_end_only_the_longer_side_gives_the_rate(int from) {
        assertThat(constant(from, 50_000, i -> true)).singleElement().satisfies(stall -> {
            assertThat(stall.lowRate()).isCloseTo(low(489, 488_282), within(1e-6));
            assertThat(stall.highRate()).isCloseTo(high(489, 488_282), within(1e-6));
        });
    }

    /** Half of the rest, at most as long as the stall, is left out: 800 to 998 start in what remains. */
    @Test
    void after_a_stall_the_service_settles_before_its_rate_counts() {
        assertThat(constant(300_000, 300_000, i -> true)).singleElement().satisfies(stall -> {
            assertThat(stall.lowRate()).isCloseTo(low(199, 199_500), within(1e-6));
            assertThat(stall.highRate()).isCloseTo(high(199, 199_500), within(1e-6));
        });
    }

    @Test
    void before_the_first_answer_nothing_is_certain() {
        assertThat(constant(0, 50_000, i -> true)).singleElement().satisfies(stall -> {
            assertThat(stall.fromNanos()).isEqualTo(BIN);
            assertThat(stall.isCertain()).isFalse();
        });
    }

    /** Once in a thousand files of random starts 13.9 mean distances pass without one: ln 1,000 + 7. */
    @ParameterizedTest(name = "{0} bins: {1}")
    @CsvSource({"13500, false", "14500, true"})
    void a_stall_is_longer_than_the_ordinary_distance_of_answers(int length, boolean isFound) {
        assertThat(constant(500_000, length, i -> true)).hasSize(isFound ? 1 : 0);
    }

    /**
     * Two of 20,000 requests at random times wait for 50,000 bins, in which nothing else is sent, and the second ends so
     * much later.
     */
    private static List<FoundStall> ofTwo(int apart) {
        ResultCollector collected = new ResultCollector();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            int start = 50 * i + random.nextInt(50);
            if (start < 499_000 || start >= 550_000) {
                collected.request(start * BIN, (100 + i % 2 * 20) * BIN, -1, false);
            }
        }
        collected.request(499_000 * BIN, 51_000 * BIN, -1, false);
        collected.request(499_050 * BIN, (50_950 + apart) * BIN, -1, false);
        return Stalls.of(collected).stream()
                .filter(stall -> stall.part().isEmpty())
                .toList();
    }

    /**
     * Two long requests, which take 5 % of the time of all, meet by chance at one of twenty moments in 4 % of such files, and
     * also end together in 0.4 %.
     */
    @ParameterizedTest(name = "{0} bins apart: {1}")
    @CsvSource({"0, true", "4900, true", "5300, false"})
    void two_stuck_requests_make_a_stall_certain_if_they_end_within_a_tenth_of_it(int apart, boolean isCertain) {
        assertThat(ofTwo(apart)).singleElement().satisfies(stall -> {
            assertThat(stall.stuck()).isEqualTo(2);
            assertThat(stall.isCertain()).isEqualTo(isCertain);
        });
    }

    /** A user who sends a hundred short requests, then a long one, and so on. */
    @ParameterizedTest(name = "labelled: {0}")
    @ValueSource(booleans = {true, false})
    void a_request_that_is_always_long_is_no_stall_if_its_kind_is_known(boolean isLabelled) {
        ResultCollector collected = new ResultCollector();
        int start = 0;
        for (int i = 0; i < 2_020; i++) {
            boolean isLong = i % 101 == 100;
            int length = isLong ? 50_000 : 100 + i % 2 * 20;
            collected.request(start * BIN, length * BIN, -1, false, isLabelled && isLong ? 1 : 0);
            start += length + 10;
        }
        assertThat(Stalls.of(collected)).hasSize(isLabelled ? 0 : 20);
    }

    /**
     * Eight users, each of whom sends a request every 1,000 bins, 125 after the one before. The first four wait for 50,000
     * from 500,000 on.
     */
    private static ResultCollector halfStuck(boolean isNamed) {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 1_000; i++) {
            for (int user = 0; user < 8; user++) {
                long length = user < 4 && i == 500 ? 50_000 : 100 + i % 2 * 20;
                if (user >= 4 || i <= 500 || i >= 551) {
                    collected.request((1_000 * i + 125 * user) * BIN, length * BIN, isNamed ? user : -1, false);
                }
            }
        }
        return collected;
    }

    /** After the stall and once its length, 3,193 start in 399,125 bins: of 4 users in 8, 188 did not. */
    @Test
    void a_stall_of_half_of_the_users_has_their_waits_and_what_they_did_not_send() {
        assertThat(Stalls.of(halfStuck(true))).singleElement().satisfies(stall -> {
            assertThat(stall.fromNanos()).isEqualTo(500_000 * BIN);
            assertThat(stall.untilNanos()).isEqualTo(550_375 * BIN);
            assertThat(stall.stuck()).isEqualTo(4);
            assertThat(stall.starts()).as("50 of each of the others").isEqualTo(204);
            assertThat(stall.lowRate()).isCloseTo(low(3_193, 399_125), within(1e-6));
            assertThat(stall.highRate()).isCloseTo(high(3_193, 399_125), within(1e-6));
            assertThat(stall.isCertain()).isTrue();
            assertThat(stall.isCoordinated()).isTrue();
            FoundStall.AffectedUsers part = stall.part().orElseThrow();
            assertThat(part.users()).isEqualTo(4);
            assertThat(part.ofUsers()).isEqualTo(8);
            assertThat(part.waitNanos()).hasSize(4).containsOnly(50_000 * BIN);
            assertThat(part.missing())
                    .isCloseTo(low(3_193, 399_125) * 4 * 50_000 / 8 / SECOND - 4, within(1e-6))
                    .isBetween(188.0, 189.0);
        });
    }

    /** The rate of 50,375 bins, less the 204 that started and two standard errors. */
    @Test
    void without_names_the_starts_of_the_others_are_subtracted() {
        assertThat(Stalls.of(halfStuck(false))).singleElement().satisfies(stall -> {
            FoundStall.AffectedUsers part = stall.part().orElseThrow();
            assertThat(part.users()).isZero();
            assertThat(part.ofUsers()).isZero();
            assertThat(part.isWaiting()).isTrue();
            assertThat(part.missing())
                    .isCloseTo(low(3_193, 399_125) * 50_375 / SECOND - 204 - 2 * Math.sqrt(204), within(1e-6));
            assertThat(stall.isCertain()).isTrue();
        });
    }

    /** A plan of a constant rate goes on sending, also what waits for the part that is stuck. */
    @Test
    void of_a_plan_that_went_on_nothing_is_missing_in_a_stall_of_a_part() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 8_000; i++) {
            int start = 125 * i;
            boolean isStuck = i % 2 == 0 && start >= 500_000 && start < 550_000;
            collected.request(start * BIN, (isStuck ? 550_000 - start : 100 + i % 3 * 20) * BIN, -1, false);
        }
        assertThat(Stalls.of(collected)).singleElement().satisfies(stall -> {
            assertThat(stall.part().orElseThrow().missing()).isZero();
            assertThat(stall.isCertain()).isFalse();
            assertThat(stall.isCoordinated()).isFalse();
        });
        assertThat(Audit.of("file", collected, 0.1).get(0).verdict()).isEqualTo(AuditResult.AuditVerdict.SOUND);
    }
}
