package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.load.Measured;
import dev.downbeat.load.MeasuredFixture;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Services and machines on paper. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RepeatedRunsTest {
    private static final long MS = 1_000_000;
    private static final Duration LENGTH = Duration.ofSeconds(20);
    static final SimulatedService QUICK =
            SimulatedService.of(new ServiceLaw.Exponential(5 * MS)).servers(8);

    /** Of p99 some 230 ms. */
    static final SimulatedService STARVED =
            SimulatedService.of(new ServiceLaw.Exponential(50 * MS)).servers(64);

    private static Machine.Observation seen(SimulatedService service, double othersShare, long controlNanos) {
        return seen(service, othersShare, controlNanos, 7);
    }

    static Machine.Observation seen(SimulatedService service, double othersShare, long controlNanos, long seed) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(100), seed)))
                .duration(LENGTH)
                .build();
        RunResult result = new Simulation(plan, service, RetryPolicy.none(), seed)
                .run(Progress.none())
                .result();
        RunVerdict verdict = RunVerdict.of(
                result, ServiceLevelObjective.withDefaults(List.of(ServiceLevelObjective.parse("p99<100ms"))));
        Measured measured = MeasuredFixture.of(new RunReport(
                result, verdict, List.of(), Optional.empty(), "test", MachineProfile.measure(), Map.of()));
        long startAt = result.span().startAt();
        List<CpuContention.Control> controls = LongStream.range(0, 80)
                .mapToObj(i -> new CpuContention.Control(startAt + i * 250 * MS, controlNanos))
                .toList();
        return new Machine.Observation(
                measured, Optional.of(new CpuContention(othersShare, OptionalDouble.empty(), controls)));
    }

    private static RepeatedRuns attempts(Duration budget, Machine.Observation... runs) {
        Deque<Machine.Observation> left = new ArrayDeque<>(List.of(runs));
        return new RepeatedRuns(LENGTH, Duration.ZERO, budget, length -> left.remove());
    }

    @Test
    void a_miss_while_other_processes_are_busy_is_repeated_and_the_quiet_run_decides() {
        RepeatedRuns attempts =
                attempts(Duration.ofMinutes(1), seen(STARVED, 0.61, 48 * MS), seen(QUICK, 0.02, 5 * MS));
        Machine.Observation last = attempts.last();
        assertThat(last.measured().verdict()).isEqualTo(dev.downbeat.load.Verdict.MET);
        assertThat(attempts.repeats()).isEqualTo(1);
        assertThat(attempts.length()).isEqualTo(LENGTH);
    }

    @Test
    void a_miss_that_is_excused_each_time_is_measured_twice_again_at_most() {
        Machine.Observation crowded = seen(STARVED, 0.61, 48 * MS);
        RepeatedRuns attempts = attempts(Duration.ofHours(1), crowded, crowded, crowded);
        assertThat(RepeatedRuns.isExcused(attempts.last())).isTrue();
        assertThat(attempts.repeats()).isEqualTo(2);
        assertThat(attempts.unaffordable()).isEmpty();
    }

    @Test
    void the_budget_holds_for_repeats_too() {
        RepeatedRuns attempts = attempts(LENGTH, seen(STARVED, 0.61, 48 * MS));
        assertThat(RepeatedRuns.isExcused(attempts.last())).isTrue();
        assertThat(attempts.repeats()).isZero();
        assertThat(attempts.unaffordable()).contains(LENGTH);
    }

    @Test
    void the_budget_includes_warm_ups() {
        Machine.Observation crowded = seen(STARVED, 0.61, 48 * MS);
        RepeatedRuns attempts = new RepeatedRuns(LENGTH, LENGTH, LENGTH.multipliedBy(3), length -> crowded);
        assertThat(RepeatedRuns.isExcused(attempts.last())).isTrue();
        assertThat(attempts.repeats()).isZero();
    }

    @Test
    void a_miss_on_a_quiet_machine_stays_missed_and_so_does_one_whose_service_took_the_cores_itself() {
        for (Machine.Observation seen : List.of(seen(STARVED, 0.02, 5 * MS), seen(STARVED, 0.05, 48 * MS))) {
            RepeatedRuns attempts = attempts(Duration.ofHours(1), seen);
            assertThat(RepeatedRuns.isExcused(attempts.last())).isFalse();
            assertThat(attempts.repeats()).isZero();
        }
    }

    /** The same machine kept a call of 5 ms waiting for 43 ms: a second of silence is not its doing. */
    @Test
    void a_stall_while_other_processes_are_busy_stays_missed() {
        Machine.Observation stalling = seen(QUICK.stall(Stall.parse("1s@5s")), 0.61, 48 * MS);
        assertThat(stalling.measured().verdict()).isEqualTo(dev.downbeat.load.Verdict.MISSED);
        assertThat(RepeatedRuns.isExcused(
                        attempts(Duration.ofHours(1), stalling).last()))
                .isFalse();
    }
}
