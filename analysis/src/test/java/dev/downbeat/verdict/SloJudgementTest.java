package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.VirtualRun;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.JudgedObjective.Status;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SloJudgementTest {
    private static Status judge(String slo, RunFixture run) {
        return objective(slo, run.result()).status();
    }

    private static JudgedObjective objective(String slo, RunResult result) {
        return ObservedJudgement.of(ServiceLevelObjective.parse(slo), Observations.of(result));
    }

    @Test
    void a_percentile_is_met_or_missed_by_the_nearest_rank() {
        assertThat(judge("p99<50ms", new RunFixture().answered(990, MS).answered(10, 80 * MS)))
                .isEqualTo(Status.MET);
        assertThat(judge("p99<50ms", new RunFixture().answered(989, MS).answered(11, 80 * MS)))
                .isEqualTo(Status.MISSED);
    }

    @Test
    void the_observed_value_is_reported() {
        JudgedObjective missed = objective(
                "p99<50ms",
                new RunFixture().answered(989, MS).answered(11, 80 * MS).result());
        assertThat(missed.valueNanos().getAsLong()).isBetween(80 * MS, 80 * MS + 80_000);
        assertThat(missed.reason()).isEqualTo("measured 80.0 ms");
        assertThat(missed.isLowerBound()).isFalse();
        assertThat(missed.valueShare()).isEmpty();
    }

    /** "Missed p99 <= 200 ms: was 200 ms" would contradict itself. */
    @Test
    void a_value_that_reads_like_its_limit_has_all_its_digits() {
        JudgedObjective missed = objective(
                "p99<=200ms", new RunFixture().answered(1_000, 200_100_000).result());
        assertThat(missed.status()).isEqualTo(Status.MISSED);
        assertThat(missed.reason()).matches("measured 200\\.1[0-9]+ ms");
    }

    /** Their upper edge is beyond the limit, but no request was. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"p50", "p99", "max", "mean"})
    void a_time_that_is_recorded_as_its_limit_would_be_is_equal_to_it(String subject) {
        RunFixture all = new RunFixture().answered(1_000, 2 * MS);
        assertThat(judge(subject + "<=2ms", all)).isEqualTo(Status.MET);
        JudgedObjective missed = objective(subject + "<2ms", all.result());
        assertThat(missed.status()).isEqualTo(Status.MISSED);
        assertThat(missed.reason()).isEqualTo("measured 2 ms");
        assertThat(judge(subject + "<=2ms", new RunFixture().answered(1_000, 2 * MS + 2_000)))
                .as("beyond the precision of the recording")
                .isEqualTo(Status.MISSED);
    }

    /** A mean is computed from many times, so it may be below a limit by less than their precision. */
    @Test
    void a_mean_just_below_its_limit_meets_it() {
        RunFixture almost = new RunFixture().answered(1_000, 1_999_000).answered(1_000, 2_000_850);
        for (String slo : List.of("mean<2ms", "mean<=2ms")) {
            JudgedObjective met = objective(slo, almost.result());
            assertThat(met.status()).isEqualTo(Status.MET);
            assertThat(met.reason()).matches("measured 1\\.999[0-9]* ms");
        }
    }

    @Test
    void failed_requests_are_not_among_those_of_a_percentile() {
        assertThat(judge("p99<50ms", new RunFixture().answered(1_000, MS).failed(500, "HTTP 500", 9 * S)))
                .isEqualTo(Status.MET);
    }

    @Test
    void censored_requests_miss_an_objective_that_their_age_already_breaks() {
        JudgedObjective missed = objective(
                "p99<50ms", new RunFixture().answered(900, MS).timedOut(100, S).result());
        assertThat(missed.status()).isEqualTo(Status.MISSED);
        assertThat(missed.isLowerBound()).isTrue();
        assertThat(missed.reason()).isEqualTo("measured at least 1.00 s");
    }

    @Test
    void censored_requests_leave_an_objective_undecided_that_their_age_keeps() {
        JudgedObjective open = objective(
                "p99<2s", new RunFixture().answered(900, MS).inFlight(100, S).result());
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.valueNanos()).isPresent();
        assertThat(open.isLowerBound()).isTrue();
    }

    @Test
    void censored_requests_beyond_the_percentile_do_no_harm() {
        assertThat(judge("p99<50ms", new RunFixture().answered(995, MS).neverSent(5, S)))
                .isEqualTo(Status.MET);
    }

    @Test
    void too_few_requests_leave_a_percentile_undecided_and_without_a_value() {
        JudgedObjective open =
                objective("p99<50ms", new RunFixture().answered(499, MS).result());
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.valueNanos()).isEmpty();
        assertThat(open.reason()).isEqualTo("p99 needs 500 requests, got 499");
        assertThat(judge("p99<50ms", new RunFixture().answered(500, MS))).isEqualTo(Status.MET);
    }

    @Test
    void however_few_requests_there_are_more_slow_ones_than_chance_explains_miss() {
        assertThat(judge("p99<50ms", new RunFixture().answered(96, MS).answered(4, 80 * MS)))
                .isEqualTo(Status.MISSED);
        assertThat(judge("p99<50ms", new RunFixture().answered(1, 80 * MS))).isEqualTo(Status.MISSED);
        JudgedObjective open = objective(
                "p99<50ms",
                new RunFixture().answered(97, MS).answered(3, 80 * MS).result());
        assertThat(open.status()).as("eight of a hundred such runs").isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).isEqualTo("p99 needs 500 requests, got 100");
        assertThat(judge("p95<50ms", new RunFixture().answered(1, 80 * MS))).isEqualTo(Status.UNDECIDED);
    }

    @Test
    void few_requests_that_one_stall_delayed_miss() {
        RunResult stalled = new VirtualRun(RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(20))))
                        .duration(Duration.ofSeconds(20))
                        .build())
                .trouble(lane -> lane.freeze(8 * S, 8 * S + 300 * MS))
                .result();
        JudgedObjective missed = objective("p99<50ms", stalled);
        assertThat(missed.status()).isEqualTo(Status.MISSED);
    }

    @Test
    void a_percentile_that_one_stall_made_has_no_interval() {
        RunResult stalled = new VirtualRun(RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                        .duration(Duration.ofSeconds(30))
                        .build())
                .trouble(lane -> lane.freeze(8 * S, 9 * S))
                .result();
        Observations seen = Observations.of(stalled);
        assertThat(seen.intervals().at(99)).isPresent();
        assertThat(seen.interval(99)).isEmpty();
        assertThat(seen.whyNoInterval(99)).isEqualTo("caused by a single event, whose frequency is unknown");
        assertThat(seen.interval(50)).isEqualTo(seen.intervals().at(50)).isPresent();
    }

    @Test
    void the_maximum_needs_one_request_only() {
        assertThat(judge("max<2ms", new RunFixture().answered(1, MS))).isEqualTo(Status.MET);
        assertThat(judge("max<2ms", new RunFixture().answered(1, 3 * MS))).isEqualTo(Status.MISSED);
        assertThat(judge("max<2s", new RunFixture().answered(99, MS).inFlight(1, S)))
                .isEqualTo(Status.UNDECIDED);
    }

    @Test
    void the_mean_is_a_lower_bound_while_requests_are_out() {
        assertThat(judge("mean<3ms", new RunFixture().answered(50, MS).answered(50, 4 * MS)))
                .isEqualTo(Status.MET);
        assertThat(judge("mean<2ms", new RunFixture().answered(50, MS).answered(50, 4 * MS)))
                .isEqualTo(Status.MISSED);
        assertThat(judge("mean<3ms", new RunFixture().answered(100, MS).inFlight(1, MS)))
                .isEqualTo(Status.UNDECIDED);
        assertThat(judge("mean<3ms", new RunFixture().answered(100, MS).inFlight(50, S)))
                .isEqualTo(Status.MISSED);
    }

    @Test
    void one_request_has_no_mean_to_speak_of() {
        JudgedObjective open =
                objective("mean<5ms", new RunFixture().answered(1, MS).result());
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).isEqualTo("mean needs 50 requests, got 1");
    }

    @Test
    void our_delays_make_an_objective_undecided_only_where_they_could_change_the_answer() {
        assertThat(judge("p50<1s", new RunFixture().answered(1_000, 19 * MS, 0, MS)))
                .isEqualTo(Status.MET);
        assertThat(judge("p99<100ms", new RunFixture().answered(1_000, 500 * MS, 0, 203 * MS)))
                .isEqualTo(Status.MISSED);
        JudgedObjective open = objective(
                "p99<100ms",
                new RunFixture().answered(1_000, 30 * MS, 0, 90 * MS).result());
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason())
                .isEqualTo(
                        "measured 120 ms, up to 30.0 ms of it may be Downbeat's. Use a lower rate, more cores or a quieter"
                                + " machine");
        assertThat(judge("mean<100ms", new RunFixture().answered(1_000, 30 * MS, 0, 90 * MS)))
                .isEqualTo(Status.UNDECIDED);
    }

    @Test
    void requests_that_timed_out_unnoticed_are_not_service_errors() {
        RunFixture late = new RunFixture().answered(900, MS).timedOutUnsent(100, 31 * S, 30 * S);
        assertThat(judge("errors<1%", late)).isEqualTo(Status.UNDECIDED);
        RunFixture waited = new RunFixture().answered(900, MS).timedOutUnsent(100, 30 * S);
        assertThat(judge("errors<1%", waited)).isEqualTo(Status.MISSED);
    }

    @Test
    void nor_are_those_of_one_name() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .duration(Duration.ofSeconds(20))
                .timeout(Duration.ofSeconds(1))
                .build();
        RunResult paused = new VirtualRun(plan)
                .names("place order")
                .trouble(lane -> lane.standStillOurselves(8 * S, 11 * S))
                .result();
        assertThat(objective("errors<1%", paused).status()).isEqualTo(Status.UNDECIDED);
        assertThat(objective("place order: errors<1%", paused).status()).isEqualTo(Status.UNDECIDED);
        RunResult stalled = new VirtualRun(plan)
                .names("place order")
                .trouble(lane -> lane.freeze(8 * S, 11 * S))
                .result();
        assertThat(objective("place order: errors<1%", stalled).status()).isEqualTo(Status.MISSED);
    }

    /** The timeout is 30 s: the answer was there before that, or after. */
    @Test
    void an_answer_that_Downbeat_read_too_late_may_be_an_error() {
        RunFixture late = new RunFixture().answered(900, MS).readLate(100, 31 * S, 30 * S);
        assertThat(judge("errors<1%", late)).isEqualTo(Status.UNDECIDED);
        assertThat(judge("errors<20%", late)).isEqualTo(Status.MET);
        RunFixture sentLate = new RunFixture().answered(900, MS).answered(100, 31 * S, 0, MS);
        assertThat(judge("errors<1%", sentLate)).isEqualTo(Status.MET);
        RunFixture session = new RunFixture().answered(900, MS).answered(100, 0, 0, 31 * S);
        assertThat(judge("errors<1%", session))
                .as("a whole session has no timeout")
                .isEqualTo(Status.MET);
    }

    @Test
    void without_a_response_no_time_can_be_judged() {
        RunFixture run = new RunFixture().failed(100, "connection refused", MS);
        RunResult result = run.result();
        assertThat(objective("p99<1s", result).status()).isEqualTo(Status.UNDECIDED);
        assertThat(objective("mean<1s", result).status()).isEqualTo(Status.UNDECIDED);
        assertThat(objective("max<1s", result).reason()).isEqualTo("nothing was answered");
    }

    @Test
    void failed_and_timed_out_requests_are_errors() {
        assertThat(judge(
                        "errors<1%",
                        new RunFixture()
                                .answered(991, MS)
                                .failed(5, "HTTP 500", MS)
                                .timedOut(4, S)))
                .isEqualTo(Status.MET);
        assertThat(judge(
                        "errors<1%",
                        new RunFixture()
                                .answered(990, MS)
                                .failed(5, "HTTP 500", MS)
                                .timedOut(5, S)))
                .isEqualTo(Status.MISSED);
        assertThat(judge("errors<=1%", new RunFixture().answered(990, MS).failed(10, "HTTP 500", MS)))
                .isEqualTo(Status.MET);
    }

    @Test
    void shares_are_compared_exactly() {
        assertThat(judge("errors<=0.29%", new RunFixture().answered(9_971, MS).failed(29, "HTTP 500", MS)))
                .isEqualTo(Status.MET);
        assertThat(judge("errors<0.29%", new RunFixture().answered(9_971, MS).failed(29, "HTTP 500", MS)))
                .isEqualTo(Status.MISSED);
    }

    @Test
    void requests_that_may_yet_fail_leave_errors_undecided() {
        JudgedObjective open = objective(
                "errors<1%",
                new RunFixture()
                        .answered(985, MS)
                        .failed(5, "HTTP 500", MS)
                        .inFlight(4, S)
                        .neverSent(6, S)
                        .result());
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).isEqualTo("measured between 0.5 % and 1.5 % (5 to 15 of 1,000)");
        assertThat(open.valueShare()).hasValue(0.005);
        assertThat(open.isLowerBound()).isTrue();
        assertThat(judge("errors<1%", new RunFixture().answered(995, MS).inFlight(5, S)))
                .isEqualTo(Status.MET);
        assertThat(judge(
                        "errors<1%",
                        new RunFixture().answered(900, MS).failed(50, "x", MS).inFlight(50, S)))
                .isEqualTo(Status.MISSED);
    }

    @Test
    void the_achieved_rate_is_what_was_answered_of_what_was_planned() {
        assertThat(judge("rate>=99%", new RunFixture().answered(990, MS).failed(10, "x", MS)))
                .isEqualTo(Status.MET);
        assertThat(judge("rate>99%", new RunFixture().answered(990, MS).failed(10, "x", MS)))
                .isEqualTo(Status.MISSED);
        assertThat(judge("rate>=99%", new RunFixture().answered(980, MS).neverSent(20, S)))
                .isEqualTo(Status.MISSED);
        assertThat(judge(
                        "rate>=99%",
                        new RunFixture().answered(980, MS).inFlight(20, S).ended(RunSpan.Ending.INTERRUPTED, S)))
                .isEqualTo(Status.UNDECIDED);
    }

    @Test
    void shares_of_nothing_are_undecided() {
        assertThat(judge("errors<1%", new RunFixture())).isEqualTo(Status.UNDECIDED);
        assertThat(judge("rate>=99%", new RunFixture())).isEqualTo(Status.UNDECIDED);
    }
}
