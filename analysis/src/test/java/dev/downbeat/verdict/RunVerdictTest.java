package dev.downbeat.verdict;

import static dev.downbeat.verdict.Judged.codes;
import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.verdict.RunVerdict.Service;
import dev.downbeat.verdict.RunVerdict.Soundness;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunVerdictTest {
    private static final RequiredCertainty SURE = new RequiredCertainty(true, false);

    @Test
    void a_quiet_run_is_sound_and_gives_no_reason_for_doubt() {
        RunVerdict verdict = verdict(quiet(), "p99<50ms", "errors<1%");
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(verdict.service()).isEqualTo(Service.MET);
        assertThat(verdict.caveats()).isEmpty();
    }

    @Test
    void a_bad_instrument_meets_and_misses_nothing() {
        RunVerdict missed = verdict(quiet(), "p99<1ms");
        assertThat(missed.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(missed.service()).isEqualTo(Service.MISSED);
        for (String slo : List.of("p99<50ms", "p99<1ms", "errors<1%")) {
            RunVerdict unsound = verdict(quiet().unplanned(1), slo);
            assertThat(unsound.measurement()).isEqualTo(Soundness.UNSOUND);
            assertThat(unsound.service()).isEqualTo(Service.UNDECIDED);
            assertThat(unsound.objectives().get(0).reason()).endsWith(", but requests are unaccounted for");
        }
    }

    /** 50,000 requests of which 2 ms are the service's, and 18 ms ours. */
    private static RunFixture healthyOnABusyMachine() {
        return new RunFixture().answered(50_000, 18 * MS, 0, 2 * MS);
    }

    private static int exitCode(RunFixture run, RequiredCertainty rigour, String... slos) {
        return Judged.exitCode(run, rigour, false, slos);
    }

    @Test
    void an_objective_met_with_all_of_Downbeats_delays_is_met() {
        RunVerdict verdict = verdict(healthyOnABusyMachine(), "p50<1s", "errors<1%");
        assertThat(verdict.service()).isEqualTo(Service.MET);
        assertThat(verdict.measurement()).isEqualTo(Soundness.PARTLY_SOUND);
        assertThat(verdict.measurementInWords()).isEqualTo("sound enough to decide");
        assertThat(verdict.doubts()).isEmpty();
        assertThat(exitCode(healthyOnABusyMachine(), RequiredCertainty.PLAIN, "p50<1s", "errors<1%"))
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void an_objective_missed_without_any_of_Downbeats_delays_is_missed() {
        RunFixture slow = new RunFixture().answered(50_000, 300 * MS, 0, 203 * MS);
        RunVerdict verdict = verdict(slow, "p99<100ms", "errors<1%");
        assertThat(verdict.service()).isEqualTo(Service.MISSED);
        assertThat(verdict.objectives().get(0).reason())
                .isEqualTo("measured 503 ms, up to 300 ms of it may be Downbeat's");
        assertThat(exitCode(
                        new RunFixture().answered(50_000, 300 * MS, 0, 203 * MS),
                        RequiredCertainty.PLAIN,
                        "p99<100ms",
                        "errors<1%"))
                .isEqualTo(ExitCode.MISSED);
    }

    /** Proof counts Downbeat's delay no more than an estimate does. */
    @Test
    void own_delay_never_misses_a_mean() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(1_000, 10 * MS, 0, 5 * MS).until(second * S);
        }
        Observations seen = Observations.of(run.result());
        for (boolean sure : new boolean[] {false, true}) {
            RequiredCertainty rigour = new RequiredCertainty(sure, false);
            JudgedObjective open = RunVerdict.of(seen, List.of(ServiceLevelObjective.parse("mean<10ms")), rigour)
                    .objectives()
                    .get(0);
            assertThat(open.status()).isEqualTo(JudgedObjective.Status.UNDECIDED);
            assertThat(open.reason()).startsWith("measured 15.0 ms, up to 10.0 ms of it may be Downbeat's");
            assertThat(RunVerdict.of(seen, List.of(ServiceLevelObjective.parse("mean<4ms")), rigour)
                            .service())
                    .isEqualTo(Service.MISSED);
        }
    }

    @Test
    void a_run_with_a_delayed_median_still_answers_objectives_without_times() {
        RunVerdict verdict = verdict(healthyOnABusyMachine(), "errors<1%");
        assertThat(verdict.measurementInWords()).isEqualTo("sound enough to decide");
        assertThat(verdict.doubts()).isEmpty();
        assertThat(verdict.doubtsOfTimes()).extracting(Caveat::code).contains("generator_late");
        RunResult run = healthyOnABusyMachine().result();
        assertThat(ComparedRun.of("a", Observations.of(run), verdict).doubts())
                .extracting(Incomparable::code)
                .containsExactly("own_delay");
        assertThat(exitCode(healthyOnABusyMachine(), RequiredCertainty.PLAIN, "errors<1%"))
                .isEqualTo(ExitCode.MET);
        assertThat(exitCode(healthyOnABusyMachine(), new RequiredCertainty(false, true), "errors<1%"))
                .isEqualTo(ExitCode.UNSOUND);
    }

    @Test
    void without_objectives_unsound_times_are_reported_and_the_exit_code_is_0() {
        RunResult run = healthyOnABusyMachine().result();
        assertThat(RunVerdict.of(run, ServiceLevelObjective.defaults()).measurement())
                .isEqualTo(Soundness.UNSOUND);
        assertThat(RunVerdict.of(run, ServiceLevelObjective.defaults()).isUnsoundInTimesAlone())
                .isTrue();
        assertThat(Analysis.of(run, Criteria.of(ServiceLevelObjective.defaults()))
                        .outcome()
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(verdict(healthyOnABusyMachine(), "p50<10ms").isUnsoundInTimesAlone())
                .isFalse();
        RunResult untidy = healthyOnABusyMachine().unplanned(1).result();
        assertThat(RunVerdict.of(untidy, ServiceLevelObjective.defaults()).isUnsoundInTimesAlone())
                .isFalse();
    }

    @Test
    void requesting_the_default_error_limit_counts_as_an_objective() {
        assertThat(verdict(healthyOnABusyMachine(), "errors<1%").measurement()).isEqualTo(Soundness.PARTLY_SOUND);
    }

    @Test
    void without_an_objective_and_with_one_on_a_time_that_is_open_a_run_whose_median_is_ours_is_unsound() {
        for (RunVerdict verdict :
                List.of(verdict(healthyOnABusyMachine()), verdict(healthyOnABusyMachine(), "p50<10ms", "errors<1%"))) {
            assertThat(verdict.measurement()).isEqualTo(Soundness.UNSOUND);
            assertThat(verdict.doubts()).extracting(Caveat::code).contains("generator_late");
            assertThat(verdict.doubtsOfTimes()).isEqualTo(verdict.doubts());
        }
    }

    @Test
    void a_delayed_tail_leaves_lower_rows_sound() {
        RunFixture run = new RunFixture().answered(49_000, 2 * MS).answered(1_000, 30 * MS, 0, 2 * MS);
        RunVerdict verdict = verdict(run);
        assertThat(verdict.measurement()).isEqualTo(Soundness.PARTLY_SOUND);
        assertThat(verdict.rows().upTo()).hasValue(95);
        assertThat(verdict.measurementInWords()).isEqualTo("sound up to p95");
    }

    @Test
    void the_strict_take_every_doubt_for_one() {
        RequiredCertainty strict = new RequiredCertainty(false, true);
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
    void a_limit_within_the_interval_is_reported_and_undecided_with_sure() {
        JudgedObjective met = verdict(restless(), "p50<36ms").objectives().get(0);
        assertThat(met.status()).isEqualTo(JudgedObjective.Status.MET);
        assertThat(met.isUnsure()).isTrue();
        assertThat(met.word()).isEqualTo("met, uncertain");
        assertThat(met.reason())
                .matches("measured 35\\.\\d ms, uncertain \\(95 % CI 3\\d\\.\\d ms to 3\\d\\.\\d ms\\)");
        assertThat(exitCode(restless(), RequiredCertainty.PLAIN, "p50<36ms")).isEqualTo(ExitCode.MET);
        assertThat(exitCode(restless(), SURE, "p50<36ms")).isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(restless(), SURE, "p50<1s")).isEqualTo(ExitCode.MET);
        assertThat(verdict(restless(), "p50<1s").objectives().get(0).isUnsure()).isFalse();
    }

    /** A hundred requests a second, of which those of the last third time out. */
    private static RunFixture hung(int seconds) {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= seconds; second++) {
            (3 * second <= 2 * seconds ? run.answered(100, 2 * MS) : run.timedOut(100, S)).until(second * S);
        }
        return run.workload(quiet().result().plan().workload(), Duration.ofSeconds(seconds))
                .ended(RunSpan.Ending.COMPLETE, seconds * S);
    }

    /** Certainty is for what was asked: the failures of a run are a fact. */
    @ParameterizedTest(name = "{0} s")
    @ValueSource(ints = {10, 30})
    void sure_does_not_turn_a_miss_of_the_default_objective_into_success(int seconds) {
        for (RequiredCertainty rigour : List.of(RequiredCertainty.PLAIN, SURE)) {
            RunVerdict verdict =
                    RunVerdict.of(Observations.of(hung(seconds).result()), ServiceLevelObjective.defaults(), rigour);
            assertThat(verdict.service()).isEqualTo(Service.MISSED);
        }
        assertThat(exitCode(hung(seconds), SURE, "errors<1%")).isEqualTo(ExitCode.UNSOUND);
    }

    /** One request in three seconds, of 2 ms. */
    private static RunFixture few(int count) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= count; i++) {
            run.answered(1, 2 * MS).until(3 * i * S);
        }
        return run.ended(RunSpan.Ending.COMPLETE, 3 * count * S);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"mean<50ms, 49, 'mean needs 50 requests, got 49'", "p90<50ms, 49, 'p90 needs 50 requests, got 49'"})
    void sure_meets_nothing_that_too_few_requests_leave_open(String slo, int count, String why) {
        for (RequiredCertainty rigour : List.of(RequiredCertainty.PLAIN, SURE)) {
            JudgedObjective open = RunVerdict.of(
                            Observations.of(few(count).result()), List.of(ServiceLevelObjective.parse(slo)), rigour)
                    .objectives()
                    .get(0);
            assertThat(open.status()).isEqualTo(JudgedObjective.Status.UNDECIDED);
            assertThat(open.reason()).isEqualTo(why);
            assertThat(exitCode(few(count + 1), rigour, slo)).isEqualTo(ExitCode.MET);
        }
    }

    /** Ten seconds, and one slow request more or less than the limit allows. */
    private static RunFixture brief(int slow) {
        return new RunFixture()
                .answered(1_000 - slow, 30 * MS)
                .answered(slow, 50 * MS)
                .until(10 * S);
    }

    @Test
    void a_run_too_short_for_an_interval_is_uncertain_where_independent_requests_would_be() {
        JudgedObjective missed = verdict(brief(60), "p95<40ms").objectives().get(0);
        assertThat(missed.word()).isEqualTo("MISSED, uncertain");
        assertThat(missed.reason())
                .matches("measured 50\\.\\d ms, uncertain \\(95 % CI at best 30\\.0 ms to 50\\.\\d ms\\)");
        assertThat(exitCode(brief(60), RequiredCertainty.PLAIN, "p95<40ms")).isEqualTo(ExitCode.MISSED);
        assertThat(verdict(brief(40), "p95<40ms").objectives().get(0).word()).isEqualTo("met, uncertain");
        assertThat(exitCode(brief(40), RequiredCertainty.PLAIN, "p95<40ms")).isEqualTo(ExitCode.MET);
        assertThat(verdict(brief(100), "p95<40ms").objectives().get(0).word()).isEqualTo("MISSED");
        assertThat(verdict(brief(20), "p95<40ms").objectives().get(0).word()).isEqualTo("met");
    }

    @Test
    void nor_is_a_mean_sure_there() {
        JudgedObjective missed = verdict(brief(60), "mean<31ms").objectives().get(0);
        assertThat(missed.word()).isEqualTo("MISSED, uncertain");
        assertThat(missed.reason()).endsWith(", uncertain (95 % CI at best 30.9 ms to 31.5 ms)");
        assertThat(verdict(brief(60), "mean<30.5ms").objectives().get(0).word()).isEqualTo("MISSED");
        assertThat(verdict(brief(60), "mean<32ms").objectives().get(0).word()).isEqualTo("met");
    }

    @Test
    void an_end_that_nobody_saw_bounds_no_interval() {
        RunFixture run = new RunFixture().answered(940, 30 * MS).timedOut(60, S).until(10 * S);
        assertThat(verdict(run, "p95<40ms").objectives().get(0).reason())
                .isEqualTo("measured at least 1.00 s, uncertain (95 % CI at best above 30.0 ms)");
    }

    @Test
    void answers_that_all_fail_are_a_sound_measurement_of_a_service_that_missed() {
        RunFixture run = new RunFixture().failedResponse(1_000, "HTTP 500", 3 * MS);
        RunVerdict verdict = verdict(run, "errors<1%");
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(verdict.service()).isEqualTo(Service.MISSED);
        assertThat(exitCode(
                        new RunFixture().failedResponse(1_000, "HTTP 500", 3 * MS),
                        RequiredCertainty.PLAIN,
                        "errors<1%"))
                .isEqualTo(ExitCode.MISSED);
        assertThat(exitCode(new RunFixture().failed(9, "connection refused", MS), RequiredCertainty.PLAIN, "errors<1%"))
                .isEqualTo(ExitCode.NOTHING);
    }

    @Test
    void one_missed_objective_outweighs_those_that_are_undecided_or_met() {
        assertThat(verdict(quiet(), "p50<9ms", "p99.999<9ms", "max<1ms").service())
                .isEqualTo(Service.MISSED);
        assertThat(verdict(quiet(), "p50<9ms", "p99.999<9ms").service()).isEqualTo(Service.UNDECIDED);
        assertThat(verdict(quiet()).service()).isEqualTo(Service.NONE);
    }

    @Test
    void a_lost_request_is_reported_as_a_bug() {
        RunVerdict verdict = verdict(quiet().unplanned(2));
        RunDefect.LedgerMismatch mismatch = only(RunDefect.LedgerMismatch.class, verdict);
        assertThat(mismatch.isDoubt()).isTrue();
        assertThat(mismatch.text()).contains("LEDGER MISMATCH", "50,000", "50,002", "a bug in Downbeat");
    }

    @Test
    void nothing_answered_is_no_measurement() {
        RunVerdict verdict =
                verdict(new RunFixture().failed(9, "connection refused", MS).failed(1, "reset", MS));
        RunDefect.NothingAnswered nothing = only(RunDefect.NothingAnswered.class, verdict);
        assertThat(nothing.text()).contains("none of 10 requests", "connection refused");
        assertThat(verdict.measurement()).isEqualTo(Soundness.UNSOUND);
        RunVerdict timedOut = verdict(new RunFixture().timedOut(3, S));
        assertThat(only(RunDefect.NothingAnswered.class, timedOut).text())
                .endsWith("so there is no response time to show");
        assertThat(timedOut.measurement()).isEqualTo(Soundness.SOUND);
    }

    @Test
    void a_broken_run_is_unsound_and_says_why() {
        RunVerdict verdict = verdict(quiet().broke("index 5 out of bounds", 3_812 * MS));
        RunDefect.Broken broken = only(RunDefect.Broken.class, verdict);
        assertThat(broken.isDoubt()).isTrue();
        assertThat(broken.text()).contains("after 3.8 s", "index 5 out of bounds");
    }

    @Test
    void an_interrupted_run_is_sound_but_partial() {
        RunVerdict verdict = verdict(quiet().neverSent(5, MS).ended(RunSpan.Ending.INTERRUPTED, 3_812 * MS));
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        assertThat(only(RunDefect.Interrupted.class, verdict).text()).contains("after 3.8 s", "that part only");
        assertThat(codes(verdict)).doesNotContain("not_sent");
    }

    @Test
    void doubts_stand_before_notes() {
        RunVerdict verdict = verdict(new RunFixture()
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
    void every_caveat_is_one_line_with_its_own_name() {
        RunVerdict everything = verdict(new RunFixture()
                .workload(new Workload.Closed(3, ThinkTime.none()), Duration.ofSeconds(20))
                .answered(900, 9 * MS, 0, MS)
                .timedOut(100, S)
                .neverSent(1, S)
                .unplanned(1)
                .backlog(99, S)
                .full(2 * S, 2 * S)
                .health(RunFixture.stoodStillFor(2 * S)));
        RunVerdict broken = verdict(new RunFixture().failed(1, "refused", MS).broke("x", S), "p99<1s");
        RunVerdict stopped = verdict(new RunFixture().answered(1, MS).ended(RunSpan.Ending.INTERRUPTED, S));
        RunVerdict few = verdict(new RunFixture().answered(9, MS), "p99<1s");
        Stream<Caveat> ofTime = Stream.of(
                new Unsteady.NotSteady(changed(0, Stationarity.Shape.DRIFTS, 1.5, 0), 0, 60 * S),
                new Unsteady.NotSteady(changed(0, Stationarity.Shape.JUMPS, 2, 30), 30 * S, 60 * S),
                new Unsteady.NotSteady(changed(25, Stationarity.Shape.NEVER_SETTLES, 1, 0), 0, 60 * S),
                new Unsteady.SlowSpell(new Stationarity.Slower(13, 18, 3), 13 * S, 18 * S),
                new Unsteady.WarmUp(9 * S),
                new LoadCaveat.NotOffered(0.8, 3 * S, S),
                new LoadCaveat.OwnLimit("too many open files", 3, 10),
                new DataLimit.NotFollowed(90, 1_000),
                new OwnDelay.OftenLate(S, 10 * S),
                new LoadCaveat.ConsumersFull(60, 100, 0),
                new LoadCaveat.Overloaded(List.of(new Overload(
                        0, 20 * S, 20 * S, true, 800, 177, 0, Optional.empty(), false, Optional.empty()))));
        Stream<Caveat> ofShards = Stream.of(
                new RunDefect.CutOff(S, 3),
                new RunDefect.MessagesOfOthers(1, 2, 1, 0, 0, false, false),
                new RunDefect.UnaskedLines(1),
                new RunDefect.WorkLeftBehind(20, true),
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
                        "messages_of_others",
                        "unasked_lines",
                        "work_left_behind",
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
                        "slow_spell",
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

    private static Stationarity changed(int start, Stationarity.Shape shape, double change, int at) {
        Stationarity.Ends ends = new Stationarity.Ends(MS, MS * change);
        return new Stationarity(start, shape, 50, ends, at, true, OptionalDouble.empty(), Optional.empty());
    }
}
