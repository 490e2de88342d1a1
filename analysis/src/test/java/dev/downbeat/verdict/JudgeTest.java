package dev.downbeat.verdict;

import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static dev.downbeat.verdict.RunFixture.STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.JudgedObjective.Status;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.CaveatText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What invalidates an answer, and what does not; how far a measurement is sound; what a script is told. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JudgeTest {
    private static final RequiredCertainty SURE = new RequiredCertainty(true, false);
    private static final RequiredCertainty STRICT = new RequiredCertainty(false, true);

    private static JudgedObjective judged(RunFixture run, RequiredCertainty rigour, String slo) {
        return RunVerdict.of(Observations.of(run.result()), List.of(ServiceLevelObjective.parse(slo)), rigour)
                .objectives()
                .get(0);
    }

    private static RunFixture late() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(900, 2 * S, 0, MS).until(second * S);
        }
        return run;
    }

    static Stream<Arguments> invalid() {
        return Stream.of(
                Arguments.of("lost requests", quiet().unplanned(1), "requests are unaccounted for", Status.UNDECIDED),
                Arguments.of("a bug", quiet().broke("x", S), "the run failed", Status.UNDECIDED),
                Arguments.of(
                        "killed",
                        quiet().ended(RunSpan.Ending.CUT_OFF, 20 * S),
                        "the recording is incomplete",
                        Status.MISSED),
                Arguments.of(
                        "a load that was not offered",
                        quiet().keptBy("no port", 5_000),
                        "the planned load was not offered",
                        Status.MISSED),
                Arguments.of(
                        "a shard that is missing",
                        quiet().shards(ShardRun.missing(1)),
                        "not all shards can be trusted",
                        Status.MISSED));
    }

    /** What was missed in spite of it is missed, unless no number of the run can be trusted. */
    @ParameterizedTest(name = "{0}: but {2}; what was missed is {3}")
    @MethodSource("invalid")
    void a_measurement_in_doubt_meets_nothing(String name, RunFixture run, String why, Status missed) {
        List<JudgedObjective> objectives = verdict(run, "p50<1s", "p50<1ms").objectives();
        assertThat(objectives.get(0).status()).isEqualTo(Status.UNDECIDED);
        assertThat(objectives.get(0).reason()).endsWith(", but " + why);
        assertThat(objectives.get(1).status()).isEqualTo(missed);
    }

    @Test
    void strict_reports_a_doubtful_measurement() {
        RunFixture run = new RunFixture().answered(50_000, 40 * MS, 0, 90 * MS);
        assertThat(judged(run, STRICT, "p99<1s").reason()).endsWith(", but the measurement is in doubt");
    }

    @Test
    void an_objective_of_a_name_that_no_request_has_is_missed_unless_the_run_was_stopped() {
        JudgedObjective never = judged(quiet(), RequiredCertainty.PLAIN, "buy: p99<1s");
        assertThat(never.status()).isEqualTo(Status.MISSED);
        assertThat(never.reason()).isEqualTo("no request has this name");
        RunFixture stopped = quiet().ended(RunSpan.Ending.INTERRUPTED, S);
        assertThat(judged(stopped, RequiredCertainty.PLAIN, "buy: p99<1s").status())
                .isEqualTo(Status.UNDECIDED);
    }

    static Stream<Arguments> live() {
        return Stream.of(
                Arguments.of(Workload.External.ofCallers(), Status.UNDECIDED),
                Arguments.of(Workload.External.ofQueue(), Status.UNDECIDED),
                Arguments.of(Workload.External.ofGenerator(), Status.UNDECIDED),
                Arguments.of(new Workload.External("open", "open, driven by Gatling: 5 users", 0), Status.MISSED));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("live")
    void in_a_live_interval_no_request_needs_to_have_the_name_of_an_objective(Workload workload, Status expected) {
        RunFixture minute = quiet().workload(workload, Duration.ofSeconds(60));
        JudgedObjective rare = judged(minute, RequiredCertainty.PLAIN, "/checkout: p99<1s");
        assertThat(rare.status()).isEqualTo(expected);
        assertThat(rare.reason()).isEqualTo("no request has this name");
    }

    @Test
    void an_objective_of_a_name_is_undecided_if_further_names_were_counted_together() {
        RunResult run = quiet().result();
        Recording total = run.recording();
        RunResult crowded = run.with(total.withNames(Map.of("/r1", total, Recording.OTHERS, total)));
        JudgedObjective late = RunVerdict.of(crowded, List.of(ServiceLevelObjective.parse("/checkout: p99<1s")))
                .objectives()
                .get(0);
        assertThat(late.status()).isEqualTo(Status.UNDECIDED);
        assertThat(late.reason()).isEqualTo("no row has this name, but (other names) may include it");
    }

    /** A recorder gives the name of an objective a row from its first take on. */
    @Test
    void in_a_live_interval_further_names_include_that_of_an_objective_at_most_in_its_first_take() {
        RunResult run = quiet().workload(Workload.External.ofCallers(), Duration.ofSeconds(60))
                .result();
        Recording total = run.recording();
        RunResult crowded = run.with(total.withNames(Map.of("/r1", total, Recording.OTHERS, total)));
        JudgedObjective rare = RunVerdict.of(crowded, List.of(ServiceLevelObjective.parse("/checkout: p99<1s")))
                .objectives()
                .get(0);
        assertThat(rare.status()).isEqualTo(Status.UNDECIDED);
        assertThat(rare.reason())
                .isEqualTo("no row has this name, but in its objective's first take (other names) may include it");
    }

    /** Twice as slow from the middle on, for 40 s. */
    private static RunFixture jump() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 40; second++) {
            run.answered(500, (second <= 20 ? 2 : 4) * MS + second * 7 % 11 * 10_000)
                    .until(second * S);
        }
        return run.workload(quietLoad(), Duration.ofSeconds(40)).ended(RunSpan.Ending.COMPLETE, 40 * S);
    }

    private static Workload quietLoad() {
        return quiet().result().plan().workload();
    }

    @Test
    void for_an_unsteady_service_met_is_uncertain_and_missed_is_certain() {
        JudgedObjective met = judged(jump(), RequiredCertainty.PLAIN, "p99<50ms");
        assertThat(met.word()).isEqualTo("met, uncertain");
        assertThat(met.reason()).endsWith(", uncertain (response times jump)");
        assertThat(judged(jump(), RequiredCertainty.PLAIN, "p99<3ms").word()).isEqualTo("MISSED");
        JudgedObjective open = judged(jump(), STRICT, "p99<50ms");
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).endsWith(", but response times jump");
        assertThat(judged(jump(), SURE, "mean<50ms").status()).isEqualTo(Status.UNDECIDED);
        assertThat(judged(jump(), SURE, "errors<1%").status()).isEqualTo(Status.MET);
        assertThat(judged(jump(), RequiredCertainty.PLAIN, "errors<1%").isUnsure())
                .isFalse();
    }

    /** Seconds whose medians lie between 30 and 40 ms. */
    private static RunFixture restless() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(1_000, (30 + second * 7 % 11) * MS).until(second * S);
        }
        return run;
    }

    /** The interval of the median is from 32 to 38 ms or so, that of the mean is as wide. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "p50<30ms, MISSED", "p50<34ms, 'MISSED, uncertain'", "p50<36ms, 'met, uncertain'", "p50<41ms, met",
        "mean<30ms, MISSED", "mean<34.5ms, 'MISSED, uncertain'", "mean<35.5ms, 'met, uncertain'", "mean<41ms, met",
        "max<30ms, MISSED", "max<40.1ms, met"
    })
    void an_estimate_whose_interval_holds_the_limit_is_not_sure(String slo, String word) {
        assertThat(judged(restless(), RequiredCertainty.PLAIN, slo).word()).isEqualTo(word);
    }

    @Test
    void uncertainty_is_reported_with_the_interval() {
        assertThat(judged(restless(), RequiredCertainty.PLAIN, "p50<36ms").reason())
                .matches("measured 35\\.\\d ms, uncertain \\(95 % CI 3[1-4]\\.\\d ms to 3[6-9]\\.\\d ms\\)");
        assertThat(judged(restless(), RequiredCertainty.PLAIN, "mean<35.5ms").reason())
                .matches("measured 35\\.\\d ms, uncertain \\(95 % CI 3[1-4]\\.\\d ms to 3[5-9]\\.\\d ms\\)");
    }

    /** For those who ask to be sure, what is above the limit must be so without what may be ours. */
    @Test
    void sure_misses_only_what_is_missed_without_own_delay() {
        assertThat(judged(steady(300 * MS, 203 * MS), SURE, "p99<100ms").status())
                .isEqualTo(Status.MISSED);
        JudgedObjective open = judged(steady(30 * MS, 90 * MS), SURE, "p99<100ms");
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).contains("of it may be Downbeat's. " + CaveatText.HELP);
        assertThat(judged(steady(30 * MS, 90 * MS), SURE, "max<100ms").status()).isEqualTo(Status.UNDECIDED);
        assertThat(judged(steady(30 * MS, 90 * MS), SURE, "p99<130ms").status()).isEqualTo(Status.MET);
    }

    private static RunFixture steady(long lateNanos, long serviceNanos) {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(1_000, lateNanos, 0, serviceNanos).until(second * S);
        }
        return run;
    }

    /** The words also follow "the measurement is". */
    @Test
    void a_maximum_that_alone_is_sound_is_named() {
        RunFixture run = new RunFixture().answered(49_999, 5 * MS, 0, 5 * MS).answered(1, S);
        assertThat(verdict(run, "max<2s").measurementInWords()).isEqualTo("sound only at max");
    }

    @Test
    void each_row_is_sound_or_partly_Downbeats() {
        // of 50,000 requests the slowest two in a hundred were sent 28 ms late
        RunFixture tail = new RunFixture().answered(49_000, 2 * MS).answered(1_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(tail).rows().upTo()).isEqualTo(OptionalDouble.of(95));
        RunFixture half = new RunFixture().answered(26_000, 2 * MS).answered(24_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(half).rows().upTo()).isEqualTo(OptionalDouble.of(50));
        // a median of 2 ms holds 1 ms of ours: the half second of the slowest tenth is the service's all the same
        RunFixture early = new RunFixture().answered(45_000, MS, 0, MS).answered(5_000, MS, 0, 500 * MS);
        assertThat(verdict(early).measurement()).isEqualTo(RunVerdict.Soundness.PARTLY_SOUND);
        assertThat(verdict(early).measurementInWords()).isEqualTo("sound from p95 on");
        assertThat(verdict(early).hasSoundTimes()).isTrue();
        // below a millisecond a part is a part
        RunFixture fast = new RunFixture().answered(50_000, 400_000, 0, 60_000);
        assertThat(verdict(fast).measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        RunFixture all = new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(all).measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        RunFixture errors = new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(errors, "errors<2%").measurement()).isEqualTo(RunVerdict.Soundness.PARTLY_SOUND);
        RunFixture mixed = new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(mixed, "errors<1%", "p90<20ms").measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        RunFixture decided = new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(decided, "mean<1s").measurement()).isEqualTo(RunVerdict.Soundness.PARTLY_SOUND);
        RunFixture open = new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS);
        assertThat(verdict(open, "p50<1s", "p90<20ms").measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
    }

    @Test
    void doubts_are_listed_only_for_an_unsound_measurement() {
        RunVerdict partly = verdict(new RunFixture().answered(50_000, 28 * MS, 0, 2 * MS), "mean<1s");
        assertThat(partly.doubts()).isEmpty();
        assertThat(partly.measurementInWords()).isEqualTo("sound enough to decide");
        RunVerdict unsound = verdict(quiet().unplanned(1).backlog(50, S));
        assertThat(unsound.doubts()).extracting(Caveat::code).containsExactly("ledger_mismatch");
        assertThat(unsound.measurementInWords()).isEqualTo("UNSOUND");
        assertThat(verdict(quiet()).measurementInWords()).isEqualTo("sound");
    }

    @Test
    void answers_that_were_found_before_take_the_place_of_the_others() {
        RunVerdict verdict = verdict(quiet(), "p50<1s");
        JudgedObjective open = JudgedObjective.unobserved(ServiceLevelObjective.parse("p50<1s"), "x");
        RunVerdict with = verdict.with(RunVerdict.Service.UNDECIDED, List.of(open));
        assertThat(with.service()).isEqualTo(RunVerdict.Service.UNDECIDED);
        assertThat(with.objectives()).containsExactly(open);
        assertThat(with.caveats()).isEqualTo(verdict.caveats());
    }

    private static int exitCode(RunFixture run, boolean acceptUnsound, String... slos) {
        return Judged.exitCode(run, RequiredCertainty.PLAIN, acceptUnsound, slos);
    }

    @Test
    void a_script_gets_the_answer_and_whether_there_is_one() {
        assertThat(exitCode(quiet(), false)).isEqualTo(ExitCode.MET);
        assertThat(exitCode(quiet(), false, "p50<1s")).isEqualTo(ExitCode.MET);
        assertThat(exitCode(quiet(), true, "p50<1ms")).isEqualTo(ExitCode.MISSED);
        assertThat(exitCode(quiet(), false, "p99.9999<1s")).isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(quiet(), true, "p99.9999<1s")).isEqualTo(ExitCode.MET);
        assertThat(exitCode(quiet().unplanned(1), false)).isEqualTo(ExitCode.UNSOUND);
        assertThat(exitCode(quiet().unplanned(1), true)).isEqualTo(ExitCode.MET);
    }

    /** A service that was reached was measured, whatever it said. */
    @Test
    void nothing_was_measured_only_if_every_request_failed_and_none_with_an_answer() {
        assertThat(exitCode(new RunFixture().failed(9, "refused", MS), true)).isEqualTo(ExitCode.NOTHING);
        assertThat(exitCode(new RunFixture().failed(9, "refused", MS).answered(1, MS), true))
                .isEqualTo(ExitCode.MET);
        assertThat(exitCode(new RunFixture().failed(9, "refused", MS).timedOut(1, S), true))
                .isEqualTo(ExitCode.MET);
        assertThat(exitCode(new RunFixture().failed(9, "refused", MS).failedResponse(1, "HTTP 503", MS), true))
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void a_run_without_a_single_request_measured_nothing() {
        assertThat(exitCode(new RunFixture(), false)).isEqualTo(ExitCode.NOTHING);
        assertThat(exitCode(new RunFixture(), true, "errors<1%")).isEqualTo(ExitCode.NOTHING);
    }

    @Test
    void a_shard_alone_may_be_trusted() {
        assertThat(verdict(quiet().start(STARTED)).measurement()).isEqualTo(RunVerdict.Soundness.SOUND);
        assertThat(verdict(late(), "p50<10s").measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
    }
}
