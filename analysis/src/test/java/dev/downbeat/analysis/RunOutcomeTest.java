package dev.downbeat.analysis;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Finding.Tone;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunOutcomeTest {
    private static RunOutcome outcome(RunFixture run, boolean accept, String... slos) {
        return analysis(run, accept, slos).outcome();
    }

    private static Analysis analysis(RunFixture run, boolean accept, String... slos) {
        List<ServiceLevelObjective> asked = ServiceLevelObjective.withDefaults(
                Stream.of(slos).map(ServiceLevelObjective::parse).toList());
        return analysis(run, RequiredCertainty.PLAIN, accept, asked);
    }

    private static Analysis analysis(
            RunFixture run, RequiredCertainty rigour, boolean accept, List<ServiceLevelObjective> objectives) {
        return Analysis.of(run.result(), new Criteria(objectives, rigour, accept));
    }

    /** 50,000 requests of which 2 ms are the service's, and 18 ms Downbeat's. */
    private static RunFixture crowded() {
        return new RunFixture().answered(50_000, 18 * MS, 0, 2 * MS);
    }

    private static RunFixture quiet() {
        return new RunFixture().answered(50_000, 2 * MS);
    }

    /** Nothing that a misspelt name asks for could ever fail. */
    @Test
    void an_objective_on_a_name_that_no_request_has_is_missed() {
        assertThat(outcome(quiet(), false, "buy: p99<1s").exitCode()).isEqualTo(99);
    }

    @Test
    void objectives_decide_the_exit_code() {
        assertThat(outcome(quiet(), false)).isEqualTo(new RunOutcome(RunOutcome.Conclusion.MET, Tone.GOOD));
        assertThat(outcome(quiet(), false, "p99<5ms").exitCode()).isZero();
        assertThat(outcome(quiet(), false, "p99<1ms"))
                .isEqualTo(new RunOutcome(RunOutcome.Conclusion.MISSED, Tone.BAD));
        assertThat(outcome(quiet(), false, "p99.9999<5ms"))
                .isEqualTo(new RunOutcome(RunOutcome.Conclusion.UNDECIDED, Tone.OPEN));
        assertThat(outcome(quiet(), true, "p99.9999<5ms").exitCode()).isZero();
    }

    @Test
    void missed_outweighs_undecided() {
        assertThat(outcome(quiet(), false, "p99.9999<5ms", "p50<1ms").exitCode())
                .isEqualTo(99);
    }

    @Test
    void a_run_without_objectives_ends_with_0_however_doubtful_its_times() {
        assertThat(outcome(crowded(), false).exitCode()).isZero();
        assertThat(outcome(crowded(), false).tone()).isEqualTo(Tone.OPEN);
        assertThat(outcome(crowded(), false, "p50<10ms").exitCode()).isEqualTo(98);
        assertThat(outcome(crowded(), false, "p50<1s").exitCode()).isZero();
    }

    /** The queue would have delivered them, so none is missed; but a run of timeouts does not pass. */
    @Test
    void errors_by_busy_consumers_are_undecided_even_by_default() {
        TargetCounts busy =
                new TargetCounts(Map.of("consumer milliseconds", 60_000L, "consumer milliseconds at work", 59_000L));
        RunFixture late =
                new RunFixture().answered(500, 2 * MS).timedOut(500, S).counts(busy);
        assertThat(outcome(late, false).exitCode()).isEqualTo(98);
        assertThat(analysis(late, false).findings()).extracting(Finding::kind).contains(Finding.Kind.UNDECIDED);
        assertThat(outcome(late, true).exitCode()).isZero();
        assertThat(outcome(quiet().counts(busy), false).exitCode()).isZero();
    }

    @Test
    void a_limit_of_errors_that_was_asked_for_is_not_the_default() {
        RunFixture unfinished = new RunFixture().answered(980, 2 * MS).inFlight(20, 30 * MS);
        assertThat(outcome(unfinished, false).exitCode()).isZero();
        assertThat(outcome(unfinished, false, "errors<1%").exitCode()).isEqualTo(98);
        assertThat(outcome(crowded(), false, "errors<1%").exitCode()).isZero();
    }

    @Test
    void a_record_that_does_not_add_up_is_no_success_whatever_was_asked() {
        assertThat(outcome(quiet().unplanned(1), false).exitCode()).isEqualTo(98);
        assertThat(outcome(quiet().unplanned(1), true).exitCode()).isZero();
        assertThat(analysis(quiet().unplanned(1), false).first().kind()).isEqualTo(Finding.Kind.RECORD_BROKEN);
    }

    @Test
    void a_strict_run_is_open_if_its_measurement_is_doubtful_although_nothing_was_asked() {
        RequiredCertainty strict = new RequiredCertainty(false, true);
        List<ServiceLevelObjective> defaults = ServiceLevelObjective.withDefaults(List.of());
        assertThat(analysis(crowded(), strict, false, defaults).outcome().exitCode())
                .isEqualTo(98);
        assertThat(analysis(crowded(), strict, true, defaults).outcome().exitCode())
                .isZero();
        assertThat(analysis(quiet(), strict, false, defaults).outcome().exitCode())
                .isZero();
    }

    @Test
    void only_a_service_that_was_not_reached_was_not_measured() {
        assertThat(outcome(new RunFixture().failed(10, "refused", MS), false).exitCode())
                .isEqualTo(1);
        assertThat(outcome(new RunFixture().failedResponse(10, "HTTP 503", MS), false)
                        .exitCode())
                .isEqualTo(99);
        assertThat(outcome(new RunFixture().failed(9, "refused", MS).timedOut(1, S), false)
                        .exitCode())
                .isEqualTo(99);
    }

    /** Ten requests of a second's run that end at once, to a service that takes five. */
    @Test
    void a_run_without_an_answer_is_never_a_success() {
        assertThat(outcome(unanswered(), false).exitCode()).isEqualTo(98);
        assertThat(outcome(unanswered(), true).exitCode()).as("accepted").isZero();
        assertThat(outcome(unanswered(), false, "errors<1%").exitCode()).isEqualTo(98);
        assertThat(outcome(unanswered(), false, "p50<500ms").exitCode()).isEqualTo(99);
        assertThat(outcome(unanswered(), false, "p50<5s").exitCode()).isEqualTo(98);
        assertThat(outcome(new RunFixture().timedOut(10, S), false, "errors<=100%")
                        .exitCode())
                .isEqualTo(98);
        assertThat(outcome(new RunFixture().neverSent(10, S), false).exitCode()).isEqualTo(98);
    }

    private static RunFixture unanswered() {
        return new RunFixture().inFlight(10, S);
    }

    @Test
    void of_several_runs_the_worst_decides() {
        Analysis met = analysis(quiet(), false);
        Analysis missed = analysis(quiet(), false, "p99<1ms");
        Analysis nothing = analysis(new RunFixture().failed(10, "refused", MS), false);
        Analysis notDue = analysis(new RunFixture(), false);
        assertThat(Analysis.outcomeOf(List.of(met, met)).exitCode()).isZero();
        assertThat(Analysis.outcomeOf(List.of(met, missed)).exitCode()).isEqualTo(99);
        assertThat(Analysis.outcomeOf(List.of(met, nothing)).exitCode()).isEqualTo(99);
        assertThat(Analysis.outcomeOf(List.of(nothing, nothing)).exitCode()).isEqualTo(1);
        assertThat(Analysis.outcomeOf(List.of(met, notDue)).exitCode()).isEqualTo(98);
        assertThat(Analysis.outcomeOf(List.of(notDue, notDue)).exitCode()).isEqualTo(1);
    }
}
