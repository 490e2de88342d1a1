package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Stationarity;
import dev.downbeat.verdict.Verdict.Measurement;
import dev.downbeat.verdict.Verdict.Service;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class VerdictTest {
    private static Verdict verdict(RunFixture run, String... slos) {
        return Verdict.of(run.result(), Stream.of(slos).map(Slo::parse).toList());
    }

    private static <T extends Caveat> T only(Class<T> kind, Verdict verdict) {
        List<T> found = verdict.caveats().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static List<String> codes(Verdict verdict) {
        return verdict.caveats().stream().map(Caveat::code).toList();
    }

    /** Enough for every percentile that is shown, and nothing remarkable. */
    private static RunFixture quiet() {
        return new RunFixture().answered(50_000, 2 * MS);
    }

    @Test
    void a_quiet_run_is_sound_and_gives_no_reason_for_doubt() {
        Verdict verdict = verdict(quiet(), "p99<50ms", "errors<1%");
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(verdict.service()).isEqualTo(Service.MET);
        assertThat(verdict.caveats()).isEmpty();
    }

    @Test
    void a_bad_instrument_meets_and_misses_nothing() {
        Verdict missed = verdict(quiet(), "p99<1ms");
        assertThat(missed.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(missed.service()).isEqualTo(Service.MISSED);
        for (String slo : List.of("p99<50ms", "p99<1ms", "errors<1%")) {
            Verdict unsound = verdict(quiet().unplanned(1), slo);
            assertThat(unsound.measurement()).isEqualTo(Measurement.UNSOUND);
            assertThat(unsound.service()).isEqualTo(Service.UNDECIDED);
            assertThat(unsound.objectives().get(0).reason()).endsWith(", but the ledger does not add up");
        }
    }

    /** 50,000 requests of which 2 ms are the service's, and 18 ms ours. */
    private static RunFixture healthyOnABusyMachine() {
        return new RunFixture().answered(50_000, 18 * MS, 0, 2 * MS);
    }

    private static int exitCode(RunFixture run, Rigour rigour, String... slos) {
        RunResult result = run.result();
        Verdict verdict = Verdict.of(result, Stream.of(slos).map(Slo::parse).toList(), rigour);
        return ExitCode.of(result, verdict, false);
    }

    @Test
    void an_objective_that_is_met_with_all_of_our_delays_is_met() {
        Verdict verdict = verdict(healthyOnABusyMachine(), "p50<1s", "errors<1%");
        assertThat(verdict.service()).isEqualTo(Service.MET);
        assertThat(verdict.measurement()).isEqualTo(Measurement.PARTLY_SOUND);
        assertThat(verdict.measurementInWords()).isEqualTo("sound for its objectives");
        assertThat(verdict.doubts()).isEmpty();
        assertThat(exitCode(healthyOnABusyMachine(), Rigour.PLAIN, "p50<1s", "errors<1%"))
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void an_objective_that_is_missed_without_any_of_our_delays_is_missed() {
        RunFixture slow = new RunFixture().answered(50_000, 300 * MS, 0, 203 * MS);
        Verdict verdict = verdict(slow, "p99<100ms", "errors<1%");
        assertThat(verdict.service()).isEqualTo(Service.MISSED);
        assertThat(verdict.objectives().get(0).reason()).isEqualTo("was 503 ms, up to 300 ms of it ours");
        assertThat(exitCode(
                        new RunFixture().answered(50_000, 300 * MS, 0, 203 * MS),
                        Rigour.PLAIN,
                        "p99<100ms",
                        "errors<1%"))
                .isEqualTo(ExitCode.MISSED);
    }

    @Test
    void without_an_objective_on_a_time_a_run_whose_median_is_ours_is_unsound() {
        Verdict verdict = verdict(healthyOnABusyMachine(), "errors<1%");
        assertThat(verdict.measurement()).isEqualTo(Measurement.UNSOUND);
        assertThat(verdict.doubts()).extracting(Caveat::code).contains("generator_late");
        assertThat(exitCode(healthyOnABusyMachine(), Rigour.PLAIN, "errors<1%")).isEqualTo(ExitCode.UNSOUND);
    }

    @Test
    void a_tail_that_is_ours_leaves_the_rows_below_it_sound() {
        RunFixture run = new RunFixture().answered(49_000, 2 * MS).answered(1_000, 30 * MS, 0, 2 * MS);
        Verdict verdict = verdict(run);
        assertThat(verdict.measurement()).isEqualTo(Measurement.PARTLY_SOUND);
        assertThat(verdict.soundUpTo()).hasValue(95);
        assertThat(verdict.measurementInWords()).isEqualTo("sound up to p95");
    }

    @Test
    void the_strict_take_every_doubt_for_one() {
        Rigour strict = new Rigour(false, true);
        assertThat(exitCode(healthyOnABusyMachine(), strict, "p50<1s")).isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(new RunFixture().answered(50_000, 300 * MS, 0, 203 * MS), strict, "p99<100ms"))
                .isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(quiet(), strict, "p50<1s")).isEqualTo(ExitCode.MET);
    }

    /** Seconds whose medians lie between 30 and 40 ms. */
    private static RunFixture restless() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(1_000, (30 + second * 7 % 11) * MS).until(second * S);
        }
        return run;
    }

    @Test
    void a_limit_within_the_interval_is_said_to_be_so_and_leaves_the_sure_undecided() {
        Objective met = verdict(restless(), "p50<36ms").objectives().get(0);
        assertThat(met.status()).isEqualTo(Objective.Status.MET);
        assertThat(met.isUnsure()).isTrue();
        assertThat(met.word()).isEqualTo("met, not sure");
        assertThat(met.reason()).matches("was 35\\.\\d ms, not sure \\(3\\d\\.\\d ms to 3\\d\\.\\d ms\\)");
        assertThat(exitCode(restless(), Rigour.PLAIN, "p50<36ms")).isEqualTo(ExitCode.MET);
        assertThat(exitCode(restless(), new Rigour(true, false), "p50<36ms")).isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(restless(), new Rigour(true, false), "p50<1s")).isEqualTo(ExitCode.MET);
        assertThat(verdict(restless(), "p50<1s").objectives().get(0).isUnsure()).isFalse();
    }

    @Test
    void answers_that_all_fail_are_a_sound_measurement_of_a_service_that_missed() {
        RunFixture run = new RunFixture().failed(1_000, "HTTP 500", 3 * MS);
        Verdict verdict = verdict(run, "errors<1%");
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(verdict.service()).isEqualTo(Service.MISSED);
        assertThat(exitCode(new RunFixture().failed(1_000, "HTTP 500", 3 * MS), Rigour.PLAIN, "errors<1%"))
                .isEqualTo(ExitCode.MISSED);
        assertThat(exitCode(new RunFixture().failed(9, "connection refused", MS), Rigour.PLAIN, "errors<1%"))
                .isEqualTo(ExitCode.NOTHING);
    }

    /** Of 800 requests a second 177 are answered. */
    private static RunFixture overloaded() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(177, second * 500L * MS).timedOut(623, 30 * S).until(second * S);
        }
        return run.backlog(9_000, 20 * S);
    }

    @Test
    void an_overload_has_a_name_and_meets_nothing_on_times() {
        Verdict verdict = verdict(overloaded(), "p50<1h", "rate>=10%");
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(verdict.overload().orElseThrow().headline()).isEqualTo("OVERLOADED: 177/s of 800/s answered");
        assertThat(verdict.objectives())
                .extracting(Objective::status)
                .containsExactly(Objective.Status.UNDECIDED, Objective.Status.MET);
    }

    @Test
    void nobody_is_called_overloaded_where_we_may_have_been_the_slow_ones() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(177, second * 500L * MS, 0, MS).timedOut(623, 30 * S).until(second * S);
        }
        assertThat(codes(verdict(run.backlog(9_000, 20 * S)))).contains("overloaded");
        RunFixture ours = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            ours.answered(700, second * 500L * MS, 0, MS).inFlight(100, MS).until(second * S);
        }
        assertThat(codes(verdict(ours.backlog(9_000, 20 * S)))).doesNotContain("overloaded");
    }

    @Test
    void a_stall_at_the_end_is_no_overload() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run = second <= 15 ? run.answered(1_000, MS) : run.inFlight(1_000, S);
            run.until(second * S);
        }
        assertThat(codes(verdict(run))).doesNotContain("overloaded");
    }

    @Test
    void a_load_that_we_could_not_keep_up_with_was_not_offered() {
        RunFixture behind = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            behind.answered(900, second * 100L * MS, 0, MS).until(second * S);
        }
        Verdict verdict = verdict(behind, "p50<10s");
        assertThat(codes(verdict)).contains("not_offered");
        assertThat(verdict.measurement()).isEqualTo(Measurement.UNSOUND);
        assertThat(verdict.objectives().get(0).reason()).endsWith(", but the planned load was not offered");
    }

    @Test
    void a_few_late_requests_of_a_second_in_which_the_service_stalled_say_nothing_of_its_load() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            if (second == 9) {
                run.answered(3, 90 * MS, 0, MS).inFlight(900, S);
            } else {
                run.answered(1_000, MS);
            }
            run.until(second * S);
        }
        assertThat(codes(verdict(run))).doesNotContain("not_offered");
    }

    @Test
    void a_pause_that_is_caught_up_within_a_second_is_no_load_that_was_not_offered() {
        RunFixture paused = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            paused.answered(second == 7 ? 800 : 1_000, MS);
            if (second == 7) {
                paused.answered(200, 200 * MS, 0, MS);
            }
            paused.until(second * S);
        }
        assertThat(codes(verdict(paused))).doesNotContain("not_offered");
    }

    @Test
    void one_missed_objective_outweighs_those_that_are_undecided_or_met() {
        assertThat(verdict(quiet(), "p50<9ms", "p99.999<9ms", "max<1ms").service())
                .isEqualTo(Service.MISSED);
        assertThat(verdict(quiet(), "p50<9ms", "p99.999<9ms").service()).isEqualTo(Service.UNDECIDED);
        assertThat(verdict(quiet()).service()).isEqualTo(Service.NONE);
    }

    @Test
    void a_lost_request_is_a_bug_and_said_loudly() {
        Verdict verdict = verdict(quiet().unplanned(2));
        Flaw.LedgerMismatch mismatch = only(Flaw.LedgerMismatch.class, verdict);
        assertThat(mismatch.isDoubt()).isTrue();
        assertThat(mismatch.text()).contains("THE LEDGER DOES NOT ADD UP", "50,000", "50,002", "a bug in Downbeat");
    }

    @Test
    void nothing_answered_is_no_measurement() {
        Verdict verdict =
                verdict(new RunFixture().failed(9, "connection refused", MS).failed(1, "reset", MS));
        Flaw.NothingAnswered nothing = only(Flaw.NothingAnswered.class, verdict);
        assertThat(nothing.text()).contains("not one of 10 requests", "connection refused");
        assertThat(verdict.measurement()).isEqualTo(Measurement.UNSOUND);
        Verdict timedOut = verdict(new RunFixture().timedOut(3, S));
        assertThat(only(Flaw.NothingAnswered.class, timedOut).text()).endsWith("there is no response time to show");
        assertThat(timedOut.measurement()).isEqualTo(Measurement.SOUND);
    }

    @Test
    void a_broken_run_is_unsound_and_says_why() {
        Verdict verdict = verdict(quiet().broke("index 5 out of bounds", 3_812 * MS));
        Flaw.Broken broken = only(Flaw.Broken.class, verdict);
        assertThat(broken.isDoubt()).isTrue();
        assertThat(broken.text()).contains("after 3.8 s", "index 5 out of bounds");
    }

    @Test
    void an_interrupted_run_is_sound_but_partial() {
        Verdict verdict = verdict(quiet().neverSent(5, MS).ended(RunResult.Ending.INTERRUPTED, 3_812 * MS));
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(only(Flaw.Interrupted.class, verdict).text()).contains("after 3.8 s", "that part only");
        assertThat(codes(verdict)).doesNotContain("not_sent");
    }

    @Test
    void what_the_service_left_no_connection_for_is_told_and_no_fault_of_the_instrument() {
        LoadCaveat.NotSent notSent = only(
                LoadCaveat.NotSent.class,
                verdict(new RunFixture().answered(15_064, MS).neverSent(4_936, S)));
        assertThat(notSent.isDoubt()).isFalse();
        assertThat(notSent.text())
                .startsWith("4,936 of 20,000 requests were never sent: no connection came free for them");
    }

    @Test
    void consumers_without_time_to_wait_are_what_was_measured() {
        RunFixture run = new RunFixture().answered(20_000, MS);
        Map<String, Long> counts = Map.of("polls", 100L, "polls with a full batch", 60L);
        assertThat(only(LoadCaveat.ConsumersFull.class, verdict(run.counts(new TargetCounts(counts))))
                        .text())
                .startsWith("60 of 100 polls of the consumers brought a full batch");
        Map<String, Long> few = Map.of("polls", 100L, "polls with a full batch", 50L);
        assertThat(codes(verdict(new RunFixture().answered(20_000, MS).counts(new TargetCounts(few)))))
                .doesNotContain("consumers_full");
    }

    @Test
    void lateness_that_is_a_good_part_of_the_response_time_is_our_fault() {
        RunFixture run = new RunFixture().answered(48_000, 2 * MS).answered(2_000, S, 0, 2 * MS);
        OwnDelay.GeneratorLate late = only(OwnDelay.GeneratorLate.class, verdict(run));
        assertThat(late.isDoubt()).isTrue();
        assertThat(late.percentile()).isIn(99.0, 99.9);
        assertThat(late.text()).contains("up to 1.00 s of the p99", "is ours", "would be at least 2.00 ms");
    }

    @Test
    void the_percentile_with_the_largest_part_is_named() {
        // p90: 5 of 10 ms; p99: 5 ms of 1 s
        RunFixture run = new RunFixture()
                .answered(25_000, MS)
                .answered(24_000, 5 * MS, 0, 5 * MS)
                .answered(1_000, 5 * MS, 0, S);
        assertThat(only(OwnDelay.GeneratorLate.class, verdict(run)).percentile())
                .isEqualTo(90);
    }

    @Test
    void lateness_below_a_millisecond_is_a_note_and_below_a_tenth_no_matter() {
        Verdict little = verdict(new RunFixture().answered(50_000, 900_000, 0, 1));
        assertThat(codes(little)).containsExactly("generator_late");
        assertThat(little.measurement()).isEqualTo(Verdict.Measurement.SOUND);
        assertThat(codes(verdict(new RunFixture().answered(50_000, 15_000, 0, 1))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 5 * MS, 0, 100 * MS))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 12 * MS, 0, 100 * MS))))
                .containsExactly("generator_late");
    }

    @Test
    void a_process_that_is_busy_while_no_slot_is_free_is_too_slow_itself() {
        Verdict verdict = verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, 19 * S / 10));
        assertThat(only(OwnDelay.ClientBusy.class, verdict).text()).contains("95", "answers waited for us");
        assertThat(only(OwnDelay.ClientBusy.class, verdict).isDoubt()).isTrue();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, S))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, -1))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(S / 20, S / 20))))
                .isEmpty();
    }

    @Test
    void lateness_where_there_are_too_few_requests_is_not_judged() {
        assertThat(codes(verdict(new RunFixture().answered(98, MS).answered(2, S, 0, MS))))
                .doesNotContain("generator_late");
    }

    @Test
    void a_long_standstill_of_this_process_is_blamed_on_this_process() {
        RunFixture run = new RunFixture().answered(48_000, 2 * MS).answered(2_000, 2 * S, 0, 2 * MS);
        Verdict verdict = verdict(run.health(RunFixture.stoodStillFor(2 * S)));
        OwnDelay.HiccupDuringRun hiccup = only(OwnDelay.HiccupDuringRun.class, verdict);
        assertThat(hiccup.isDoubt()).isTrue();
        assertThat(hiccup.text())
                .isEqualTo(
                        "Downbeat itself was paused for 2.00 s (ending at 5.0 s): the tail is partly ours, not the"
                                + " service's; 99.9 % of p99 is ours: without our lateness it would be at most 2.00 ms, not 2.00 s");
    }

    @Test
    void a_standstill_that_is_small_beside_the_tail_is_a_note() {
        RunFixture slow = new RunFixture().answered(50_000, 5 * S);
        Verdict verdict = verdict(slow.health(RunFixture.stoodStillFor(200 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, verdict).isDoubt()).isFalse();
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        Verdict little = verdict(quiet().health(RunFixture.stoodStillFor(20 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, little).isDoubt()).isFalse();
        assertThat(codes(verdict(quiet().health(RunFixture.stoodStillFor(19 * MS)))))
                .isEmpty();
    }

    @Test
    void a_standstill_of_a_tenth_of_a_second_is_a_doubt_where_times_are_short() {
        Verdict verdict = verdict(quiet().health(RunFixture.stoodStillFor(100 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, verdict).isDoubt()).isTrue();
    }

    @Test
    void the_percentiles_that_are_lower_bounds_are_named() {
        Verdict verdict =
                verdict(new RunFixture().answered(49_000, MS).timedOut(990, S).inFlight(10, S));
        DataLimit.TailCensored censored = only(DataLimit.TailCensored.class, verdict);
        assertThat(censored.percentiles()).containsExactly(99.0, 99.9, 99.99, 100.0);
        assertThat(censored.isDoubt()).isFalse();
        assertThat(censored.text())
                .isEqualTo(
                        "requests whose end was not seen: 990 timed out and 10 cut off by the end of the run, so p99,"
                                + " p99.9, p99.99 and max are at least the values shown. A longer timeout would show more");
    }

    @Test
    void a_percentile_of_an_objective_is_named_too() {
        Verdict verdict = verdict(new RunFixture().answered(40_000, MS).inFlight(10_000, S), "p85<1s");
        assertThat(only(DataLimit.TailCensored.class, verdict).percentiles()).contains(85.0);
        assertThat(only(DataLimit.TailCensored.class, verdict).text()).doesNotContain("timed out", "--timeout");
    }

    @Test
    void what_the_data_cannot_carry_is_named_with_a_duration_that_could() {
        DataLimit.TooFewSamples few = only(
                DataLimit.TooFewSamples.class,
                verdict(new RunFixture().answered(20_000, MS), "p99.99<1s", "p99.999<1s"));
        assertThat(few.percentiles()).containsExactly(99.99, 99.999);
        assertThat(few.isDoubt()).isFalse();
        assertThat(few.text())
                .isEqualTo(
                        "p99.99 and p99.999 are not shown: p99.99 needs 50,000 requests, there were 20,000 (a run of 50 s)");
        DataLimit.TooFewSamples one =
                only(DataLimit.TooFewSamples.class, verdict(new RunFixture().answered(5_000, MS), "p99.99<1s"));
        assertThat(one.text())
                .isEqualTo("p99.99 is not shown: it needs 50,000 requests, there were 5,000 (a run of 4m)");
    }

    @Test
    void no_duration_is_advised_that_the_plan_already_had_or_nobody_would_wait() {
        RunFixture stopped = new RunFixture().answered(400, MS).ended(RunResult.Ending.INTERRUPTED, 4 * S);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(stopped, "p99<1s"))
                        .longerNanos())
                .isZero();
        RunFixture rare = new RunFixture().answered(1, MS);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(rare, "p50<1s")).longerNanos())
                .isEqualTo(200 * S + 40 * S);
        RunFixture rarer = new RunFixture().answered(50, MS).ended(RunResult.Ending.COMPLETE, 86_400 * S);
        RunFixture days = rarer.workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofDays(1));
        assertThat(only(DataLimit.TooFewSamples.class, verdict(days, "p99<1s")).longerNanos())
                .isEqualTo(10 * 86_400 * S);
        RunFixture months = new RunFixture()
                .workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofDays(4))
                .answered(50, MS)
                .ended(RunResult.Ending.COMPLETE, 4 * 86_400 * S);
        assertThat(only(DataLimit.TooFewSamples.class, verdict(months, "p99<1s"))
                        .longerNanos())
                .isZero();
    }

    @Test
    void a_backlog_is_noted_with_its_peak() {
        Verdict verdict = verdict(quiet().backlog(2_569, 32_400 * MS));
        assertThat(only(LoadCaveat.BacklogGrew.class, verdict).text()).contains("2,569 requests", "at 32.4 s");
        assertThat(verdict.measurement()).isEqualTo(Measurement.SOUND);
        assertThat(codes(verdict(quiet().backlog(9, S)))).isEmpty();
    }

    @Test
    void a_closed_workload_is_noted() {
        RunFixture run = quiet().workload(new Workload.Closed(1, ThinkTime.none()), Duration.ofSeconds(20));
        LoadCaveat.ClosedWorkload closed = only(LoadCaveat.ClosedWorkload.class, verdict(run));
        assertThat(closed.text()).contains("1 virtual user waits");
        assertThat(closed.isDoubt()).isFalse();
        assertThat(new LoadCaveat.ClosedWorkload(10).text()).contains("10 virtual users, each waits");
    }

    @Test
    void doubts_stand_before_notes() {
        Verdict verdict = verdict(new RunFixture()
                .answered(100, MS)
                .neverSent(1, S)
                .backlog(50, S)
                .unplanned(1));
        assertThat(verdict.caveats())
                .extracting(Caveat::isDoubt)
                .startsWith(true, false)
                .doesNotContainSequence(false, true);
        assertThat(codes(verdict)).startsWith("ledger_mismatch");
    }

    @Test
    void every_caveat_is_one_line_with_a_name_of_its_own() {
        Verdict everything = verdict(new RunFixture()
                .workload(new Workload.Closed(3, ThinkTime.none()), Duration.ofSeconds(20))
                .answered(900, 9 * MS, 0, MS)
                .timedOut(100, S)
                .neverSent(1, S)
                .unplanned(1)
                .backlog(99, S)
                .full(2 * S, 2 * S)
                .health(RunFixture.stoodStillFor(2 * S)));
        Verdict broken = verdict(new RunFixture().failed(1, "refused", MS).broke("x", S), "p99<1s");
        Verdict stopped = verdict(new RunFixture().answered(1, MS).ended(RunResult.Ending.INTERRUPTED, S));
        Verdict few = verdict(new RunFixture().answered(9, MS), "p99<1s");
        Stream<Caveat> ofTime = Stream.of(
                new Unsteady.NotSteady(
                        new Stationarity(0, Stationarity.Shape.DRIFTS, 50, 1.5, 0, true, OptionalDouble.empty()), 0),
                new Unsteady.NotSteady(
                        new Stationarity(0, Stationarity.Shape.JUMPS, 50, 2, 30, true, OptionalDouble.empty()), 30 * S),
                new Unsteady.NotSteady(
                        new Stationarity(25, Stationarity.Shape.NEVER_SETTLES, 50, 1, 0, true, OptionalDouble.empty()),
                        0),
                new Unsteady.WarmUp(9 * S),
                new LoadCaveat.NotOffered(0.8, 3 * S, S),
                new LoadCaveat.OwnLimit("too many open files", 3, 10),
                new DataLimit.NotFollowed(90, 1_000),
                new OwnDelay.OftenLate(S, 10 * S),
                new LoadCaveat.ConsumersFull(60, 100),
                new LoadCaveat.Overloaded(177, 800));
        Stream<Caveat> ofShards = Stream.of(
                new Flaw.CutOff(S, 3),
                new ShardCaveat.StartedLate(S),
                new ShardCaveat.StartSkew(S),
                new ShardCaveat.ShardsMissing(List.of(2), 4),
                new ShardCaveat.ShardsDoubtful(List.of(1), 4, "generator_late"));
        Stream<Caveat> seen =
                Stream.of(everything, broken, stopped, few).flatMap(verdict -> verdict.caveats().stream());
        List<Caveat> all =
                Stream.of(seen, ofTime, ofShards).flatMap(caveats -> caveats).toList();
        assertThat(all.stream().map(Caveat::code).distinct())
                .containsExactlyInAnyOrder(
                        "ledger_mismatch",
                        "nothing_answered",
                        "broken",
                        "not_sent",
                        "consumers_full",
                        "not_offered",
                        "overloaded",
                        "own_limit",
                        "generator_late",
                        "hiccup_during_run",
                        "client_busy",
                        "interrupted",
                        "tail_censored",
                        "too_few_samples",
                        "not_followed",
                        "backlog_grew",
                        "closed_workload",
                        "drift",
                        "jump",
                        "never_settled",
                        "warm_up",
                        "often_late",
                        "cut_off",
                        "started_late",
                        "start_skew",
                        "shards_missing",
                        "shards_doubtful");
        long kinds = Stream.of(Caveat.class.getPermittedSubclasses())
                .mapToLong(kind -> kind.getPermittedSubclasses().length)
                .sum();
        assertThat(all.stream().map(Caveat::getClass).distinct()).hasSize((int) kinds);
        assertThat(all)
                .allSatisfy(caveat -> assertThat(caveat.text()).isNotBlank().doesNotContain("\n"));
    }

    @Test
    void answers_that_lead_elsewhere_are_answers_and_a_note_says_what_they_are() {
        RunResult run = new RunFixture()
                .answeredWith(200, 900, MS)
                .answeredWith(302, 90, MS)
                .answeredWith(304, 10, MS)
                .result();
        assertThat(Verdict.of(run, List.of()).caveats())
                .filteredOn(caveat -> caveat.code().equals("not_followed"))
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.text()).startsWith("90 of 1,000 answers were redirects"))
                .satisfies(caveat -> assertThat(caveat.isDoubt()).isFalse());
    }
}
