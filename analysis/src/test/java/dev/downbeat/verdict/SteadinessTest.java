package dev.downbeat.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose truth is known, since they are simulated. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class SteadinessTest {
    private static final Rate RATE = Rate.perSecond(150);
    private static final List<String> ABOUT_TIME = List.of("drift", "jump", "never_settled", "warm_up");

    private static RunResult run(Workload workload, int seconds, SimulatedService service, long seed) {
        RunPlan plan = RunPlan.builder(workload)
                .duration(Duration.ofSeconds(seconds))
                .timeout(Duration.ofMinutes(10))
                .build();
        return new Simulation(plan, service, RetryPolicy.none(), seed)
                .run(Progress.none())
                .result();
    }

    private static Workload open(long seed) {
        return new Workload.Open(new Poisson(RATE, seed));
    }

    /** The share of the time that the one server of this service works. */
    private static SimulatedService busy(double utilisation) {
        return SimulatedService.of(new ServiceLaw.Exponential(Math.round(utilisation * 1e9 / RATE.perSecond())));
    }

    private static SimulatedService stalling(int fromSecond, int untilSecond) {
        SimulatedService service = busy(0.2);
        for (int second = fromSecond; second < untilSecond; second++) {
            service = service.stall(new Stall(second * 1_000_000_000L, 600_000_000L, 0));
        }
        return service;
    }

    private static List<Caveat> caveats(RunResult result) {
        return RunVerdict.of(result, ServiceLevelObjective.defaults()).caveats().stream()
                .filter(caveat -> ABOUT_TIME.contains(caveat.code()))
                .toList();
    }

    private static String only(RunResult result) {
        List<Caveat> found = caveats(result);
        assertThat(found).hasSize(1);
        return found.get(0).code();
    }

    private static int exitCode(RunResult result, String slo) {
        return Analysis.of(result, Criteria.of(List.of(ServiceLevelObjective.parse(slo))))
                .outcome()
                .exitCode();
    }

    @Test
    void of_a_hundred_clean_runs_at_most_one_is_accused() {
        int accused = 0;
        for (int seed = 0; seed < Replications.of(100); seed++) {
            int seconds = 2 + seed * 7 % 59;
            double utilisation = 0.1 + 0.1 * (seed % 8);
            Workload workload =
                    seed % 10 == 0 ? new Workload.Closed(2, new ThinkTime.Exponential(10_000_000, seed)) : open(seed);
            accused += caveats(run(workload, seconds, busy(utilisation), seed)).isEmpty() ? 0 : 1;
        }
        assertThat(accused).isLessThanOrEqualTo(Replications.areWhole() ? 1 : 0); // seeds are fixed
    }

    /**
     * Near its capacity a queue remembers for long: at 95 % for 10 s at this rate, so that a minute that begins with an empty
     * queue is hardly a steady one. The seeds are fixed, and so is the outcome.
     */
    @Tag("slow")
    @ParameterizedTest(name = "busy {0} of the time: at most {1} of the runs")
    @CsvSource({"0.9, 0.25", "0.95, 0.45"})
    void near_the_capacity_some_are_accused_but_not_many(double utilisation, double most) {
        int runs = Replications.of(20, 6);
        int doubted = 0;
        for (int seed = 0; seed < runs; seed++) {
            List<Caveat> found = caveats(run(open(seed), 60, busy(utilisation), seed));
            doubted += found.stream().anyMatch(Caveat::isDoubt) ? 1 : 0;
        }
        assertThat(doubted).isLessThanOrEqualTo((int) (most * runs));
    }

    @Test
    void a_load_above_the_capacity_drifts_and_no_percentile_is_called_kept() {
        RunResult result = run(open(1), 60, busy(1.1), 1);
        assertThat(only(result)).isEqualTo("drift");
        RunVerdict verdict = RunVerdict.of(
                result,
                Stream.of("p99<1h", "p50<1ms", "errors<1%")
                        .map(ServiceLevelObjective::parse)
                        .toList());
        assertThat(verdict.measurement()).isEqualTo(RunVerdict.Soundness.SOUND);
        assertThat(verdict.objectives())
                .extracting(JudgedObjective::status)
                .containsExactly(
                        JudgedObjective.Status.UNDECIDED, JudgedObjective.Status.MISSED, JudgedObjective.Status.MET);
        assertThat(verdict.objectives().get(0).reason()).endsWith(", but the service is overloaded");
        assertThat(Observations.of(result).intervals().at(50)).isEmpty();
        assertThat(Observations.of(result).intervals().whyNot(50))
                .isEqualTo("the response time changed during the run");
        assertThat(exitCode(result, "p50<1ms")).isEqualTo(ExitCode.MISSED);
        assertThat(exitCode(result, "p99<1h")).isEqualTo(ExitCode.UNSOUND);
    }

    @Test
    void a_warm_up_is_named_with_its_length_and_nothing_else_is() {
        for (int seed = 0; seed < Replications.of(5, 2); seed++) {
            List<Caveat> found = caveats(run(open(seed), 60, stalling(0, 8), seed));
            assertThat(found).hasSize(1).first().isInstanceOfSatisfying(Unsteady.WarmUp.class, warmUp -> {
                assertThat(warmUp.nanos()).isBetween(5_000_000_000L, 15_500_000_000L);
                assertThat(warmUp.isDoubt()).isFalse();
            });
        }
    }

    @Test
    void a_new_level_is_a_jump_with_its_time() {
        for (int seed = 0; seed < Replications.of(5, 2); seed++) {
            List<Caveat> found = caveats(run(open(seed), 60, stalling(35, 60), seed));
            assertThat(found).hasSize(1).first().isInstanceOfSatisfying(Unsteady.NotSteady.class, change -> {
                assertThat(change.code()).isEqualTo("jump");
                assertThat(change.atNanos()).isBetween(33_000_000_000L, 37_000_000_000L);
            });
        }
    }

    @Test
    void a_stall_of_the_service_or_a_pause_of_ours_is_no_change_of_level() {
        for (int seed = 0; seed < Replications.of(5, 2); seed++) {
            SimulatedService service = busy(0.2).stall(Stall.parse("2s@30s"));
            assertThat(caveats(run(open(seed), 60, service, seed))).isEmpty();
        }
    }

    @Test
    void a_load_that_changes_may_change_the_response_time() {
        Workload steps = new Workload.Open(new Steps(List.of(
                new Step(new Constant(Rate.perSecond(50)), 30_000_000_000L),
                new Step(new Constant(Rate.perSecond(140)), 30_000_000_000L))));
        assertThat(caveats(run(steps, 60, busy(0.9), 1))).isEmpty();
    }

    @Test
    void the_drain_is_excluded() {
        SimulatedService service = busy(0.5).stall(Stall.parse("40s@24s"));
        assertThat(caveats(run(open(1), 25, service, 1))).isEmpty();
    }
}
