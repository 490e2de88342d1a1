package dev.downbeat.capacity;

import static dev.downbeat.capacity.SearchOnPaper.MU;
import static dev.downbeat.capacity.SearchOnPaper.SECOND;
import static dev.downbeat.capacity.SearchOnPaper.engineQueue;
import static dev.downbeat.capacity.SearchOnPaper.plan;
import static dev.downbeat.capacity.SearchOnPaper.queue;
import static dev.downbeat.capacity.SearchOnPaper.runPlan;
import static dev.downbeat.capacity.SearchOnPaper.search;
import static dev.downbeat.capacity.SearchOnPaper.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.capacity.RateSearch.SlowPhases;
import dev.downbeat.capacity.RateSearch.StepJudge;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.VirtualService;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.stats.Growth;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class RateSearchTest {
    /** The 90th percentile of an M/M/1 queue is ln 10 / (mu - lambda): it is 25 ms at this rate. */
    private static final double KNEE = MU - Math.log(10) / 0.025;

    @Test
    void the_interval_of_the_sustainable_rate_holds_the_known_knee() {
        int held = 0;
        int found = 0;
        int searches = Replications.of(3); // CapacityAnswers counts how often a rate is right
        double widest = 0;
        for (int seed = 0; seed < searches; seed++) {
            SearchPlan plan = plan(150, 5_000, 30, "p90<25ms");
            Capacity capacity = search(plan, queue(seed, plan));
            double low = capacity.sustainablePerSecond().orElseThrow();
            double high = capacity.tooHighPerSecond().orElseThrow();
            held += low <= KNEE && KNEE <= high ? 1 : 0;
            found += capacity.isConfirmed() ? 1 : 0;
            widest = Math.max(widest, high / low);
            assertThat(capacity.limit()).isEqualTo(Capacity.Limit.SERVICE);
            // one server: throughput X at N = rho / (1 - rho) requests is mu N / (1 + N), so contention is a half
            assertThat(capacity.scalability().orElseThrow().perClient()).isCloseTo(MU / 2, withinPercentage(10));
            assertThat(capacity.scalability().orElseThrow().contention()).isCloseTo(0.5, within(0.05));
        }
        assertThat(held).isGreaterThanOrEqualTo(Math.max(1, searches - 1));
        assertThat(found).isGreaterThanOrEqualTo(Math.max(1, searches - 1));
        assertThat(widest).isLessThan(1.4);
    }

    @ParameterizedTest(name = "load {0} times the capacity")
    @ValueSource(doubles = {1.2, 1.5, 2})
    void one_overloaded_run_shows_the_capacity_within_two_per_cent(double utilisation) {
        SearchPlan plan = plan(MU * utilisation, MU * utilisation, 60, "p99<20s");
        double worst = 0;
        for (int seed = 0; seed < Replications.of(4); seed++) {
            RateStep step = judged(plan, engineQueue(seed, plan));
            assertThat(step.outcome()).isEqualTo(RateStep.StepOutcome.GROWING);
            Growth.CapacityEstimate found = new Capacity(plan, List.of(step), false, Optional.empty(), false)
                    .saturation()
                    .orElseThrow();
            worst = Math.max(worst, Math.abs(found.perSecond() / MU - 1));
        }
        assertThat(worst).isLessThan(0.02);
    }

    private static RateStep judged(SearchPlan plan, RateMeasurement service) {
        try {
            RunResult run = service.measure(plan.fromPerSecond(), plan.stepNanos());
            return new StepJudge(plan).judge(plan.fromPerSecond(), List.of(run), 0.975);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void a_service_that_is_as_quick_as_ever_is_not_blamed_for_the_number_of_connections() {
        SearchPlan plan = plan(50, 5_000, 10, "p99<200ms", 400);
        Capacity capacity = search(
                plan,
                service(
                        1,
                        plan,
                        SimulatedService.of(new ServiceLaw.Constant(SECOND / 100))
                                .servers(4_000),
                        4));
        assertThat(capacity.limit()).isEqualTo(Capacity.Limit.CONNECTIONS);
        assertThat(capacity.saturation()).isEmpty();
        assertThat(capacity.sustainablePerSecond().orElseThrow()).isBetween(200.0, 400.0);
    }

    @Test
    void the_limit_of_the_client_is_not_reported_as_that_of_the_service() {
        SearchPlan plan = plan(100, 100_000, 5, "p99<1s", 300);
        long[] seeds = {1};
        RateMeasurement slowClient = (perSecond, nanos) ->
                VirtualService.run(runPlan(plan, perSecond, nanos, seeds[0]++), 4_000, 4, index -> 100_000, 1_000_000);
        Capacity capacity = search(plan, slowClient);
        assertThat(capacity.limit()).isEqualTo(Capacity.Limit.CLIENT);
        assertThat(capacity.tooHighPerSecond()).isEmpty();
        assertThat(capacity.saturation()).isEmpty();
        assertThat(capacity.clientLimit().orElseThrow().reason()).contains("not offered");
    }

    /** A client whose own work takes part of each request's time, before a service that can do {@link SearchOnPaper#MU}. */
    private static RateMeasurement lateClient(SearchPlan plan, long sendNanos) {
        long[] seeds = {1};
        return (perSecond, nanos) -> VirtualService.run(
                runPlan(plan, perSecond, nanos, seeds[0]++), 4_000, 1, index -> Math.round(SECOND / MU), sendNanos);
    }

    @Test
    void a_rate_sustained_despite_Downbeats_lateness_counts_as_sustained() throws IOException {
        SearchPlan generous = plan(300, 300, 10, "p99<1s");
        RunResult run = lateClient(generous, 1_500_000).measure(300, 10 * SECOND);
        assertThat(RunVerdict.of(run, generous.slos()).measurement()).isEqualTo(RunVerdict.Soundness.PARTLY_SOUND);
        assertThat(new StepJudge(generous).clientLimit(run)).isEmpty();
        ResponseBounds bounds = Observations.bounds(run.recording());
        long onlyWithOurs = (bounds.withoutOwnDelayNanos(99) + bounds.atLeastNanos(99)) / 2;
        SearchPlan strict = plan(300, 300, 10, "p99<" + onlyWithOurs + "ns");
        assertThat(new StepJudge(strict).clientLimit(run)).get().isInstanceOf(OwnDelay.GeneratorLate.class);
        SearchPlan missed = plan(300, 300, 10, "p99<2ms");
        assertThat(new StepJudge(missed).clientLimit(run)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 3})
    void regular_events_leave_both_bounds(long seed) {
        SearchPlan usual = plan(100, 5_000, 25, "p99<150ms");
        SearchPlan plan = new SearchPlan(
                100, 5_000, usual.stepNanos(), 900 * SECOND, usual.slos(), usual.precision(), OptionalLong.empty());
        Capacity capacity = search(plan, ChangingQueue.stalls(0.1, 5).measurement(seed, plan));
        double truth = 447; // of a run of 8,000 s
        assertThat(capacity.sustainablePerSecond().orElseThrow()).isBetween(0.4 * truth, truth);
        assertThat(capacity.tooHighPerSecond().orElseThrow()).isBetween(truth, 1.5 * truth);
        assertThat(capacity.isConfirmed()).isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3})
    void a_run_that_confirms_is_long_enough_for_four_slow_phases(long seed) throws IOException {
        SearchPlan plan = plan(100, 5_000, 25, "p90<20ms");
        assertThat(leastNanos(seed, ChangingQueue.spells(3, 5, 25), plan)).isBetween(60 * SECOND, 500 * SECOND);
        assertThat(leastNanos(seed, ChangingQueue.spells(1, 5, 25), plan)).isLessThan(60 * SECOND);
    }

    private static long leastNanos(long seed, ChangingQueue queue, SearchPlan plan) throws IOException {
        SlowPhases phases = new SlowPhases();
        phases.add(queue.measurement(seed, plan).measure(200, 300 * SECOND), plan.settlingNanos());
        return phases.leastNanos();
    }

    static LongStream some() {
        return LongStream.of(0, 1, 3, 4).limit(Replications.of(4, 2));
    }

    /** Overload between two phases looks like that of a quicker service. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("some")
    void a_service_whose_slow_phases_are_rarer_than_its_steps_has_no_capacity(long seed) {
        SearchPlan usual = plan(100, 5_000, 12, "p90<20ms");
        SearchPlan plan = new SearchPlan(
                100, 5_000, usual.stepNanos(), 900 * SECOND, usual.slos(), usual.precision(), OptionalLong.empty());
        Capacity found = search(plan, ChangingQueue.spells(3, 5, 25).measurement(seed, plan));
        assertThat(found.missesSlowPhases()).isTrue();
        assertThat(found.saturation()).isEmpty();
        assertThat(new Capacity(plan, found.steps(), false, Optional.empty(), false).saturation())
                .isPresent();
    }

    @Test
    void steps_that_contradict_each_other_widen_the_capacity() {
        SearchPlan plan = plan(MU * 1.5, MU * 1.5, 30, "p99<20s");
        RateStep step = judged(plan, queue(1, plan));
        Growth.CapacityEstimate one = new Capacity(plan, List.of(step), false, Optional.empty(), false)
                .saturation()
                .orElseThrow();
        RateStep slower = new RateStep(
                step.perSecond() * 0.8,
                step.outcome(),
                step.reason(),
                false,
                step.measuredNanos(),
                step.recording(),
                step.answeredPerSecond(),
                step.growth(),
                step.objectives(),
                step.responseTimes());
        Growth.CapacityEstimate both = new Capacity(plan, List.of(slower, step), false, Optional.empty(), false)
                .saturation()
                .orElseThrow();
        assertThat(both.highPerSecond() - both.lowPerSecond())
                .isGreaterThan(2 * (one.highPerSecond() - one.lowPerSecond()));
    }

    @Test
    void impossible_plans_are_refused() {
        assertThatThrownBy(() -> plan(0, 1, 10, "p90<25ms"))
                .hasMessage("fromPerSecond must be above 0 and toPerSecond at least as much, but were 0.0 and 1.0");
        assertThatThrownBy(() -> plan(1, 2, 1, "p90<25ms")).hasMessageContaining("stepNanos");
    }
}
