package dev.downbeat.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.event.Incident.Cause;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class IncidentsTest {
    private static final long SECOND = 1_000_000_000L;

    private static RunPlan plan(long perSecond, int seconds, long seed) {
        return RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(perSecond), seed)))
                .duration(Duration.ofSeconds(seconds))
                .build();
    }

    private static LongUnaryOperator exponential(long seed, double meanNanos) {
        SplittableRandom random = new SplittableRandom(seed);
        return index -> Math.round(random.nextExponential() * meanNanos);
    }

    @Test
    void a_freeze_of_the_service_is_named_with_its_start_its_length_and_whom_it_hit() {
        RunResult run = VirtualService.frozen(plan(200, 30, 1), 64, exponential(1, 2e6), 10 * SECOND, 11 * SECOND);
        List<Incident> incidents = RunEvents.incidents(run);
        assertThat(incidents).hasSize(1);
        Incident incident = incidents.get(0);
        assertThat(incident.cause()).isEqualTo(Incident.Cause.SERVICE_STALL);
        assertThat(incident.startNanos() / 1e9).isCloseTo(10, within(0.05));
        assertThat(incident.lengthNanos() / 1e9).isCloseTo(1, within(0.2));
        assertThat(incident.requestsHit()).isBetween(150L, 240L);
        assertThat(incident.tailShare()).isGreaterThan(0.95);
        assertThat(incident.text()).contains("the service stalled");
    }

    /** What a service that takes its time has in hand when it goes on ends a good while after that. */
    @Test
    void a_request_due_in_a_stall_is_hit_however_late_its_answer() {
        LongUnaryOperator law = index -> index % 5 == 0 ? 600 * RunFixture.MS : 5 * RunFixture.MS;
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                .duration(Duration.ofSeconds(20))
                .interval(Duration.ofMillis(200))
                .build();
        RunResult run = VirtualService.frozen(plan, 1_000, law, 5_300 * RunFixture.MS, 8_300 * RunFixture.MS);
        assertThat(RunEvents.incidents(run)).singleElement().satisfies(incident -> {
            assertThat(incident.requestsHit()).isBetween(225L, 312L); // hit for more than a quarter of it, and all
            assertThat(incident.tailShare()).isEqualTo(1);
            assertThat(incident.slowestNanos() / 1e9).isCloseTo(3.6, within(0.05));
        });
    }

    /** Both within a second of the run, which has intervals of that length. */
    @Test
    void requests_before_or_after_a_stall_are_not_hit() {
        RunFixture fixture = new RunFixture();
        for (int second = 1; second <= 5; second++) {
            fixture.answered(100, 5 * RunFixture.MS).until(second * SECOND);
        }
        fixture.answered(30, 5 * RunFixture.MS)
                .answered(20, 400 * RunFixture.MS)
                .until(6 * SECOND);
        fixture.answered(20, 5 * RunFixture.MS)
                .answered(45, 350 * RunFixture.MS)
                .until(7 * SECOND);
        fixture.answered(80, 5 * RunFixture.MS)
                .answered(20, 400 * RunFixture.MS)
                .until(8 * SECOND);
        Silence stall =
                new Silence(5_900 * RunFixture.MS, 5_900 * RunFixture.MS, 6_250 * RunFixture.MS, 6_250 * RunFixture.MS);
        RunResult result = fixture.answered(1_200, 5 * RunFixture.MS)
                .ended(RunSpan.Ending.COMPLETE, 20 * SECOND)
                .result()
                .with(new Interruptions(true, List.of(stall), List.of(), List.of(), 5 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result))
                .singleElement()
                .satisfies(incident -> assertThat(incident.requestsHit()).isEqualTo(45));
    }

    /** One backend of two is frozen from 17 s on, and only its requests are open once the load has ended at 20 s. */
    @ParameterizedTest
    @CsvSource({"0, SERVICE_SLOW", "300, SERVICE_STALL"})
    void the_silence_after_the_load_is_told_where_the_slow_spell_before_it_is_not(long pauseMillis, Cause told) {
        RunFixture fixture = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            fixture.answered(second <= 17 ? 100 : 50, 5 * RunFixture.MS).until(second * SECOND);
        }
        for (int second = 1; second <= 3; second++) {
            fixture.answered(50, second * SECOND + SECOND / 2);
        }
        Silence silence = new Silence(20 * SECOND, 20 * SECOND, 21 * SECOND, 21 * SECOND);
        Pause pause = new Pause(18 * SECOND, 18 * SECOND + pauseMillis * RunFixture.MS);
        RunResult result = fixture.until(21 * SECOND)
                .ended(RunSpan.Ending.COMPLETE, 21 * SECOND)
                .result()
                .with(new Interruptions(true, List.of(silence), List.of(), List.of(pause), 5 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result))
                .filteredOn(incident -> incident.cause() != Cause.OUR_PAUSE)
                .extracting(Incident::cause)
                .containsExactly(told);
    }

    /** A pool that is smaller than its callers: whoever waits for the few in a stalled service has no connection either. */
    @ParameterizedTest
    @CsvSource({"100, UNREACHABLE", "0, SERVICE_STALL"})
    void a_silence_without_connections_is_a_service_out_of_reach_only_if_some_failed_to_open(
            long refused, Incident.Cause cause) {
        RunFixture fixture = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            if (second > 5 && second <= 8) {
                fixture.unconnected(100, refused, "no connection", RunFixture.MS);
            } else {
                fixture.answered(100, 5 * RunFixture.MS);
            }
            fixture.until(second * SECOND);
        }
        Silence silence = new Silence(5 * SECOND, 5 * SECOND, 8 * SECOND, 8 * SECOND);
        RunResult result = fixture.connections(new ConnectionCounts(1, 0, 3 * refused, 0, 0, 0, 1, 1))
                .result()
                .with(new Interruptions(true, List.of(silence), List.of(), List.of(), 5 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result)).extracting(Incident::cause).containsExactly(cause);
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(longs = {20, 0})
    void one_connection_that_fails_in_a_stall_is_no_service_out_of_reach_also_if_the_load_is_limited_by_count(
            long plannedSeconds) {
        RunPlan.Builder plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(100))))
                .maxRequests(2_000);
        if (plannedSeconds > 0) {
            plan.duration(Duration.ofSeconds(plannedSeconds));
        }
        RunFixture fixture = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            if (second == 6) {
                fixture.unconnected(1, 1, "no connection", RunFixture.MS).planned(99);
            } else if (second == 7 || second == 8) {
                fixture.planned(100);
            } else {
                fixture.answeredLater(second == 9 ? 299 : 0, 2 * SECOND).answered(100, 5 * RunFixture.MS);
            }
            fixture.until(second * SECOND);
        }
        RunResult seen = fixture.connections(new ConnectionCounts(1, 0, 1, 0, 0, 0, 1, 1))
                .result();
        Silence silence = new Silence(5 * SECOND, 5 * SECOND, 8 * SECOND, 8 * SECOND);
        RunResult result = new RunResult(
                        plan.build(),
                        seen.target(),
                        seen.span(),
                        seen.recording(),
                        seen.intervals(),
                        seen.lanes(),
                        seen.health())
                .with(new Interruptions(true, List.of(silence), List.of(), List.of(), 5 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result))
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.SERVICE_STALL);
    }

    /** One in 300 is slow, whichever: some seconds in a row have several of them, and it means nothing. */
    @Test
    void slow_requests_at_random_are_no_incident() {
        int runs = Replications.of(30, 10);
        int found = 0;
        for (int seed = 0; seed < runs; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LongUnaryOperator law = index -> random.nextInt(300) == 0 ? 100_000_000 : 5_000_000;
            found += RunEvents.incidents(VirtualService.frozen(plan(200, 60, seed), 64, law, 0, 0))
                    .size();
        }
        assertThat(found).isLessThanOrEqualTo(runs / 30);
    }

    @Test
    void slow_requests_of_one_second_are_an_incident() {
        for (int seed = 0; seed < Replications.of(30, 10); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LongUnaryOperator law = index ->
                    index / 200 == 30 && index % 20 == 0 || random.nextInt(1_000) == 0 ? 100_000_000 : 5_000_000;
            assertThat(RunEvents.incidents(VirtualService.frozen(plan(200, 60, seed), 64, law, 0, 0)))
                    .as("seed %d", seed)
                    .extracting(Incident::cause)
                    .containsExactly(Incident.Cause.SERVICE_SLOW);
        }
    }

    /** Nothing is beyond the p99 of a run in which more than 1 % timed out: the timeouts are its tail, and no part of the stall. */
    @Test
    void a_stall_has_no_part_in_a_tail_of_timeouts() {
        Silence stall = new Silence(5 * SECOND, 5 * SECOND, 6 * SECOND, 6 * SECOND);
        RunResult result = new RunFixture()
                .answered(500, 5 * RunFixture.MS)
                .until(5 * SECOND)
                .answered(100, SECOND)
                .until(7 * SECOND)
                .answered(400, 5 * RunFixture.MS)
                .until(59 * SECOND)
                .timedOut(50, 30 * SECOND)
                .ended(RunSpan.Ending.COMPLETE, 60 * SECOND)
                .result()
                .with(new Interruptions(true, List.of(stall), List.of(), List.of(), 5 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result))
                .filteredOn(incident -> incident.cause() == Incident.Cause.SERVICE_STALL)
                .singleElement()
                .satisfies(incident -> assertThat(incident.tailShare()).isZero());
    }

    /** What failed meanwhile, as for want of a connection, has no response time: the tail is of others. */
    @Test
    void an_incident_that_hit_no_answered_request_claims_no_part_of_the_tail() {
        Silence silence = new Silence(SECOND, SECOND, 5 * SECOND, 5 * SECOND);
        RunResult failed = new RunFixture()
                .answered(100, RunFixture.MS)
                .until(SECOND)
                .failed(100, "no free connection", 3 * SECOND)
                .ended(RunSpan.Ending.COMPLETE, 6 * SECOND)
                .result()
                .with(new Interruptions(true, List.of(silence), List.of(), List.of(), RunFixture.MS, 0));
        assertThat(RunEvents.incidents(failed)).singleElement().satisfies(incident -> {
            assertThat(incident.tailShare()).isZero();
            assertThat(incident.text()).endsWith("; no answered request was hit");
        });
    }

    @Test
    void a_standstill_of_the_client_is_its_own_fault() {
        RunResult run = VirtualService.paused(plan(200, 30, 1), 64, exponential(1, 2e6), 10 * SECOND, 11 * SECOND);
        assertThat(RunEvents.incidents(run)).extracting(Incident::cause).containsExactly(Incident.Cause.OUR_PAUSE);
    }

    /** The interval in which a generator was kept ends when it goes on; what was due meanwhile ends in the next. */
    @Test
    void a_standstill_of_the_client_has_hit_what_was_sent_after_it() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 8; second++) {
            run.answered(200, 2 * RunFixture.MS).until(second * SECOND);
        }
        run.answered(80, 2 * RunFixture.MS).until(10_201 * RunFixture.MS);
        run.answered(360, SECOND, 0, 2 * RunFixture.MS).until(11 * SECOND);
        Pause pause = new Pause(8_400 * RunFixture.MS, 10_200 * RunFixture.MS);
        RunResult result = run.answered(1_800, 2 * RunFixture.MS)
                .ended(RunSpan.Ending.COMPLETE, 20 * SECOND)
                .result()
                .with(new Interruptions(true, List.of(), List.of(), List.of(pause), 2 * RunFixture.MS, 0));
        assertThat(RunEvents.incidents(result)).singleElement().satisfies(incident -> {
            assertThat(incident.cause()).isEqualTo(Incident.Cause.OUR_PAUSE);
            assertThat(incident.requestsHit()).isEqualTo(360);
        });
    }

    @Test
    void a_burst_beyond_what_the_connections_carry_is_a_wait_for_a_free_one() {
        Workload burst = new Workload.Open(new Steps(List.of(
                new Step(new Poisson(Rate.perSecond(100), 1), 12 * SECOND),
                new Step(new Poisson(Rate.perSecond(1_500), 2), SECOND / 2),
                new Step(new Poisson(Rate.perSecond(100), 3), 12 * SECOND))));
        RunPlan plan =
                RunPlan.builder(burst).duration(Duration.ofMillis(24_500)).build();
        // four connections of 10 ms carry 400/s; the service itself is as quick as ever
        List<Incident> incidents = RunEvents.incidents(VirtualService.run(plan, 4, 4, index -> 10_000_000));
        assertThat(incidents).extracting(Incident::cause).containsExactly(Incident.Cause.BACKLOG);
        assertThat(incidents.get(0).startNanos() / 1e9).isBetween(11.9, 13.0);
        assertThat(incidents.get(0).text()).contains("requests waited to be sent");
    }

    @Test
    void a_second_in_which_connections_were_opened_again_is_named_so() {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            run.answered(200, 2 * RunFixture.MS);
            if (second == 9) {
                run.reconnected(20, 80 * RunFixture.MS, 4 * RunFixture.MS);
            }
            run.until((second + 1) * SECOND);
        }
        List<Incident> incidents = RunEvents.incidents(run.result());
        assertThat(incidents).extracting(Incident::cause).containsExactly(Incident.Cause.CONNECTION_CHURN);
        assertThat(incidents.get(0).requestsHit()).isEqualTo(20);
        assertThat(incidents.get(0).text()).contains("new connections were opened");
    }

    /** Over those two seconds this client would have sent nothing: it sent most on time. */
    @Test
    void a_late_spell_counts_as_a_pause_only_while_Downbeat_was_late() {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            run.answered(40, RunFixture.MS);
            if (second == 9 || second == 10) {
                run.answered(6, 36 * RunFixture.MS, 0, RunFixture.MS);
            }
            run.until((second + 1) * SECOND);
        }
        assertThat(RunEvents.incidents(run.result())).singleElement().satisfies(incident -> {
            assertThat(incident.cause()).isEqualTo(Incident.Cause.OUR_PAUSE);
            assertThat(incident.lengthNanos()).isCloseTo(36 * RunFixture.MS, within(RunFixture.MS));
            assertThat(incident.requestsHit()).isEqualTo(12);
        });
    }

    @Test
    void a_second_that_is_slow_because_we_sent_late_is_not_blamed_on_the_service_for_one_slow_answer_in_it() {
        RunFixture run = new RunFixture();
        for (int second = 0; second < 20; second++) {
            run.answered(200, 2 * RunFixture.MS);
            if (second == 9) {
                run.answered(6, 30 * RunFixture.MS, 0, 2 * RunFixture.MS);
                run.answered(1, 27 * RunFixture.MS, 0, 45 * RunFixture.MS);
            }
            run.until((second + 1) * SECOND);
        }
        assertThat(RunEvents.incidents(run.result()))
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.UNKNOWN);
    }

    @Test
    void a_service_that_takes_half_a_second_did_not_stall_before_its_first_answer() {
        RunResult run = VirtualService.run(plan(50, 9, 1), 64, 64, index -> SECOND / 2);
        assertThat(RunEvents.incidents(run)).isEmpty();
    }

    @Test
    void a_freeze_from_the_start_is_named_all_the_same() {
        RunResult run = VirtualService.frozen(plan(200, 30, 1), 64, exponential(1, 2e6), 0, 2 * SECOND);
        assertThat(RunEvents.incidents(run)).hasSize(1);
        assertThat(RunEvents.incidents(run).get(0).lengthNanos() / 1e9).isCloseTo(2, within(0.2));
    }

    @Test
    void a_freeze_that_outlasts_the_load_is_named_from_its_start() {
        RunResult run = VirtualService.frozen(plan(200, 5, 1), 2_000, exponential(1, 2e6), 0, 8 * SECOND);
        assertThat(RunEvents.incidents(run)).hasSize(1);
        assertThat(RunEvents.incidents(run).get(0).lengthNanos() / 1e9).isCloseTo(8, within(0.2));
    }

    @Test
    void a_service_that_answers_after_the_load_did_not_stall() {
        RunResult run = VirtualService.run(plan(200, 1, 1), 2_000, 2_000, index -> 5 * SECOND);
        assertThat(RunEvents.incidents(run)).isEmpty();
    }

    @Test
    @Tag("slow")
    void no_cause_is_named_in_a_hundred_clean_runs() {
        List<String> accused = new ArrayList<>();
        for (int seed = 0; seed < Replications.of(100); seed++) {
            // from idle to busy: one server at 10 to 90 % of its capacity
            double utilisation = 0.1 + 0.8 * (seed % 10) / 9;
            RunResult run = VirtualService.run(plan(200, 30, seed), 64, 1, exponential(seed, utilisation * 5e6));
            for (Incident incident : RunEvents.incidents(run)) {
                accused.add(seed + ": " + incident.text());
            }
        }
        assertThat(accused).isEmpty();
    }
}
