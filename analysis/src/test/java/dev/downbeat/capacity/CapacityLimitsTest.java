package dev.downbeat.capacity;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.capacity.Capacity.Limit;
import dev.downbeat.capacity.RateStep.StepOutcome;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Growth;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a search found, by steps that are given. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CapacityLimitsTest {
    private static final Recording QUICK = recording(0, 2 * MS);

    private static Recording recording(long waitNanos, long serviceNanos) {
        return new RunFixture()
                .answered(100, 0, waitNanos, serviceNanos)
                .result()
                .recording();
    }

    private static SearchPlan plan(double from, double to, long step, long budget, double precision) {
        return new SearchPlan(
                from,
                to,
                step,
                budget,
                List.of(ServiceLevelObjective.parse("p90<25ms")),
                precision,
                OptionalLong.empty());
    }

    private static RateStep step(double perSecond, StepOutcome outcome, Recording recording, Optional<Growth> growth) {
        return new RateStep(
                perSecond,
                outcome,
                "reason " + perSecond,
                false,
                10 * S,
                recording,
                perSecond,
                growth,
                List.of(),
                List.of());
    }

    private static RateStep step(double perSecond, StepOutcome outcome) {
        return step(perSecond, outcome, QUICK, Optional.empty());
    }

    private static Capacity capacity(RateStep... steps) {
        return new Capacity(plan(100, 1_000, 10 * S, 300 * S, 0.05), List.of(steps), true, Optional.empty(), false);
    }

    @Test
    void the_durations_of_a_plan_follow_from_its_step_and_budget() {
        SearchPlan plan = plan(100, 1_000, 10 * S, 300 * S, 0.05);
        assertThat(plan.settlingNanos()).isEqualTo(2 * S);
        assertThat(plan.longerNanos()).isEqualTo(30 * S);
        assertThat(plan.confirmationNanos()).isEqualTo(60 * S);
        assertThat(plan.stretchNanos()).isEqualTo(8 * S / 24);
        assertThat(plan(1, 2, 10 * S, 200 * S, 0.05).confirmationNanos()).isEqualTo(50 * S);
        assertThat(plan(1, 2, 10 * S, 100 * S, 0.05).confirmationNanos()).isEqualTo(30 * S);
        assertThat(plan(1, 2, 60 * S, 100 * S, 0.05).stretchNanos()).isEqualTo(S);
    }

    @Test
    void a_plan_may_be_just_within_its_limits() {
        assertThat(plan(1, 1, 3 * S, 3 * S, 0.999).settlingNanos()).isEqualTo(600 * MS);
        assertThatThrownBy(() -> plan(1, 0.9, 3 * S, 3 * S, 0.5)).hasMessageStartingWith("fromPerSecond");
        assertThatThrownBy(() -> plan(0, 1, 3 * S, 3 * S, 0.5)).hasMessageStartingWith("fromPerSecond");
        assertThatThrownBy(() -> plan(1, 1, 3 * S - 1, 3 * S, 0.5)).hasMessageStartingWith("stepNanos");
        assertThatThrownBy(() -> plan(1, 1, 3 * S, 3 * S - 1, 0.5)).hasMessageStartingWith("budgetNanos");
        assertThatThrownBy(() -> plan(1, 1, 3 * S, 3 * S, 0)).hasMessageStartingWith("precision");
        assertThatThrownBy(() -> plan(1, 1, 3 * S, 3 * S, 1)).hasMessageStartingWith("precision");
        assertThatThrownBy(() -> new SearchPlan(1, 1, 3 * S, 3 * S, List.of(), 0.5, OptionalLong.empty()))
                .hasMessageStartingWith("there must be at least 1 objective");
    }

    @Test
    void the_answer_lies_between_the_highest_rate_that_passed_and_the_lowest_that_failed() {
        Capacity found = capacity(
                step(100, StepOutcome.PASS),
                step(400, StepOutcome.MISSED),
                step(200, StepOutcome.PASS),
                step(300, StepOutcome.GROWING),
                step(350, StepOutcome.PASS));
        assertThat(found.sustainablePerSecond()).as("350 was luck").hasValue(200);
        assertThat(found.tooHighPerSecond()).hasValue(300);
        assertThat(found.highestKept().orElseThrow().perSecond()).isEqualTo(200);
        assertThat(found.limit()).isEqualTo(Limit.SERVICE);
        assertThat(found.isConfirmed()).isFalse();
        assertThat(capacity(step(100, StepOutcome.PASS).confirmed(), step(200, StepOutcome.PASS))
                        .isConfirmed())
                .as("a lower one")
                .isFalse();
        assertThat(capacity(
                                step(100, StepOutcome.PASS),
                                step(200, StepOutcome.PASS).confirmed())
                        .isConfirmed())
                .isTrue();
        Capacity none = capacity(step(200, StepOutcome.MISSED), step(100, StepOutcome.MISSED));
        assertThat(none.sustainablePerSecond()).isEmpty();
        assertThat(none.tooHighPerSecond()).hasValue(100);
        assertThat(none.highestKept().orElseThrow().perSecond()).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource
    void a_longer_run_that_decides_nothing_confirms_nothing(StepOutcome outcome) {
        assertThat(step(100, outcome).confirmed().isConfirmed())
                .isEqualTo(outcome == StepOutcome.PASS || outcome.isFailure());
    }

    @Test
    void the_lowest_rate_that_failed_shows_what_the_limit_was() {
        assertThat(capacity(step(100, StepOutcome.PASS)).limit()).isEqualTo(Limit.NOT_REACHED);
        assertThat(capacity(step(100, StepOutcome.PASS), step(200, StepOutcome.UNDECIDED))
                        .limit())
                .isEqualTo(Limit.NOT_REACHED);
        Capacity client =
                capacity(step(100, StepOutcome.PASS), step(200, StepOutcome.UNSOUND), step(300, StepOutcome.UNSOUND));
        assertThat(client.limit()).isEqualTo(Limit.CLIENT);
        assertThat(client.clientLimit().map(RateStep::reason)).contains("reason 200.0");
        assertThat(client.highestMeasuredPerSecond()).hasValue(100);
        Capacity service =
                capacity(step(100, StepOutcome.PASS), step(200, StepOutcome.MISSED), step(300, StepOutcome.UNSOUND));
        assertThat(service.limit()).isEqualTo(Limit.SERVICE);
        assertThat(service.clientLimit()).isEmpty();
        assertThat(capacity(step(100, StepOutcome.PASS)).clientLimit()).isEmpty();
    }

    @Test
    void downbeat_was_not_the_limit_of_a_rate_below_one_that_it_could_offer() {
        Capacity failed =
                capacity(step(100, StepOutcome.PASS), step(200, StepOutcome.UNSOUND), step(300, StepOutcome.MISSED));
        assertThat(failed.limit()).isEqualTo(Limit.SERVICE);
        assertThat(failed.clientLimit()).isEmpty();
        assertThat(failed.undecidedByClient().map(RateStep::reason)).contains("reason 200.0");
        Capacity open =
                capacity(step(100, StepOutcome.PASS), step(200, StepOutcome.UNSOUND), step(300, StepOutcome.UNDECIDED));
        assertThat(open.limit()).isEqualTo(Limit.NOT_REACHED);
        assertThat(open.clientLimit()).isEmpty();
        assertThat(open.undecidedByClient().map(RateStep::reason)).contains("reason 200.0");
        assertThat(open.sustainablePerSecond()).hasValue(100);
        assertThat(capacity(step(100, StepOutcome.UNSOUND), step(200, StepOutcome.PASS))
                        .undecidedByClient())
                .isEmpty();
    }

    /** Waiting for a connection takes longer than the service, which is as quick as at the lowest rate. */
    @Test
    void connections_are_the_limit_where_only_they_are_waited_for() {
        RateStep calm = step(100, StepOutcome.PASS);
        assertThat(capacity(calm, step(200, StepOutcome.MISSED, recording(3 * MS, 2_900_000), Optional.empty()))
                        .limit())
                .isEqualTo(Limit.CONNECTIONS);
        assertThat(capacity(calm, step(200, StepOutcome.MISSED, recording(4 * MS, 3_100_000), Optional.empty()))
                        .limit())
                .as("one and a half times as slow")
                .isEqualTo(Limit.SERVICE);
        assertThat(capacity(calm, step(200, StepOutcome.MISSED, recording(2 * MS, 2 * MS), Optional.empty()))
                        .limit())
                .as("waiting no longer")
                .isEqualTo(Limit.SERVICE);
        Recording full = recording(3 * MS, 2 * MS);
        assertThat(capacity(
                                step(100, StepOutcome.PASS, full, Optional.empty()),
                                step(200, StepOutcome.MISSED, full, Optional.empty()))
                        .limit())
                .as("as at the lowest rate")
                .isEqualTo(Limit.SERVICE);
    }

    /** A fine search ends where the wait is still short; the rates above that it tried before show the limit. */
    @Test
    void connections_are_the_limit_just_above_which_the_wait_is_short() {
        RateStep calm = step(100, StepOutcome.PASS);
        Optional<Growth> growth = Optional.of(new Growth(0.5, 0.4, 0.6));
        RateStep end = step(200, StepOutcome.GROWING, recording(MS, 2 * MS), growth);
        RateStep above = step(300, StepOutcome.GROWING, recording(30 * MS, 2 * MS), growth);
        Capacity found = capacity(calm, end, above);
        assertThat(found.limit()).isEqualTo(Limit.CONNECTIONS);
        assertThat(found.saturation()).isEmpty();
        assertThat(capacity(calm, end).limit()).as("nothing above").isEqualTo(Limit.SERVICE);
        assertThat(capacity(calm, end, step(300, StepOutcome.GROWING, recording(30 * MS, 4 * MS), growth))
                        .limit())
                .as("slower above")
                .isEqualTo(Limit.SERVICE);
        assertThat(capacity(calm, step(200, StepOutcome.MISSED, recording(MS, 4 * MS), Optional.empty()), above)
                        .limit())
                .as("slower at the end")
                .isEqualTo(Limit.SERVICE);
        assertThat(capacity(calm, step(200, StepOutcome.MISSED), above).limit())
                .as("no wait at the end, so that few slow requests missed the objective")
                .isEqualTo(Limit.SERVICE);
    }

    /** An objective on a high percentile ends a search where most requests do not wait yet. */
    @Test
    void a_third_of_the_requests_waiting_at_the_end_is_a_wait() {
        Optional<Growth> growth = Optional.of(new Growth(0.5, 0.4, 0.6));
        Recording third = new RunFixture()
                .answered(200, 0, 0, 2 * MS)
                .answered(100, 0, MS, 2 * MS)
                .result()
                .recording();
        RateStep end = step(200, StepOutcome.MISSED, third, Optional.empty());
        RateStep above = step(300, StepOutcome.GROWING, recording(30 * MS, 2 * MS), growth);
        assertThat(capacity(step(100, StepOutcome.PASS), end, above).limit()).isEqualTo(Limit.CONNECTIONS);
    }

    /** Times grow by half a second a second, so that two in three are answered. */
    @Test
    void a_growing_response_time_shows_the_capacity() {
        Growth half = new Growth(0.5, 0.4, 0.6);
        RateStep growing = step(300, StepOutcome.GROWING, QUICK, Optional.of(half));
        Growth.CapacityEstimate one = half.capacity(300).orElseThrow();
        Growth.CapacityEstimate found = capacity(growing).saturation().orElseThrow();
        assertThat(found.perSecond()).isCloseTo(one.perSecond(), within(1e-6));
        assertThat(found.highPerSecond() - found.lowPerSecond())
                .isCloseTo(one.highPerSecond() - one.lowPerSecond(), within(1e-6));
        Growth.CapacityEstimate twice = capacity(growing, growing).saturation().orElseThrow();
        assertThat(twice.highPerSecond() - twice.lowPerSecond())
                .as("two that agree")
                .isCloseTo((one.highPerSecond() - one.lowPerSecond()) / Math.sqrt(2), within(1e-6));
        assertThat(capacity(step(300, StepOutcome.MISSED, QUICK, Optional.of(half)))
                        .saturation())
                .isEmpty();
        assertThat(capacity(step(300, StepOutcome.GROWING, QUICK, Optional.of(new Growth(0.5, 0.01, 0.6))))
                        .saturation())
                .as("hardly")
                .isEmpty();
        assertThat(capacity(step(300, StepOutcome.GROWING)).saturation()).isEmpty();
        assertThat(new Capacity(plan(1, 2, 3 * S, 3 * S, 0.5), List.of(growing), true, Optional.empty(), true)
                        .saturation())
                .isEmpty();
    }

    /** An interval's ends lie unevenly around its estimate, and no capacity is below zero. */
    @Test
    void the_capacity_of_one_step_has_the_interval_of_that_step() {
        Growth steep = new Growth(3, 0.02, Double.POSITIVE_INFINITY);
        RateStep growing = step(1_000, StepOutcome.GROWING, QUICK, Optional.of(steep));
        assertThat(capacity(growing).saturation()).isEqualTo(steep.capacity(1_000));
        Growth.CapacityEstimate twice = capacity(growing, growing).saturation().orElseThrow();
        assertThat(twice.perSecond()).isCloseTo(250, within(1e-6));
        assertThat(twice.lowPerSecond()).isZero();
        assertThat(twice.highPerSecond()).isBetween(250.0, 1_000 / 1.02);
    }

    @Test
    void six_loads_show_how_the_service_scales() {
        RateStep[] steps = new RateStep[6];
        for (int i = 0; i < steps.length; i++) {
            // n callers each take 2 ms: throughput grows in proportion
            steps[i] = step(500 * (i + 1), StepOutcome.PASS);
        }
        assertThat(capacity(steps).scalability().orElseThrow().perClient()).isCloseTo(500, within(5.0));
        steps[3] = step(2_000, StepOutcome.UNSOUND);
        assertThat(capacity(steps).scalability()).as("five").isEmpty();
    }

    /** One that fails half of its requests at every rate was said to do most "at 0 requests at a time". */
    @Test
    void loads_that_never_keep_one_request_at_the_service_do_not_show_how_it_scales() {
        RateStep[] steps = new RateStep[6];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step(50 * (i + 1), StepOutcome.MISSED);
        }
        assertThat(capacity(steps).scalability()).isEmpty();
    }

    @Test
    void what_ended_a_search_was_cut_short() {
        Capacity.Unmeasured gone = new Capacity.Unmeasured(67, "connection refused");
        SearchPlan plan = plan(1, 2, 3 * S, 3 * S, 0.5);
        assertThat(new Capacity(plan, List.of(), true, Optional.of(gone), false).unmeasured())
                .contains(gone);
        assertThatThrownBy(() -> new Capacity(plan, List.of(), false, Optional.of(gone), false))
                .hasMessageEndingWith("was cut short");
        assertThatThrownBy(() -> new Capacity.Unmeasured(0, "x")).hasMessage("perSecond must be above 0, but was 0.0");
    }
}
