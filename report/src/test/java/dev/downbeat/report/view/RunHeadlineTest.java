package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Recording;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunHeadlineTest {
    private static final long MS = RunFixture.MS;
    private static final long S = 1_000_000_000;
    private static final Pause SECOND = new Pause(4_000 * MS, 5_000 * MS);

    private static RunResult run(List<Pause> ofTheService, List<Pause> ofTheClient) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(200))))
                .duration(Duration.ofSeconds(10))
                .build();
        return VirtualService.interrupted(plan, 64, index -> 2 * MS, ofTheService, ofTheClient);
    }

    private static String headline(RunResult result, String... objectives) {
        return new RunHeadline(Samples.report(result, objectives)).text();
    }

    @Test
    void one_stall_explains_a_missed_p99() {
        assertThat(headline(run(List.of(SECOND), List.of()), "p99<50ms", "errors<1%"))
                .matches("Missed p99 < 50 ms: one [0-9.]+ m?s stall at 4.0 s caused every request beyond p99[.]");
    }

    @Test
    void a_run_without_an_answer_says_that_its_requests_are_still_in_flight() {
        assertThat(headline(new RunFixture().inFlight(10, 1_000 * MS).result(), "errors<1%"))
                .contains("None of 10 requests succeeded (all still in flight at the end)");
        assertThat(headline(new RunFixture().inFlight(1, 1_000 * MS).result(), "errors<1%"))
                .contains("(still in flight at the end)");
    }

    /** Nobody set this limit, but it decides the exit code. */
    @Test
    void a_default_that_busy_consumers_leave_open_is_named() {
        RunResult busy = new RunFixture()
                .answered(500, 2 * MS)
                .timedOut(500, S)
                .counts(new TargetCounts(
                        Map.of("consumer milliseconds", 60_000L, "consumer milliseconds at work", 59_000L)))
                .result();
        RunReport report = Samples.report(busy).judgedBy(ServiceLevelObjective.defaults());
        assertThat(new RunHeadline(report).text())
                .isEqualTo("The times are unsound: messages waited for a consumer: all were at work 98 % of the time."
                        + " Undecided: errors < 1 %.");
        assertThat(RunChecks.of(report.verdict().objectives(), ""))
                .extracting(Page.Check::mark)
                .containsExactly(Page.Mark.OPEN);
    }

    /** On a busy machine Downbeat's own pauses put many requests beyond the limit. */
    @Test
    void a_stall_explains_a_p99_that_the_rest_misses_only_by_pauses_of_downbeat() {
        List<Pause> own = List.of(new Pause(1_000 * MS, 1_300 * MS), new Pause(7_000 * MS, 7_300 * MS));
        assertThat(headline(run(List.of(SECOND), own), "p99<50ms"))
                .matches("Missed p99 < 50 ms: one .* stall at 4.0 s caused every request beyond p99[.]");
    }

    @Test
    void a_stall_explains_no_p99_that_the_rest_misses_too() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(200))))
                .duration(Duration.ofSeconds(10))
                .build();
        RunResult slow = VirtualService.interrupted(plan, 64, index -> 60 * MS, List.of(SECOND), List.of());
        assertThat(headline(slow, "p99<50ms"))
                .matches("Missed p99 < 50 ms: measured [0-9.]+ m?s; missed even without the .* stall at 4.0 s[.]");
    }

    /** No event: all requests of ten seconds take twice as long. */
    @Test
    void a_slow_while_explains_a_missed_p99() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(200))))
                .duration(Duration.ofSeconds(60))
                .build();
        SplittableRandom random = new SplittableRandom(7);
        LongUnaryOperator law = index -> {
            boolean isSlow = index / 200 >= 20 && index / 200 < 30;
            return (long) ((isSlow ? 12 : 5) * MS * Math.exp(0.2 * random.nextGaussian()));
        };
        RunResult result = VirtualService.interrupted(plan, 64, law, List.of(), List.of());
        assertThat(headline(result, "p99<10ms"))
                .startsWith("Missed p99 < 10 ms: from 20.0 s to 30.0 s all requests were slower");
    }

    @Test
    void what_was_asked_and_is_met_comes_before_what_happened() {
        assertThat(headline(run(List.of(SECOND), List.of()), "p99<5s"))
                .matches("Met p99 < 5 s[.] One .* stall at 4.0 s caused every request beyond p99[.]");
    }

    /** The slowest row alone is the service's: the others are there all the same. */
    @Test
    void percentiles_that_are_all_mostly_ours_are_told_as_such() {
        RunResult late = new RunFixture()
                .answered(995, 4 * MS, 0, 2 * MS)
                .answered(5, 300 * MS)
                .result();
        assertThat(headline(late, "errors<1%"))
                .isEqualTo("Met errors < 1 %: the median was 6.00 ms (up to 4.00 ms of it may be Downbeat's),"
                        + " p99 6.00 ms (up to 4.00 ms of it may be Downbeat's), at 50/s.");
    }

    @Test
    void stalls_that_have_the_tail_together_are_counted() {
        List<Pause> every2Seconds = LongStream.of(2, 4, 6, 8)
                .mapToObj(at -> new Pause(at * 1_000 * MS, (at * 1_000 + 300) * MS))
                .toList();
        assertThat(headline(run(every2Seconds, List.of()), "p99<50ms"))
                .matches(
                        "Missed p99 < 50 ms: 4 stalls of [0-9]+ ms( to [0-9]+ ms)? caused every request beyond p99[.]");
    }

    /** A stall of 300 ms in two seconds of 30 a second. */
    @Test
    void a_percentile_missing_from_the_table_is_not_mentioned() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(30))))
                .duration(Duration.ofSeconds(2))
                .build();
        Pause stall = new Pause(S, S + 900 * MS);
        assertThat(headline(VirtualService.interrupted(plan, 64, index -> 2 * MS, List.of(stall), List.of())))
                .matches("One 9[0-9]+ ms stall at 1.0 s hit 2[0-9] of 60 requests[.]");
    }

    @Test
    void errors_have_a_begin_and_a_length() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 9; i++) {
            boolean isDown = i >= 3 && i < 6;
            run.answered(isDown ? 0 : 100, 2 * MS)
                    .failed(isDown ? 100 : 0, "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        RunResult result = run.ended(RunSpan.Ending.COMPLETE, 9 * S).result();
        assertThat(headline(result, "errors<1%"))
                .isEqualTo("Missed errors < 1 %: 33.3 % of 900 requests failed (HTTP 503), from 3.0 s for 3.00 s.");
    }

    @Test
    void a_stall_that_never_ended_lasts_at_least_as_long_as_was_seen() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.answered(i < 4 ? 1_000 : 0, 2 * MS)
                    .timedOut(i < 4 ? 0 : 1_000, 30 * S)
                    .until((i + 1) * S);
        }
        Silence silence = new Silence(4 * S, 4 * S, 20 * S, 20 * S);
        Silence last = new Silence(4 * S, 4 * S, Long.MAX_VALUE, Long.MAX_VALUE);
        RunResult result =
                run.result().with(new Interruptions(true, List.of(silence), List.of(last), List.of(), MS, 0));
        assertThat(headline(result, "p99<50ms", "errors<1%"))
                .isEqualTo("Missed p99 < 50 ms and errors < 1 %: one stall from 4.0 s to the end, at least 16.0 s,"
                        + " caused every request beyond p99.");
    }

    @Test
    void a_stall_explains_neither_errors_nor_a_median() {
        RunFixture errors = new RunFixture().answered(900, 2 * MS).failed(100, "HTTP 500", 2 * MS);
        RunResult stalled = run(List.of(SECOND), List.of());
        RunResult failing =
                stalled.with(stalled.recording().plus(errors.result().recording()));
        assertThat(headline(failing, "errors<1%", "p99<50ms"))
                .startsWith("Missed errors < 1 %: 3.33 % of 3,000 requests failed (HTTP 500)")
                .endsWith(". Also missed: p99 < 50 ms.")
                .doesNotContain("stall");
        assertThat(headline(stalled, "p50<1ms"))
                .matches("Missed p50 < 1 ms: measured 2.00 ms; missed even without the .* stall at 4.0 s[.]");
    }

    @Test
    void the_most_frequent_reason_is_not_called_that_of_all() {
        RunFixture few = new RunFixture().answered(800, 2 * MS).failed(110, "HTTP 503", MS);
        assertThat(headline(few.failed(10, "HTTP 500", MS).result(), "errors<1%"))
                .contains(" failed (HTTP 503)");
        RunFixture many = new RunFixture().answered(800, 2 * MS).failed(110, "HTTP 503", MS);
        assertThat(headline(many.failed(90, "HTTP 500", MS).result(), "errors<1%"))
                .contains(" failed (most often HTTP 503)");
    }

    @Test
    void failures_beside_more_timeouts_name_both() {
        RunResult result = new RunFixture()
                .answered(50, 2 * MS)
                .failed(250, "deadlock", MS)
                .timedOut(700, 30 * S)
                .result();
        assertThat(headline(result, "errors<1%"))
                .startsWith(
                        "Missed errors < 1 %: 25 % of 1,000 requests failed (deadlock); 70 % timed out after 30 s.");
    }

    /** Failures of the first second, and a stall whose requests time out. */
    private static RunResult failuresAndStall(long failed) {
        RunFixture run = new RunFixture()
                .answered(100 - failed, 2 * MS)
                .failed(failed, "HTTP 503", MS)
                .until(S)
                .answered(100, 2 * MS)
                .until(4 * S)
                .timedOut(300, 30 * S)
                .until(34 * S);
        Silence silence = new Silence(4 * S, 4 * S, 34 * S, 34 * S);
        return run.result().with(new Interruptions(true, List.of(silence), List.of(), List.of(), MS, 0));
    }

    @Test
    void failures_beside_more_timeouts_of_a_stall_name_both_unless_there_are_few() {
        assertThat(headline(failuresAndStall(1), "errors<1%"))
                .startsWith("Missed errors < 1 %: one 30.0 s stall at 4.0 s");
        assertThat(headline(failuresAndStall(20), "errors<1%"))
                .startsWith("Missed errors < 1 %: 4 % of 500 requests failed (HTTP 503), from 0.4 s for 200 ms;"
                        + " 60 % timed out after 30 s.");
    }

    /** A Gatling request may have a timeout of its own, which the plan does not know. */
    @Test
    void requests_that_gave_up_before_the_timeout_of_the_plan_have_another_one() {
        RunFixture some = new RunFixture().answered(900, 2 * MS).timedOut(100, 300 * MS);
        assertThat(headline(some.result(), "errors<1%"))
                .isEqualTo("Missed errors < 1 %: 10 % of 1,000 requests timed out.");
        assertThat(headline(new RunFixture().timedOut(1_000, 300 * MS).result(), "errors<1%"))
                .contains("(all timed out)");
    }

    @Test
    void timeouts_explain_no_percentile_below_them() {
        RunResult result =
                new RunFixture().answered(9_700, 30 * MS).timedOut(300, 30 * S).result();
        assertThat(headline(result, "p50<20ms", "p99<100ms"))
                .startsWith("Missed p99 < 100 ms: 3 % of 10,000 requests timed out after ")
                .endsWith(". Also missed: p50 < 20 ms.");
        assertThat(headline(result, "p50<20ms"))
                .startsWith("Missed p50 < 20 ms: measured 30.0 ms; 3 % of 10,000 requests");
    }

    @Test
    void an_overload_at_the_end_explains_no_median() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            boolean isOverloaded = i >= 14;
            run.answered(isOverloaded ? 50 : 100, isOverloaded ? (i - 13) * S / 2 : 30 * MS)
                    .neverSent(isOverloaded ? 50 : 0, S)
                    .until((i + 1) * S);
        }
        RunResult result = run.ended(RunSpan.Ending.COMPLETE, 20 * S).result();
        assertThat(headline(result, "p50<20ms", "p99<100ms"))
                .matches("Missed p99 < 100 ms: OVERLOADED from .*[.] Also missed: p50 < 20 ms[.]");
    }

    @Test
    void whatever_happened_what_was_asked_and_is_undecided_is_said() {
        assertThat(headline(run(List.of(SECOND), List.of()), "p99.99<2s"))
                .endsWith(" stall at 4.0 s caused every request beyond p99. Undecided: p99.99 < 2 s.");
    }

    private static RunResult named(Map<String, RunFixture> requests) {
        Map<String, Recording> names = new LinkedHashMap<>();
        requests.forEach((name, fixture) -> names.put(name, fixture.result().recording()));
        Recording all = names.values().stream().reduce(Recording.empty(), Recording::plus);
        names.put(Recording.GROUP + "shop", all);
        return new RunFixture().result().with(all.withNames(names));
    }

    @Test
    void a_request_that_always_fails_is_named_however_few_of_all_it_is() {
        RunResult result = named(new TreeMap<>(Map.of(
                "list", new RunFixture().answered(9_950, 2 * MS),
                "pay", new RunFixture().failed(50, "HTTP 500", MS))));
        assertThat(headline(result, "p99<50ms", "errors<1%"))
                .isEqualTo(
                        "Met p99 < 50 ms and errors < 1 %. 0.5 % of 10,000 requests failed (HTTP 500), all of them pay.");
        assertThat(headline(result, "errors<0.1%"))
                .isEqualTo("Missed errors < 0.1 %: 0.5 % of 10,000 requests failed (HTTP 500), all of them pay.");
    }

    @Test
    void failures_of_one_request_are_a_share_of_its_own() {
        RunResult all = named(new TreeMap<>(Map.of(
                "list", new RunFixture().answered(1_000, 2 * MS),
                "pay",
                        new RunFixture()
                                .answered(71, 2 * MS)
                                .failed(27, "HTTP 500", MS)
                                .timedOut(2, 30 * S))));
        assertThat(headline(all, "pay:errors<10%"))
                .isEqualTo("Missed pay: errors < 10 %: 27 % of its 100 requests failed (HTTP 500);"
                        + " 2 % timed out after 30 s.");
        assertThat(headline(all, "errors<1%", "pay:rate>=90%", "list:errors<1%"))
                .startsWith("Missed pay: rate >= 90 %: 27 % of its 100 requests failed")
                .endsWith(" Also missed: errors < 1 %.");
        RunResult most = named(new TreeMap<>(Map.of(
                "list", new RunFixture().failed(1_000, "HTTP 503", MS),
                "pay", new RunFixture().answered(80, 2 * MS).failed(20, "HTTP 500", MS))));
        assertThat(headline(most, "errors<1%", "pay:errors<10%"))
                .isEqualTo("Missed errors < 1 %: 92.7 % of 1,100 requests failed (HTTP 503), nearly all of them list."
                        + " Also missed: pay: errors < 10 %.");
    }

    @Test
    void failures_explain_no_objective_of_a_request_without_any() {
        RunResult result = named(new TreeMap<>(Map.of(
                "list", new RunFixture().failed(100, "HTTP 503", MS),
                "pay", new RunFixture().answered(100, 2 * MS))));
        assertThat(headline(result, "lst:errors<1%"))
                .startsWith("Missed lst: errors < 1 %: no request has this name; 50 % of 200 requests");
    }

    /** Of all requests one in six is slow, and the pooled p99 exceeds its limit by the most. */
    @Test
    void a_percentile_over_different_requests_does_not_lead_where_one_of_a_request_was_missed() {
        RunResult result = named(new TreeMap<>(Map.of(
                "cart", new RunFixture().answered(5_000, 2 * MS),
                "orders", new RunFixture().answered(1_000, 300 * MS),
                "search", new RunFixture().answered(1_000, 90 * MS))));
        assertThat(headline(result, "p99<10ms", "cart:p99<20ms", "search:p99<50ms", "orders:p99<100ms"))
                .startsWith("Missed orders: p99 < 100 ms: measured 300 ms")
                .endsWith(". Also missed: search: p99 < 50 ms and p99 < 10 ms.");
        assertThat(headline(result, "p99<10ms"))
                .startsWith("Missed p99 < 10 ms: measured 300 ms; the slowest is orders (1 of 3 requests): p50 300 ms");
        assertThat(headline(result)).startsWith("The slowest is orders (1 of 3 requests)");
    }

    /** Whoever waited for them waited as long from the send: nothing of it is hidden, and its end was not seen. */
    @Test
    void timeouts_of_one_request_are_no_hidden_wait_and_a_lower_bound() {
        RunResult result = named(new TreeMap<>(Map.of(
                "cart", new RunFixture().answered(50_000, 2 * MS),
                "orders", new RunFixture().answered(9_800, 3 * MS).timedOut(200, 2 * S))));
        assertThat(headline(result))
                .isEqualTo("The slowest is orders (1 of 2 requests): p50 3.00 ms, p99 at least 2.00 s.");
    }

    @Test
    void requests_that_timed_out_unsent_were_hidden_for_at_least_that_long() {
        RunResult result = named(new TreeMap<>(Map.of(
                "cart", new RunFixture().answered(50_000, 2 * MS),
                "orders", new RunFixture().answered(9_800, 3 * MS).timedOutUnsent(200, 2 * S))));
        assertThat(headline(result))
                .isEqualTo(
                        "The longest hidden wait is in orders (1 of 2 requests): p99 is at least 2.00 s from the intended"
                                + " start, 3.00 ms from the send.");
    }

    @Test
    void a_stall_explains_what_one_request_missed_and_a_long_list_is_counted() {
        RunResult stalled = run(List.of(SECOND), List.of());
        Map<String, Recording> names = new LinkedHashMap<>();
        List<String> objectives = new ArrayList<>(List.of("p99<50ms"));
        for (int i = 1; i <= 8; i++) {
            names.put("r" + i, stalled.recording());
            objectives.add("r" + i + ":p99<" + (i == 5 ? 5 : 50) + "ms");
        }
        assertThat(headline(stalled.with(stalled.recording().withNames(names)), objectives.toArray(String[]::new)))
                .matches(
                        "Missed r5: p99 < 5 ms: measured [0-9.]+ ms; one [0-9.]+ m?s stall at 4.0 s caused every request"
                                + " beyond p99[.] Also missed: r1: p99 < 50 ms, r2: p99 < 50 ms, r3: p99 < 50 ms and 5 more"
                                + " objectives[.]");
    }

    @Test
    void a_pause_of_Downbeat_never_explains_a_miss() {
        assertThat(headline(run(List.of(), List.of(new Pause(4_000 * MS, 4_300 * MS))), "p50<1ms"))
                .startsWith("Missed p50 < 1 ms: measured 2.00 ms")
                .doesNotContain("one 300 ms");
    }

    @Test
    void a_miss_without_own_delay_precedes_the_doubt() {
        RunFixture run = new RunFixture()
                .answered(20_000, 2 * MS)
                .answered(30_000, 20 * MS, 0, 2 * MS)
                .failed(40_000, "HTTP 429", MS)
                .health(RunFixture.healthy());
        assertThat(headline(run.result(), "errors<1%"))
                .startsWith("Missed errors < 1 %: 44.4 % of 90,000 requests failed (HTTP 429)")
                .contains(". The times are unsound: ");
    }

    @Test
    void mostly_own_delay_is_no_answer_even_if_objectives_are_met() {
        RunFixture run = new RunFixture().answered(50_000, 20 * MS, 0, 2 * MS).health(RunFixture.healthy());
        assertThat(headline(run.result(), "errors<2%")).startsWith("Met errors < 2 %. The times are unsound: ");
        assertThat(headline(run.result(), "errors<1%", "p50<1s"))
                .startsWith("Met errors < 1 % and p50 < 1 s: the median was 22.0 ms");
    }

    @Test
    void percentiles_beyond_those_that_are_sound_are_not_quoted() {
        RunFixture run = new RunFixture().answered(48_000, 2 * MS).answered(2_000, 90 * MS, 0, 2 * MS);
        assertThat(headline(run.result(), "errors<1%"))
                .contains("the median was 2.00 ms, at")
                .doesNotContain("p99");
    }

    @Test
    void the_longest_pause_is_that_of_the_incident_if_a_generator_was_kept_longer_than_the_process() {
        RunResult paused = run(List.of(), List.of(SECOND));
        assertThat(withHiccup(paused, 137 * MS).longestPause()).isEqualTo(new Pause(4_001 * MS, 5_000 * MS));
    }

    @Test
    void while_the_generators_ran_this_process_was_not_paused_whoever_else_waited_for_a_processor() {
        RunResult ran = run(List.of(), List.of());
        assertThat(withHiccup(ran, 431 * MS).longestPause().lengthNanos()).isZero();
        assertThat(withHiccup(ran, 30 * MS).longestPause().lengthNanos()).isEqualTo(30 * MS);
    }

    private static RunResult withHiccup(RunResult run, long nanos) {
        GeneratorHealth health = new GeneratorHealth(10_000 * MS, -1, nanos, 2_400 * MS, 0, 0, 0, 0, -1);
        return new RunResult(
                        run.plan(), run.target(), run.span(), run.recording(), run.intervals(), run.lanes(), health)
                .with(run.interruptions());
    }

    @Test
    void a_run_that_never_started_reports_no_events() {
        RunPlan plan = run(List.of(), List.of()).plan();
        RunResult nothing =
                RunResult.nothing(plan, "GET /", run(List.of(), List.of()).started(), "connection refused");
        String screen = Samples.text(RunView.on(Renderer.TEXT), Samples.report(nothing, "errors<1%"));
        assertThat(screen)
                .contains("Nothing could be measured: connection refused")
                .doesNotContain("in virtual time");
        assertThat(Samples.text(RunView.on(Renderer.MARKDOWN), Samples.report(nothing, "errors<1%")))
                .contains("* service: **NOTHING MEASURED**\n  * undecided: errors \\< 1 %: nothing was sent\n");
    }
}
