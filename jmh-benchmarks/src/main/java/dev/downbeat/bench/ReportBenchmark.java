package dev.downbeat.bench;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Generates the page of a run in a process that has just started, without warm-up. Includes the verdict, whose intervals are
 * drawn from the same data.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar ReportBenchmark
 * </pre>
 *
 * <p>Goal: at most 1 s for a run of an hour. A run of a day has no more intervals than one of an hour, since old ones are merged.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(5)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls prepare() before it measures
public class ReportBenchmark {
    private static final long SECOND = 1_000_000_000;

    /** Length of the run. */
    @Param({"60", "3600"})
    public int seconds;

    /** Requests per second. */
    @Param({"200"})
    public int perSecond;

    private RunResult result;

    /** Records a run second by second, with long-tailed response times. */
    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(1);
        CorrectedRecorder recorder = new CorrectedRecorder();
        IntervalTimeline course = new IntervalTimeline();
        Recording total = Recording.empty();
        for (int second = 0; second < seconds; second++) {
            recorder.planned(perSecond);
            for (int i = 0; i < perSecond; i++) {
                recorder.completed(exchange(second * SECOND, random));
            }
            Recording recorded = recorder.drain();
            total = total.plus(recorded);
            ConnectionCounts connections = new ConnectionCounts(second == 0 ? 64 : 0, 0, 0, 0, 0, 0, 64, 5);
            course.add(new Interval(second * SECOND, (second + 1) * SECOND, recorded, connections));
        }
        result = result(total, course.intervals());
    }

    private static Exchange exchange(long at, SplittableRandom random) {
        Exchange exchange = new Exchange(0);
        exchange.begin(at, at + 20_000, at + 30_000);
        exchange.completedAt = at + 1_000_000 + (long) (1e6 * Math.exp(1.5 * random.nextGaussian()));
        exchange.firstByteAt = exchange.completedAt - 50_000;
        exchange.position = 1 + random.nextInt(200);
        exchange.outcome = Outcome.answered();
        return exchange;
    }

    private RunResult result(Recording total, List<Interval> intervals) {
        long lengthNanos = seconds * SECOND;
        return new RunResult(
                RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(perSecond), 1)))
                        .duration(Duration.ofSeconds(seconds))
                        .build(),
                "GET http://localhost:8080/orders",
                RunSpan.of(Instant.EPOCH, 0, lengthNanos, RunSpan.Ending.COMPLETE),
                total,
                intervals,
                LaneCounts.of(new ConnectionCounts(64, 0, 0, 0, 0, 0, 64, 0), TargetCounts.NONE),
                new GeneratorHealth(lengthNanos, 1, 0, 0, 0, 0, 0, 0, 0));
    }

    /** From the result to the last character. */
    @Benchmark
    public int page() throws IOException {
        RunReport report = new RunReport(
                result,
                RunVerdict.of(result, List.of(ServiceLevelObjective.parse("p99<50ms"))),
                List.of("downbeat", "run"),
                Optional.of("1"),
                "0",
                new MachineProfile(2, -1, "Linux", "6", "amd64", "a JVM", List.of(), 20, 25, 60_000, ""),
                Map.of());
        StringBuilder page = new StringBuilder();
        RunView.on(Renderer.HTML).write(report, page);
        return page.length();
    }
}
