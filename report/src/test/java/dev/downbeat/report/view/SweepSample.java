package dev.downbeat.report.view;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A search for the most load that a service on paper bears. */
public final class SweepSample {
    private static final long SECOND = 1_000_000_000L;

    private static final Map<Long, SweepReport> KNOWN = new ConcurrentHashMap<>();

    private SweepSample() {}

    /** A service on paper, one request at a time; searched once, whoever asks. */
    public static SweepReport of(long meanNanos) {
        return KNOWN.computeIfAbsent(meanNanos, SweepSample::searched);
    }

    private static SweepReport searched(long meanNanos) {
        try {
            return search(meanNanos);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static SweepReport search(long meanNanos) throws IOException {
        SearchPlan plan = new SearchPlan(
                100,
                2_000,
                10 * SECOND,
                300 * SECOND,
                List.of(ServiceLevelObjective.parse("p90<25ms"), ServiceLevelObjective.parse("errors<1%")),
                0.05,
                OptionalLong.empty());
        SimulatedService service =
                new SimulatedService(new ServiceLaw.Exponential(meanNanos), 1, Integer.MAX_VALUE, List.of(), false);
        long[] seed = {1};
        RateSearch search = new RateSearch(
                plan,
                (perSecond, nanos) -> new Simulation(
                                RunPlan.builder(new Workload.Open(new Poisson(
                                                new Rate(Math.round(perSecond * 1_000), 1_000 * SECOND), seed[0]++)))
                                        .duration(Duration.ofNanos(nanos))
                                        .interval(Duration.ofNanos(plan.stretchNanos()))
                                        .drain(Duration.ofSeconds(2))
                                        .build(),
                                service,
                                RetryPolicy.none(),
                                seed[0])
                        .run(Progress.none())
                        .result(),
                step -> {});
        return new SweepReport(
                search.run(),
                "GET http://localhost:8080/orders",
                "open loop, Poisson arrivals; 10 s per rate, including 2 s to settle",
                List.of("downbeat", "sweep", "http://localhost:8080/orders", "-R", "100..2k/s"),
                "7f3a",
                "0.1.0",
                Map.of(),
                false);
    }
}
