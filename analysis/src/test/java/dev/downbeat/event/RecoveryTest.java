package dev.downbeat.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.simulate.Stall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecoveryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double PER_SECOND = 200;

    private static RunResult run(double utilisation, List<Stall> stalls) {
        SimulatedService service =
                SimulatedService.of(new ServiceLaw.Exponential(Math.round(utilisation * SECOND / PER_SECOND)));
        for (Stall stall : stalls) {
            service = service.stall(stall);
        }
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond((long) PER_SECOND), 1)))
                .duration(Duration.ofSeconds(30))
                .interval(Duration.ofMillis(200))
                .build();
        return new Simulation(plan, service, RetryPolicy.none(), 1)
                .run(Progress.none())
                .result();
    }

    /** What piled up in a second is worked off in u / (1 - u) seconds. */
    @ParameterizedTest(name = "busy {0} of the time")
    @ValueSource(doubles = {0.3, 0.6, 0.7})
    void what_piled_up_is_worked_off_in_the_time_that_the_spare_capacity_takes(double utilisation) {
        List<Recovery> found = recoveries(run(utilisation, List.of(Stall.parse("1s@10s"))));
        assertThat(found).hasSize(1);
        double expected = utilisation / (1 - utilisation);
        assertThat(found.get(0).stallNanos() / 1e9).isBetween(0.9, 1.2);
        assertThat(found.get(0).leastNanos() / 1e9).isLessThan(expected * 1.3);
        assertThat(found.get(0).mostNanos() / 1e9).isBetween(expected * 0.6, expected * 1.3 + 0.4);
    }

    @Test
    void without_a_stall_there_is_nothing_to_recover_from() {
        assertThat(recoveries(run(0.6, List.of()))).isEmpty();
    }

    private static List<Recovery> recoveries(RunResult run) {
        return Recovery.of(run, Incidents.of(run));
    }
}
