package dev.downbeat.simulate;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.time.ServiceLaw;
import java.time.Duration;

/** What the tests of this package have in common. Times in nanoseconds. */
final class Cases {
    static final long MS = 1_000_000;

    /** Marc Brooker's service: one in a thousand is slow. */
    static final ServiceLaw BIMODAL = ServiceLaw.parse("hyperexp:100us,10ms,0.1%");

    /** 80 % of what it can do. */
    static final Rate BIMODAL_RATE = new Rate(727_934, 100_000_000_000L);

    private Cases() {}

    static Workload poisson(Rate rate, long seed) {
        return new Workload.Open(new Poisson(rate, seed));
    }

    static RunPlan.Builder plan(Workload workload) {
        return RunPlan.builder(workload).timeout(Duration.ofMinutes(10));
    }

    static Simulation.Simulated run(RunPlan plan, ServiceLaw law, RetryPolicy retries, long seed) {
        return run(plan, SimulatedService.of(law), retries, seed);
    }

    static Simulation.Simulated run(RunPlan plan, SimulatedService service, RetryPolicy retries, long seed) {
        return new Simulation(plan, service, retries, seed).run(Progress.none());
    }
}
