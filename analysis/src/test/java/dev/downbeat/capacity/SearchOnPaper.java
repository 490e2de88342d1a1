package dev.downbeat.capacity;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Searches for the rate of a queue with one server, in virtual time. */
final class SearchOnPaper {
    static final long SECOND = 1_000_000_000L;
    static final double MU = 500;

    private SearchOnPaper() {}

    static SearchPlan plan(double from, double to, int stepSeconds, String slo) {
        return plan(from, to, stepSeconds, slo, 3_600);
    }

    static SearchPlan plan(double from, double to, int stepSeconds, String slo, int budgetSeconds) {
        return new SearchPlan(
                from,
                to,
                stepSeconds * SECOND,
                budgetSeconds * SECOND,
                List.of(ServiceLevelObjective.parse(slo), ServiceLevelObjective.parse("errors<1%")),
                0.05,
                OptionalLong.empty());
    }

    /** In virtual time; each run has other arrivals and other service times. */
    static RateMeasurement service(long seed, SearchPlan plan, SimulatedService service, int connections) {
        long[] runs = {seed * 1_000_003};
        return (perSecond, nanos) -> {
            RunPlan run = runPlan(plan, perSecond, nanos, runs[0]++);
            return new Simulation(run, service, RetryPolicy.none(), runs[0], connections)
                    .run(Progress.none())
                    .result();
        };
    }

    static RunPlan runPlan(SearchPlan plan, double perSecond, long nanos, long seed) {
        return RunPlan.builder(
                        new Workload.Open(new Poisson(new Rate(Math.round(perSecond * 1_000), 1_000 * SECOND), seed)))
                .duration(Duration.ofNanos(nanos))
                .interval(Duration.ofNanos(plan.stretchNanos()))
                .drain(Duration.ofSeconds(2))
                .build();
    }

    /** Without the engine, which takes some ten times as long; the run lasts until the end of its drain, even if nothing is in flight. */
    static RateMeasurement queue(long seed, SearchPlan plan) {
        return ChangingQueue.stalls(0, 5).measurement(seed, plan);
    }

    static RateMeasurement engineQueue(long seed, SearchPlan plan) {
        return service(seed, plan, SimulatedService.of(new ServiceLaw.Exponential(Math.round(SECOND / MU))), 2_000);
    }

    static Capacity search(SearchPlan plan, RateMeasurement measurement) {
        try {
            return new RateSearch(plan, measurement, step -> {}).run();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
