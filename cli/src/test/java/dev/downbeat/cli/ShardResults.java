package dev.downbeat.cli;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files of shards that nobody has run. */
public final class ShardResults {
    static final Instant START = Instant.parse("2026-05-01T12:00:00Z");

    private static final long QUIET = 0;

    private final Path folder;

    public ShardResults(Path folder) {
        this.folder = folder;
    }

    public Path shard(int index, int count) throws IOException {
        return shard(index, count, "abc", START, QUIET);
    }

    public Path ofPlan(int index, int count, String id) throws IOException {
        return shard(index, count, id, START, QUIET);
    }

    public Path late(int index, int count, Duration late) throws IOException {
        return shard(index, count, "abc", START.plus(late), QUIET);
    }

    /** A shard that watched a service, which stood once. */
    public Path watching(int index, int count) throws IOException {
        Path file = shard(index, count);
        Event stop = new Event(EventKind.PROCESS_STOPPED, 100 * Results.MILLI, 300 * Results.MILLI, "");
        RunReport seen = RunFile.read(file)
                .with(List.of(new WatchResult("pid:1", List.of(stop), 0, 1_000 * Results.MILLI, 0, List.of())));
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(seen, out);
        }
        return file;
    }

    public Path sick(int index, int count) throws IOException {
        return shard(index, count, "abc", START, 2_000 * Results.MILLI);
    }

    /** A shard that {@code downbeat stop} stopped. */
    public Path stopped(int index, int count) throws IOException {
        return shard(index, count, "abc", START, QUIET, RunSpan.Ending.INTERRUPTED);
    }

    private Path shard(int index, int count, String id, Instant started, long hiccupNanos) throws IOException {
        return shard(index, count, id, started, hiccupNanos, RunSpan.Ending.COMPLETE);
    }

    private Path shard(int index, int count, String id, Instant started, long hiccupNanos, RunSpan.Ending ending)
            throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(1_000), 0x7f3a)))
                .duration(Duration.ofSeconds(1))
                .shard(new Shard(index, count))
                .start(START)
                .build();
        RunResult made = Results.result(100, 0, hiccupNanos);
        RunResult result = new RunResult(
                plan,
                made.target(),
                RunSpan.of(started, 0, made.durationNanos(), ending),
                made.recording(),
                made.intervals(),
                LaneCounts.NONE,
                new GeneratorHealth(1_000_000_000, 250_000_000, hiccupNanos, 0, hiccupNanos, 0, 0, 0, 0));
        RunReport report = new RunReport(
                result,
                RunVerdict.of(result, List.of(ServiceLevelObjective.parse("p50<50ms"))),
                List.of("downbeat", "run", "--shard=" + index + "/" + count, "http://localhost:8080/orders"),
                Optional.of("7f3a"),
                "1",
                Results.MACHINE,
                Map.of("connections", 64, ShardPart.PLAN_ID, id, ShardPart.SHARD, index + "/" + count));
        Path file = folder.resolve("shard-" + id + "-" + index + ".downbeat");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report, out);
        }
        return file;
    }
}
