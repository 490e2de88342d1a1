package dev.downbeat.simulate;

import static dev.downbeat.simulate.Cases.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.analysis.Finding;
import dev.downbeat.event.Incident;
import dev.downbeat.event.RunEvents;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.time.Stall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Brooker's bimodal service at 80 % of what it can do, and callers who try again after 15 ms. 5 s of virtual time. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class RetryTest {
    private static final double PER_SECOND = 7_279.34;
    private static final RetryPolicy FOR_EVER = RetryPolicy.of(Integer.MAX_VALUE, 15 * MS);
    private static final RetryPolicy AT_LATE_ANSWER = new RetryPolicy(
            Integer.MAX_VALUE,
            15 * MS,
            RetryPolicy.GiveUp.AT_LATE_ANSWER,
            RetryPolicy.Pause.NONE,
            Optional.empty(),
            Optional.empty());
    private static final RetryPolicy THREE = RetryPolicy.of(3, 15 * MS);
    private static final RetryPolicy TENTH_OF_RETRIES =
            three(RetryPolicy.Pause.NONE, Optional.of(RetryPolicy.Budget.of(0.1)), Optional.empty());

    private static RetryPolicy three(
            RetryPolicy.Pause pause, Optional<RetryPolicy.Budget> budget, Optional<RetryPolicy.Breaker> breaker) {
        return new RetryPolicy(3, 15 * MS, RetryPolicy.GiveUp.AT_TIMEOUT, pause, budget, breaker);
    }

    private static RunPlan.Builder plan(long seed) {
        return Cases.plan(Cases.poisson(Cases.BIMODAL_RATE, seed)).duration(Duration.ofSeconds(5));
    }

    private static Simulation.Simulated cut(RetryPolicy policy, long seed) {
        return Cases.run(plan(seed).drain(Duration.ZERO).build(), Cases.BIMODAL, policy, seed);
    }

    /** Made once: it takes as long as all others together. */
    private static final class ForEver {
        static final Simulation.Simulated RUN = cut(FOR_EVER, 2);
    }

    private static List<Simulation.Simulated> seeds(int count, LongFunction<Simulation.Simulated> run) {
        return LongStream.range(0, Replications.of(count, (count + 2) / 3))
                .mapToObj(run)
                .toList();
    }

    private static double median(List<Simulation.Simulated> runs, ToDoubleFunction<Simulation.Simulated> value) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static double mean(List<Simulation.Simulated> runs, ToDoubleFunction<Simulation.Simulated> value) {
        return runs.stream().mapToDouble(value).average().orElseThrow();
    }

    /** When fewer waited for the last time than can be worked off in 15 ms. */
    private static double collapsedAtMillis(Simulation.Simulated simulated) {
        return simulated.queue().stretches().stream()
                .filter(stretch -> stretch.mean() < 136)
                .mapToDouble(stretch -> stretch.endNanos() / 1e6)
                .max()
                .orElse(0);
    }

    @Test
    void retrying_every_late_answer_never_drains_the_queue() {
        List<Simulation.Simulated> runs = seeds(21, seed -> cut(AT_LATE_ANSWER, seed));
        List<Simulation.Simulated> collapsed =
                runs.stream().filter(run -> collapsedAtMillis(run) < 2_000).toList();
        assertThat(collapsed).hasSizeGreaterThan(runs.size() * 17 / 21);
        // each request that comes stays for good: the queue grows as fast as they come
        assertThat(mean(collapsed, run -> run.queue().growthPerSecond())).isCloseTo(PER_SECOND, withinPercentage(2));
        assertThat(median(runs, run -> run.queue().atEndOfLoad())).isBetween(30_000.0, 36_500.0);
        assertThat(median(runs, RetryTest::collapsedAtMillis)).isBetween(80.0, 800.0);
        assertThat(runs)
                .allSatisfy(run -> assertThat(run.result().ledger().addsUp()).isTrue());
    }

    /** The service answers all the time, but too late: that is no stall. */
    @Test
    void a_queue_that_retries_fill_is_an_overload_by_retries() {
        for (Simulation.Simulated run : List.of(cut(AT_LATE_ANSWER, 2), ForEver.RUN)) {
            RunResult result = run.result();
            assertThat(RunEvents.incidents(result))
                    .extracting(Incident::cause)
                    .containsExactly(Incident.Cause.OVERLOAD);
            assertThat(Analysis.of(result, Criteria.of(List.of())).first())
                    .isInstanceOfSatisfying(
                            Finding.Overloaded.class,
                            found -> assertThat(found.load().brief())
                                    .matches(
                                            "OVERLOADED BY RETRIES.*: [\\d,.]+/s of 7,\\d+/s answered, [\\d,.]+ attempts per request"));
        }
    }

    @Test
    void a_service_that_answers_no_attempt_stalls_however_often_it_is_asked() {
        SimulatedService stalled = SimulatedService.of(Cases.BIMODAL).stall(new Stall(2_000 * MS, 60_000 * MS, 0));
        RetryPolicy patient = RetryPolicy.of(Integer.MAX_VALUE, 500 * MS);
        RunResult result = Cases.run(plan(1).drain(Duration.ZERO).build(), stalled, patient, 1)
                .result();
        assertThat(RunEvents.incidents(result))
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.SERVICE_STALL);
    }

    @Test
    void three_attempts_of_15_ms_triple_the_load_for_good() {
        List<Simulation.Simulated> all = seeds(9, seed -> cut(THREE, seed));
        List<Simulation.Simulated> runs =
                all.stream().filter(run -> collapsedAtMillis(run) < 2_000).toList();
        assertThat(runs).hasSizeGreaterThanOrEqualTo(all.size() * 7 / 9);
        double capacity = 1e9 / Cases.BIMODAL.meanNanos();
        assertThat(3 * PER_SECOND - capacity).isCloseTo(12_739, withinPercentage(0.1));
        assertThat(mean(runs, run -> run.queue().growthPerSecond())).isCloseTo(12_739, withinPercentage(3));
        assertThat(runs)
                .allSatisfy(
                        run -> assertThat(run.result().counts().amplification().orElseThrow())
                                .isBetween(2.0, 3.0));
    }

    @Test
    void attempts_without_end_leave_millions_waiting_and_hardly_anybody_answered() {
        Simulation.Simulated run = ForEver.RUN;
        assertThat(run.queue().atEndOfLoad()).isCloseTo(5_600_000L, withinPercentage(5));
        double answered = (double) run.result().ledger().answered()
                / run.result().ledger().planned();
        assertThat(answered).isBetween(0.025, 0.05);
    }

    @Test
    void a_budget_of_a_tenth_keeps_the_service_up() {
        List<Simulation.Simulated> runs =
                seeds(9, seed -> Cases.run(plan(seed).build(), Cases.BIMODAL, TENTH_OF_RETRIES, seed));
        assertThat(median(runs, run -> run.queue().most())).isBetween(200.0, 1_000.0);
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.queue().most()).isLessThan(3_000);
            assertThat(run.queue().grows(run.result().plan().durationNanos())).isFalse();
            assertThat(run.result().counts().amplification().orElseThrow()).isLessThan(1.101);
        });
    }

    @Test
    void without_retries_a_tenth_of_the_answers_takes_longer_than_15_ms() {
        Simulation.Simulated run = Cases.run(
                Cases.plan(Cases.poisson(Cases.BIMODAL_RATE, 1))
                        .maxRequests(1_000_000)
                        .build(),
                Cases.BIMODAL,
                RetryPolicy.none(),
                2);
        double late = run.result().recording().response().countAbove(15 * MS) / 1e6;
        assertThat(late).isBetween(0.078, 0.110);
    }

    @Test
    void a_circuit_breaker_gives_the_queue_time_to_drain() {
        RetryPolicy policy = three(
                RetryPolicy.Pause.NONE, Optional.empty(), Optional.of(new RetryPolicy.Breaker(0.5, 100, 100 * MS)));
        List<Simulation.Simulated> runs = seeds(5, seed -> cut(policy, seed));
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.queue().most()).isLessThan(2_000);
            assertThat(run.result().counts().count("times the circuit opened")).isPositive();
            assertThat(run.result().ledger().addsUp()).isTrue();
        });
    }

    @Test
    void pauses_and_jitter_put_the_collapse_off_and_do_not_prevent_it() {
        RetryPolicy.Pause pause = new RetryPolicy.Pause(20 * MS, 2, 1_000 * MS, RetryPolicy.Jitter.FULL);
        List<Simulation.Simulated> runs = seeds(5, seed -> cut(three(pause, Optional.empty(), Optional.empty()), seed));
        assertThat(median(runs, run -> run.queue().growthPerSecond())).isGreaterThan(9_000);
    }

    @Test
    void a_service_that_drops_abandoned_requests_answers_more() {
        SimulatedService dropping = new SimulatedService(Cases.BIMODAL, 1, Integer.MAX_VALUE, List.of(), true);
        Simulation.Simulated without = cut(THREE, 5);
        Simulation.Simulated with = Cases.run(plan(5).drain(Duration.ZERO).build(), dropping, THREE, 5);
        assertThat(with.result().counts().count("dropped by the service")).isPositive();
        assertThat(with.result().ledger().answered())
                .isGreaterThan(2 * without.result().ledger().answered());
    }

    @Test
    void pauses_grow_up_to_a_limit_and_jitter_stays_below() {
        RetryPolicy.Pause pause = new RetryPolicy.Pause(10, 2, 35, RetryPolicy.Jitter.NONE);
        SplittableRandom random = new SplittableRandom(1);
        assertThat(Stream.of(1, 2, 3, 4).map(n -> pause.nanos(n, random))).containsExactly(10L, 20L, 35L, 35L);
        RetryPolicy.Pause full = new RetryPolicy.Pause(1_000, 1, 1_000, RetryPolicy.Jitter.FULL);
        RetryPolicy.Pause equal = new RetryPolicy.Pause(1_000, 1, 1_000, RetryPolicy.Jitter.EQUAL);
        assertThat(LongStream.range(0, 1_000)
                        .map(i -> full.nanos(1, random))
                        .average()
                        .orElseThrow())
                .isBetween(450.0, 550.0);
        assertThat(LongStream.range(0, 1_000)
                        .map(i -> equal.nanos(1, random))
                        .min()
                        .orElseThrow())
                .isBetween(500L, 510L);
    }

    @Test
    void an_operation_counts_as_one_however_often_it_is_tried() {
        Simulation.Simulated run = Cases.run(plan(3).build(), Cases.BIMODAL, TENTH_OF_RETRIES, 3);
        TargetCounts counts = run.result().counts();
        assertThat(counts.count(TargetCounts.OPERATIONS))
                .isEqualTo(run.result().ledger().planned());
        assertThat(run.result().ledger().answered() + run.result().ledger().failed())
                .isEqualTo(run.result().ledger().planned());
        assertThat(counts.count(TargetCounts.ATTEMPTS))
                .isGreaterThan(counts.count(TargetCounts.OPERATIONS))
                .isEqualTo(run.result().ledger().answered() + counts.count("failed attempts"));
    }
}
