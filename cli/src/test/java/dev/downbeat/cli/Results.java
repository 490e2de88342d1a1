package dev.downbeat.cli;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.job.Job;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Made-up results for tests. */
public final class Results {
    static final long MILLI = 1_000_000;

    static final RunPlan PLAN = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(2_000), 0x7f3a)))
            .duration(Duration.ofSeconds(60))
            .build();

    public static final MachineProfile MACHINE =
            new MachineProfile(2, -1, "Linux", "6", "amd64", "a JVM", List.of("a GC"), 40, 30, 60_000, "");

    private Results() {}

    public static Recording recording(int answered, int failed) {
        return recording(answered, failed, 0);
    }

    private static Recording recording(int answered, int failed, long lateNanos) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = new Exchange(0);
        Outcome refused = Outcome.failed("connection refused");
        recorder.planned(answered + failed);
        for (int i = 0; i < answered + failed; i++) {
            exchange.begin(0, lateNanos, lateNanos);
            exchange.completedAt = lateNanos + (1 + i % 10) * MILLI;
            exchange.outcome = i < answered ? Outcome.answered() : refused;
            recorder.completed(exchange);
        }
        return recorder.drain();
    }

    public static RunResult result(int answered, int failed) {
        return result(answered, failed, 0);
    }

    /** Of a process that sent everything so late. */
    public static RunResult result(int answered, int failed, long lateNanos) {
        Recording recording = recording(answered, failed, lateNanos);
        return new RunResult(
                PLAN,
                "GET http://localhost:8080/orders",
                RunSpan.of(Instant.EPOCH, 0, 1_000_000_000, RunSpan.Ending.COMPLETE),
                recording,
                List.of(new Interval(0, 1_000_000_000, recording)),
                LaneCounts.NONE,
                new GeneratorHealth(1_000_000_000, 1, 0, 0, 0, 0, 0, 0, 0));
    }

    public static Job job(String... slos) {
        Target target = new Target() {
            @Override
            public String describe() {
                return "GET http://localhost:8080/orders";
            }

            @Override
            public dev.downbeat.exchange.Lane open(
                    int share, int shares, dev.downbeat.time.NanoClock clock, Exchange.Listener listener)
                    throws IOException {
                throw new IOException("no lanes in this test");
            }
        };
        return new Job(
                target,
                PLAN,
                java.util.Arrays.stream(slos).map(ServiceLevelObjective::parse).toList(),
                false,
                dev.downbeat.verdict.RequiredCertainty.PLAIN,
                new Origin(List.of("downbeat", "run"), Map.of()),
                Optional.of("7f3a"),
                Map.of("connections", 64),
                false);
    }
}
