package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.audit.RecoveredPlan.Certainty;
import dev.downbeat.audit.RecoveredPlan.Kind;
import dev.downbeat.audit.ResultCollector.LongestRequests;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules without chance, and stalls of two users, recovered from their requests. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecoveredPlanTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000_000_000;

    private static AuditResult audited(ResultCollector collected) {
        return Audit.of("file", collected, 0.1).get(0);
    }

    private static RecoveredPlan plan(ResultCollector collected) {
        return audited(collected).plan().orElseThrow();
    }

    /** Users who each send 400 requests, the next one some time after the start of the last one. */
    private static ResultCollector users(int count, boolean areNamed, IntToLongFunction took, IntToLongFunction cycle) {
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < count; user++) {
            long at = 3 * user * MS;
            for (int i = 0; i < 400; i++) {
                collected.request(at, took.applyAsLong(i), areNamed ? user : -1, false);
                at += cycle.applyAsLong(i);
            }
        }
        return collected;
    }

    @Test
    void users_who_go_on_at_once_are_a_closed_loop() {
        RecoveredPlan plan = plan(users(4, true, i -> 10 * MS, i -> 10 * MS));
        assertThat(plan.kind()).isEqualTo(Kind.CLOSED);
        assertThat(plan.certainty()).isEqualTo(Certainty.CERTAIN);
        assertThat(plan.text()).isEqualTo("4 users, each waits for its response and goes on at once");
        assertThat(plan.perSecond()).isCloseTo(400, within(4.0));
        assertThat(plan.users()).contains(4L);
    }

    @Test
    void users_who_pause_after_their_response_think() {
        IntToLongFunction took = i -> (10 + 4 * (i % 5)) * MS;
        RecoveredPlan plan = plan(users(4, true, took, i -> took.applyAsLong(i) + 50 * MS));
        assertThat(plan.kind()).isEqualTo(Kind.THINKING);
        assertThat(plan.text()).isEqualTo("4 users, each waits for its response and then 50.0 ms (median)");
        assertThat(plan.perSecond()).isCloseTo(4 / 0.068, within(1.0));
    }

    /** A tool that keeps a rate with a pool of threads: each start goes to one of those that are free. */
    @Test
    void threads_that_keep_a_rate_together_have_a_plan() {
        SplittableRandom random = new SplittableRandom(5);
        ResultCollector collected = new ResultCollector();
        long[] free = new long[12];
        for (int i = 0; i < 3_000; i++) {
            long at = i * 20 * MS;
            int thread = random.nextInt(free.length);
            while (free[thread] > at) {
                thread = (thread + 1) % free.length;
            }
            long took = Math.round(30 * MS * (0.5 + random.nextDouble()));
            collected.request(at, took, thread, false);
            free[thread] = at + took;
        }
        AuditResult audited = audited(collected);
        assertThat(audited.plan().orElseThrow().kind()).isEqualTo(Kind.CONSTANT);
        assertThat(audited.plan().orElseThrow().text()).isEqualTo("50.0/s");
        assertThat(audited.findings()).extracting(AuditFinding::kind).doesNotContain(AuditFinding.Kind.CLOSED_LOOP);
    }

    @Test
    void users_who_think_for_different_times_have_none_even_if_they_are_many() {
        SplittableRandom random = new SplittableRandom(5);
        RecoveredPlan plan = plan(users(
                20, true, i -> 10 * MS, i -> 10 * MS + Math.round(-400 * MS * Math.log(1 - random.nextDouble()))));
        assertThat(plan.kind()).isEqualTo(Kind.THINKING);
    }

    @Test
    void users_who_start_at_equal_intervals_are_paced() {
        RecoveredPlan plan = plan(users(3, true, i -> (10 + 8 * (i % 5)) * MS, i -> 100 * MS));
        assertThat(plan.kind()).isEqualTo(Kind.PACED);
        assertThat(plan.text()).isEqualTo("3 users, each every 100 ms");
        assertThat(plan.users()).contains(3L);
    }

    @Test
    void a_level_in_flight_that_never_changes_is_a_closed_loop_of_users_who_are_not_named() {
        RecoveredPlan plan = plan(users(3, false, i -> 10 * MS, i -> 10 * MS));
        assertThat(plan.kind()).isEqualTo(Kind.CLOSED);
        assertThat(plan.certainty()).isEqualTo(Certainty.LIKELY);
        assertThat(plan.text()).isEqualTo("3 in flight at all times");
        assertThat(plan.users()).contains(3L);
    }

    @ParameterizedTest(name = "every {0} ms")
    @CsvSource({"10, 100/s", "20, 50.0/s", "1, '1,000/s'"})
    void starts_at_equal_distances_are_a_constant_rate(int millis, String text) {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 3_000; i++) {
            collected.request((long) i * millis * MS, MS / 2 + i * 7 % 11 * 1_000, -1, false);
        }
        RecoveredPlan plan = plan(collected);
        assertThat(plan.kind()).isEqualTo(Kind.CONSTANT);
        assertThat(plan.text()).isEqualTo(text);
        assertThat(plan.users()).isEmpty();
        assertThat(plan.perSecond()).isCloseTo(1_000.0 / millis, within(1.0));
    }

    /** From 50/s to 150/s within 20 s. */
    @Test
    void starts_that_become_more_are_a_ramp() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 2_000; i++) {
            double seconds = (Math.sqrt(2_500 + 10.0 * i) - 50) / 5;
            collected.request(Math.round(seconds * S), MS, -1, false);
        }
        RecoveredPlan plan = plan(collected);
        assertThat(plan.kind()).isEqualTo(Kind.RAMP);
        assertThat(plan.text()).matches("from [45][0-9]/s to 1[45][0-9]/s");
        assertThat(plan.perSecond()).isCloseTo(100, within(1.0));
    }

    @Test
    void ten_requests_are_needed() {
        for (int count : new int[] {9, 10}) {
            ResultCollector collected = new ResultCollector();
            for (int i = 0; i < count; i++) {
                collected.request(i * 10 * MS, MS, 0, false);
            }
            RecoveredPlan plan = plan(collected);
            assertThat(plan.text().equals("too few requests")).isEqualTo(count == 9);
            assertThat(plan.users().isEmpty()).isEqualTo(count == 9);
        }
    }

    /** A loop of eight users; two are stuck from 10 s on until 11.2 s. */
    private static ResultCollector twoOfEight(long seconds, boolean areNamed) {
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 8; user++) {
            for (long at = 2 * user; at < seconds * 1_000; ) {
                long millis = user < 2 && at < 10_000 + 20 && at >= 10_000 ? 11_200 - at : 20;
                collected.request(at * MS, millis * MS, areNamed ? user : -1, false);
                at += millis;
            }
        }
        return collected;
    }

    /**
     * That two of 0.6 s and more end within 60 ms happens by chance with probability {@code 2 (1 - exp(-0.12 s / T))}: 0.1
     * % in 240 s, 0.075 % in 320 s. A twelfth of 1 % is the limit, as twelve lengths are tried.
     */
    @ParameterizedTest(name = "in {0} s: {1}")
    @CsvSource({"240, false", "320, true"})
    void two_users_who_wait_together_are_a_certain_stall_where_two_long_requests_rarely_meet(
            long seconds, boolean isCertain) {
        AuditResult audited = audited(twoOfEight(seconds, true));
        assertThat(audited.stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.fromNanos()).isEqualTo(10_000 * MS);
            assertThat(stall.untilNanos()).isEqualTo(11_200 * MS);
            assertThat(stall.stuck()).isEqualTo(2);
            assertThat(stall.isCertain()).isEqualTo(isCertain);
            Stalls.FoundStall.AffectedUsers part = stall.part().orElseThrow();
            assertThat(part.users()).isEqualTo(2);
            assertThat(part.ofUsers()).isEqualTo(8);
            assertThat(part.isWaiting()).isTrue();
            // each would have sent one every 20 ms
            assertThat(part.missing()).isBetween(90.0, 118.0);
        });
        assertThat(audited.findings()).anySatisfy(finding -> {
            assertThat(finding.code()).isEqualTo(isCertain ? "part_stalled" : "slow_or_stalled");
            assertThat(finding.place()).isEqualTo("from 10.00 s to 11.20 s");
            assertThat(finding.text()).startsWith("2 of 8 users waited up to 1.20 s and were answered together");
        });
    }

    /** The hole itself, and not the windows beside it. */
    @Test
    void a_time_without_any_start_is_named_from_its_begin_to_its_end() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 4_000; i++) {
            collected.request(10L * i * MS + (i < 2_000 ? 0 : 10 * S), 5 * MS, -1, false);
        }
        CallerBounds.FewStarts named =
                CallerBounds.of(collected, List.of(), List.of()).fewStarts().orElseThrow();
        long width = collected.windows().widthNanos();
        assertThat(named.fromNanos()).isBetween(20 * S - 10 * MS, 20 * S + width);
        assertThat(named.untilNanos()).isBetween(30 * S - width, 30 * S);
        assertThat(CallerBounds.of(collected, List.of(), List.of()).areAsRecorded())
                .isFalse();
    }

    /** 96 requests of 1 ms, and four that one of 1 s may have kept from being sent. */
    @Test
    void requests_that_a_waiting_user_did_not_send_are_spread_over_its_wait() {
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 96; i++) {
            collected.request(i * 10 * MS, MS, -1, false);
        }
        IsolatedSlowRequest wait = new IsolatedSlowRequest(new LongestRequests.Kept(0, S, -1, -1), 4);
        CallerBounds bounds = CallerBounds.of(collected, List.of(), List.of(wait));
        assertThat(bounds.areAsRecorded()).isFalse();
        assertThat(bounds.low().atMost(100) / 1e6).isCloseTo(1, within(0.01));
        assertThat(bounds.high().atMost(96) / 1e6).isCloseTo(1, within(0.01));
        double[] millis = {125, 375, 625, 875};
        for (int i = 0; i < millis.length; i++) {
            assertThat(bounds.high().atMost(97 + i) / 1e6).isCloseTo(millis[i], within(millis[i] / 100));
        }
    }

    /** All eight users are stuck for 2 s of 20 s, in which 800 requests would have started. */
    @Test
    void requests_omitted_in_a_stall_are_added_to_the_lower_bound() {
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 8; user++) {
            for (long at = 2 * user; at < 20_000; ) {
                long millis = at < 10_000 && at + 20 >= 10_000 ? 12_000 - at : 20;
                collected.request(at * MS, millis * MS, user, false);
                at += millis;
            }
        }
        AuditResult audited = audited(collected);
        assertThat(audited.stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.part()).isEqualTo(Optional.empty());
            assertThat(stall.isCertain()).isTrue();
            assertThat(stall.lengthNanos()).isBetween(1_980 * MS, 2_010 * MS);
            assertThat(stall.stuck()).isEqualTo(8);
            assertThat(stall.starts()).isZero();
            // 800 less the scatter of a count
            assertThat(stall.omitted()).isBetween(700L, 800L);
        });
        // a tenth of all callers come in the stall and wait for up to 2 s, evenly
        assertThat(audited.rows().get(3).atLeastNanos()).isBetween(1_700 * MS, 1_850 * MS);
        assertThat(audited.rows().get(0).atLeastNanos()).isBetween(19 * MS, 21 * MS);
        assertThat(audited.verdict()).isEqualTo(AuditResult.AuditVerdict.HIDES);
    }

    // ---- the end of a load

    /** 800 a second for 10 s, 7 to 13 ms each; some requests from this one on take two seconds. */
    private static ResultCollector slowAtTheEnd(int first, int every, int gapNanos, long resolutionNanos, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ResultCollector collected = new ResultCollector();
        collected.resolutionNanos(resolutionNanos);
        double at = 0;
        for (int i = 0; i < 8_000; i++) {
            boolean isSlow = i >= first && random.nextInt(every) == 0;
            long took = isSlow ? 2 * S + random.nextInt(300) * MS : (long) ((7 + 6 * random.nextDouble()) * MS);
            long start = (long) (gapNanos > 0 ? (double) gapNanos * i : at) / resolutionNanos * resolutionNanos;
            collected.request(start, took / resolutionNanos * resolutionNanos, -1, false);
            at -= 1_250_000 * Math.log(1 - random.nextDouble());
        }
        return collected;
    }

    /** The rest in flight ends after the load, in which nothing was omitted; rounded starts may leave that open. */
    @ParameterizedTest(name = "every {0} ns, in steps of {1} ns, from {2}, 1 of {3}")
    @CsvSource({
        "1250000, 1, 7990, 10, true",
        "1250000, 1, 0, 1000, true",
        "0, 1, 7990, 10, true",
        "0, 1, 0, 1000, false",
        "1250000, 1000000, 7990, 10, false",
        "1250000, 1000000, 0, 1000, false"
    })
    void slow_requests_that_end_after_the_load_hide_nothing(
            int gapNanos, long resolutionNanos, int from, int every, boolean isShown) {
        for (int seed = 1; seed <= 8; seed++) {
            AuditResult audited = audited(slowAtTheEnd(from, every, gapNanos, resolutionNanos, seed));
            assertThat(audited.verdict())
                    .as("seed %d: %s %s", seed, audited.stalls(), audited.plan())
                    .isIn(
                            AuditResult.AuditVerdict.SOUND,
                            isShown ? AuditResult.AuditVerdict.SOUND : AuditResult.AuditVerdict.CANNOT_TELL);
        }
    }

    /** Whether the load was over or the users waited is not in the file. */
    @ParameterizedTest(name = "named: {0}")
    @ValueSource(booleans = {true, false})
    void a_freeze_up_to_the_end_of_a_closed_loop_is_neither_convicted_nor_acquitted(boolean areNamed) {
        SplittableRandom random = new SplittableRandom(1);
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 8; user++) {
            for (long at = user * MS; at < 9 * S; ) {
                long took = (10 + random.nextInt(10)) * MS;
                long end = at + took >= 9 * S ? 11 * S + took / 4 : at + took;
                collected.request(at, end - at, areNamed ? user : -1, false);
                at = end;
            }
        }
        AuditResult audited = audited(collected);
        assertThat(audited.verdict()).isEqualTo(AuditResult.AuditVerdict.CANNOT_TELL);
        assertThat(audited.stalls()).isNotEmpty().noneMatch(Stalls.FoundStall::isCertain);
        assertThat(audited.rows().get(3).atMostNanos().orElseThrow()).isGreaterThan(1_500 * MS);
        assertThat(audited.findings())
                .extracting(AuditFinding::text)
                .anyMatch(text -> text.contains("nothing started afterwards"));
    }

    /** Half of the users wait from 9 s to 11 s, but the others end the load at 10 s. */
    @Test
    void after_the_load_users_who_wait_miss_nothing() {
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 8; user++) {
            for (long at = 2 * user; at < 10_000; ) {
                long millis = user < 4 && at + 20 >= 9_000 ? 11_000 - at : 20;
                collected.request(at * MS, millis * MS, user, false);
                at += millis;
            }
        }
        assertThat(audited(collected).stalls())
                .singleElement()
                .satisfies(stall ->
                        assertThat(stall.part().orElseThrow().missing()).isBetween(160.0, 200.0));
    }

    /** Ten users are three after 15 s; from 18 s on none of them gets a response until 22 s or 28 s. */
    @ParameterizedTest(name = "named: {0}, until {1} s")
    @CsvSource({"false, 22", "true, 22", "false, 28", "true, 28"})
    void a_freeze_up_to_the_end_of_a_load_that_ramped_down_is_not_acquitted(boolean areNamed, int until) {
        SplittableRandom random = new SplittableRandom(1);
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 10; user++) {
            long last = (user < 3 ? 18 : 15) * S;
            for (long at = user * MS; at < last; ) {
                long took = (10 + random.nextInt(10)) * MS;
                long end = user < 3 && at + took >= last ? until * S + took / 4 : at + took;
                collected.request(at, end - at, areNamed ? user : -1, false);
                at = end;
            }
        }
        AuditResult audited = audited(collected);
        assertThat(audited.verdict()).as("%s", audited.stalls()).isEqualTo(AuditResult.AuditVerdict.CANNOT_TELL);
        assertThat(audited.findings())
                .extracting(AuditFinding::text)
                .anyMatch(text -> text.contains("nothing started afterwards"));
    }

    /** Two of ten users wait when the load ends, and the others send nothing meanwhile. */
    @Test
    void what_waits_after_the_last_start_is_not_said_to_go_on() {
        ResultCollector collected = new ResultCollector();
        for (int user = 0; user < 10; user++) {
            for (long at = 2 * user; at < 10_000; ) {
                long millis = user < 2 && at + 20 >= 10_000 ? 12_000 - at : 20;
                collected.request(at * MS, millis * MS, user, false);
                at += millis;
            }
        }
        AuditResult audited = audited(collected);
        assertThat(audited.stalls()).isNotEmpty();
        assertThat(audited.findings())
                .filteredOn(finding -> finding.kind() == AuditFinding.Kind.PART_STALLED)
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .isEqualTo("2 of 10 users waited up to 2.02 s and were answered together;"
                                + " nothing started afterwards"));
    }

    /** 100 a second for 10 s, of which the last is answered 5 s later. */
    @Test
    void the_rate_of_an_open_plan_ends_with_its_last_start() {
        SplittableRandom random = new SplittableRandom(7);
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 1_000; i++) {
            collected.request(10L * i * MS, i == 999 ? 5 * S : (long) (5 * random.nextDouble() * S), -1, false);
        }
        RecoveredPlan plan = plan(collected);
        assertThat(plan.kind()).isEqualTo(Kind.CONSTANT);
        assertThat(plan.text()).isEqualTo("100/s");
        assertThat(plan.perSecond()).isCloseTo(100, within(1e-6));
    }

    /** The number in flight is nearly as even as that of a closed loop. */
    @ParameterizedTest(name = "{0} to {1} us")
    @CsvSource({"7000, 13000", "9500, 10500"})
    void even_starts_of_even_requests_are_a_constant_rate(long from, long until) {
        SplittableRandom random = new SplittableRandom(1);
        ResultCollector collected = new ResultCollector();
        for (int i = 0; i < 8_000; i++) {
            collected.request(i * 1_250_000L, 1_000 * random.nextLong(from, until), -1, false);
        }
        AuditResult audited = audited(collected);
        assertThat(audited.plan().orElseThrow().kind()).isEqualTo(Kind.CONSTANT);
        assertThat(audited.plan().orElseThrow().text()).isEqualTo("800/s");
        assertThat(audited.findings()).extracting(AuditFinding::kind).doesNotContain(AuditFinding.Kind.CLOSED_LOOP);
    }

    /** Each of eight users waits for the others: their gaps vary less than the durations, which are sums of gaps. */
    @Test
    void a_closed_loop_of_a_serial_service_is_no_constant_rate() {
        SplittableRandom random = new SplittableRandom(1);
        ResultCollector collected = new ResultCollector();
        PriorityQueue<Long> ready = new PriorityQueue<>();
        for (int user = 0; user < 8; user++) {
            ready.add(user * 150_000L);
        }
        long free = 0;
        for (int i = 0; i < 8_000; i++) {
            long start = ready.remove();
            free = Math.max(start, free) + (long) (1_250_000 * (0.96 + 0.08 * random.nextDouble()));
            collected.request(start, free - start, -1, false);
            ready.add(free + 20_000);
        }
        AuditResult audited = audited(collected);
        assertThat(audited.plan().orElseThrow().kind()).isEqualTo(Kind.CLOSED);
        assertThat(audited.findings()).extracting(AuditFinding::kind).contains(AuditFinding.Kind.CLOSED_LOOP);
    }
}
