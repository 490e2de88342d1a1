package dev.downbeat.event;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.caveat.LoadCaveat;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OverloadsTest {
    private static final ConnectionCounts ONE_EACH = new ConnectionCounts(10, 0, 0, 0, 0, 0, 10, 10);
    private static final ConnectionCounts STREAMS = ONE_EACH.with(new StreamCounts(500, 0, 20, 20));

    private static Workload stages(int... perSecond) {
        return new Workload.Open(new Steps(Arrays.stream(perSecond)
                .mapToObj(rate -> new Step(new Poisson(Rate.perSecond(rate), rate), 10 * S))
                .toList()));
    }

    /** A second of a service that answers at most 500; what waits is answered later, or not at all. */
    private static void second(RunFixture run, int planned, int answered, long nanos) {
        run.answered(answered, nanos).inFlight(planned - answered, S);
    }

    /** Ten seconds below capacity, ten above it, ten below it again, which work off what had piled up. */
    private static RunFixture middleStage() {
        RunFixture run = new RunFixture().workload(stages(100, 1_000, 100), Duration.ofSeconds(30));
        for (int i = 0; i < 30; i++) {
            boolean isOver = i >= 10 && i < 20;
            second(run, isOver ? 1_000 : 100, isOver ? 500 : 100, isOver ? (i - 9) * S / 2 : 2 * MS);
            run.until((i + 1) * S);
        }
        return run.ended(RunSpan.Ending.COMPLETE, 30 * S);
    }

    @Test
    void an_overload_is_that_of_its_stage() {
        assertThat(RunEvents.overloads(middleStage().result())).singleElement().satisfies(overload -> {
            assertThat(overload.startNanos()).isEqualTo(10 * S);
            assertThat(overload.endNanos()).isEqualTo(20 * S);
            assertThat(overload.isOpen()).isFalse();
            assertThat(overload.answeredPerSecond()).isEqualTo(500);
            assertThat(overload.offeredPerSecond()).isEqualTo(1_000);
        });
    }

    @Test
    void a_service_that_recovered_was_overloaded() {
        RunVerdict verdict = RunVerdict.of(middleStage().result(), List.of(ServiceLevelObjective.parse("p10<1h")));
        assertThat(verdict.objectives().get(0).reason()).endsWith(", but the service was overloaded");
        assertThat(new LoadCaveat.Overloaded(RunEvents.overloads(middleStage().result())).text())
                .contains("Response times grew until the service recovered");
    }

    @Test
    void of_stages_that_follow_each_other_the_worst_has_the_rates() {
        RunFixture run = new RunFixture().workload(stages(700, 1_000), Duration.ofSeconds(20));
        for (int i = 0; i < 20; i++) {
            second(run, i < 10 ? 700 : 1_000, 500, (i + 1) * S / 2);
            run.until((i + 1) * S);
        }
        assertThat(RunEvents.overloads(run.result())).hasSize(2);
        assertThat(Overload.joined(RunEvents.overloads(run.result())))
                .singleElement()
                .satisfies(overload -> {
                    assertThat(overload.startNanos()).isZero();
                    assertThat(overload.endNanos()).isEqualTo(20 * S);
                    assertThat(overload.offeredPerSecond()).isEqualTo(1_000);
                    assertThat(overload.isOfSeveral()).isTrue();
                });
    }

    /** The backlog of the first lasts until the end, and the timeouts of the second are not its own. */
    @Test
    void a_stage_has_no_more_timeouts_than_requests_without_an_answer() {
        RunFixture run = new RunFixture().workload(stages(1_000, 400), Duration.ofSeconds(20));
        for (int i = 0; i < 20; i++) {
            int answered = i < 10 ? 500 : 100;
            run.answered(answered, (i + 1) * S / 2)
                    .timedOut((i < 10 ? 1_000 : 400) - answered, 30 * S)
                    .planned(i < 10 ? 0 : 1)
                    .until((i + 1) * S);
        }
        run.planned(1_000);
        assertThat(RunEvents.overloads(
                        run.ended(RunSpan.Ending.COMPLETE, 21 * S).result()))
                .first()
                .satisfies(overload -> assertThat(overload.timedOutShare()).isEqualTo(0.5));
    }

    /** The last twentieth of the backlog times out after it counts as drained. */
    @Test
    void an_overload_of_the_whole_run_has_all_its_timeouts() {
        RunFixture run = new RunFixture().workload(stages(1_000), Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            run.answered(500, (i + 1) * S / 2).planned(500).until((i + 1) * S);
        }
        run.answeredLater(4_900, 8 * S).until(11 * S);
        run.timedOut(100, 30 * S).until(12 * S);
        assertThat(RunEvents.overloads(
                        run.ended(RunSpan.Ending.COMPLETE, 12 * S).result()))
                .singleElement()
                .satisfies(overload -> assertThat(overload.timedOutShare()).isEqualTo(100 / 10_100.0));
    }

    /** There is no other time that "usual" could come from. */
    @Test
    void an_overload_of_the_whole_run_hits_every_request() {
        RunFixture run = new RunFixture().workload(stages(1_000), Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            second(run, 1_000, 900, (i + 1) * S / 10);
            run.until((i + 1) * S);
        }
        assertThat(RunEvents.incidents(run.result())).singleElement().satisfies(overload -> {
            assertThat(overload.cause()).isEqualTo(Incident.Cause.OVERLOAD);
            assertThat(overload.requestsHit()).isEqualTo(10_000);
            assertThat(overload.tailShare()).isEqualTo(1);
        });
    }

    /** The last requests of the backlog end when the load is long over, and have waited for as long as any. */
    @Test
    void what_ends_as_the_backlog_drains_is_not_usual() {
        RunFixture run = new RunFixture().workload(stages(1_000), Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            run.answered(900, (i + 1) * S / 10).planned(100).until((i + 1) * S);
        }
        run.answeredLater(990, S).until(11 * S);
        run.answeredLater(10, S).until(12 * S);
        assertThat(RunEvents.incidents(run.result()))
                .singleElement()
                .satisfies(overload -> assertThat(overload.requestsHit()).isGreaterThan(9_000));
    }

    @Test
    void a_ramp_overloads_from_where_it_is_more_than_the_service_can_do() {
        RunFixture run = new RunFixture()
                .workload(
                        new Workload.Open(
                                new Ramp(Rate.perSecond(100), Rate.perSecond(1_000), 10 * S, new Spacing.Even())),
                        Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            second(run, 100 * (i + 1), Math.min(500, 100 * (i + 1)), i < 5 ? 2 * MS : (i - 4) * S / 2);
            run.until((i + 1) * S);
        }
        assertThat(RunEvents.overloads(
                        run.ended(RunSpan.Ending.COMPLETE, 10 * S).result()))
                .singleElement()
                .satisfies(overload -> {
                    assertThat(overload.startNanos()).isEqualTo(5 * S);
                    assertThat(overload.answeredPerSecond()).isEqualTo(500);
                });
    }

    /** Prompt answers, then slower ones, then timeouts only: the service works on what nobody waits for. */
    private static RunFixture tooLate(long lastNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            int answered = i < 4 ? 500 : 0;
            run.answered(answered, i < 3 ? 2 * MS : lastNanos).timedOut(1_000 - answered, 30 * S);
            run.until((i + 1) * S);
        }
        return run;
    }

    private static Interruptions silentFrom(long nanos) {
        Silence silence = new Silence(nanos, nanos, 20 * S, 20 * S);
        return new Interruptions(
                true,
                List.of(silence),
                List.of(new Silence(nanos, nanos, Long.MAX_VALUE, Long.MAX_VALUE)),
                List.of(),
                MS,
                0);
    }

    @Test
    void no_answers_after_barely_timely_ones_are_an_overload_not_a_stall() {
        RunResult run = tooLate(25 * S).result().with(silentFrom(4 * S));
        assertThat(RunEvents.overloads(run)).hasSize(1);
        assertThat(RunEvents.incidents(run)).extracting(Incident::cause).containsExactly(Incident.Cause.OVERLOAD);
    }

    @Test
    void no_answers_after_prompt_ones_are_an_unfinished_stall() {
        RunFixture calm = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run(calm, i);
        }
        RunResult run = calm.result().with(silentFrom(4 * S));
        assertThat(RunEvents.overloads(run)).isEmpty();
        assertThat(RunEvents.incidents(run)).singleElement().satisfies(stall -> {
            assertThat(stall.cause()).isEqualTo(Incident.Cause.SERVICE_STALL);
            assertThat(stall.isOpen()).isTrue();
            assertThat(stall.text()).startsWith("from 4.0 s to the end, at least 16.0 s: the service stalled; 16,000");
        });
    }

    private static void run(RunFixture calm, int i) {
        calm.answered(i < 4 ? 1_000 : 0, 2 * MS)
                .timedOut(i < 4 ? 0 : 1_000, 30 * S)
                .until((i + 1) * S);
    }

    @Test
    void connections_are_the_limit_where_each_request_takes_as_long_as_any_other() {
        assertThat(RunEvents.overloads(pool(401 * MS, ONE_EACH).result()).get(0).limit())
                .hasValueSatisfying(limit -> assertThat(limit.connections()).isEqualTo(10))
                .hasValueSatisfying(limit -> assertThat(limit.areStreams()).isFalse());
        assertThat(RunEvents.overloads(pool(801 * MS, 801 * MS, STREAMS).result())
                        .get(0)
                        .limit())
                .as("of streams, as many as the server allows")
                .hasValueSatisfying(limit -> assertThat(limit.connections()).isEqualTo(20))
                .hasValueSatisfying(limit -> assertThat(limit.areStreams()).isTrue());
        ConnectionCounts resent = ONE_EACH.with(new StreamCounts(0, 1, 0, 0));
        assertThat(RunEvents.overloads(pool(401 * MS, resent).result()).get(0).limit())
                .as("a request sent again on another connection makes no streams of them")
                .hasValueSatisfying(limit -> assertThat(limit.connections()).isEqualTo(10))
                .hasValueSatisfying(limit -> assertThat(limit.areStreams()).isFalse());
        assertThat(RunEvents.overloads(pool(20 * MS, ONE_EACH).result()).get(0).limit())
                .as("a request was quick while nobody else was there")
                .isEmpty();
        assertThat(RunEvents.overloads(pool(301 * MS, 301 * MS, ONE_EACH).result())
                        .get(0)
                        .limit())
                .as("they would have carried more had they always been in use")
                .isEmpty();
    }

    @Test
    void connections_carry_what_the_mean_time_in_use_allows() {
        RunFixture run = new RunFixture()
                .connections(ONE_EACH)
                .workload(new Workload.Open(new Poisson(Rate.perSecond(100), 1)), Duration.ofSeconds(20));
        for (int i = 0; i < 20; i++) {
            run.answered(24, 0, (i + 1) * S / 2, 30 * MS)
                    .answered(16, 0, (i + 1) * S / 2, 600 * MS)
                    .neverSent(60, S)
                    .until((i + 1) * S);
        }
        assertThat(RunEvents.overloads(run.result()).get(0).limit())
                .hasValueSatisfying(limit -> assertThat(limit.perSecond()).isBetween(40.0, 42.0));
    }

    private static RunFixture pool(long quickestNanos, ConnectionCounts connections) {
        return pool(quickestNanos, 401 * MS, connections);
    }

    private static RunFixture pool(long quickestNanos, long usualNanos, ConnectionCounts connections) {
        RunFixture run = new RunFixture()
                .connections(connections)
                .workload(new Workload.Open(new Poisson(Rate.perSecond(50), 1)), Duration.ofSeconds(20));
        run.answered(1, quickestNanos);
        for (int i = 0; i < 20; i++) {
            run.answered(25, 0, (i + 1) * S / 2, usualNanos).neverSent(25, S).until((i + 1) * S);
        }
        return run;
    }
}
