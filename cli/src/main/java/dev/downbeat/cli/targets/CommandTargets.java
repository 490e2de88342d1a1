package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.RequestOptions.Body;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Target;
import dev.downbeat.exec.ExecTarget;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** Targets that are commands: one worker process per connection. */
public final class CommandTargets {
    private static final int WORKERS = 10;

    private CommandTargets() {}

    public static Map<String, Object> details(ClientOptions asking, WorkloadSource workload) {
        return Map.of("workers", workers(asking, workload));
    }

    private static int workers(ClientOptions asking, WorkloadSource workload) {
        return asking.connections().count().map(Long::intValue).orElse(workload.connections(WORKERS));
    }

    /**
     * Creates the target; starts nothing.
     *
     * @throws IllegalArgumentException if there is no command, or a variable has no value; the message is one line
     * @throws IOException if a file cannot be read
     */
    public static Target of(ClientOptions asking, String target, WorkloadSource workload) throws IOException {
        return new ExecTarget(
                Requests.command(target),
                ExecTarget.Options.workers(workers(asking, workload)),
                variables(asking, workload.seed()));
    }

    /** Creates the target for one request at a time; each of {@code shares} runs has its own worker. */
    public static Target serial(ClientOptions asking, String target, int shares, long seed) throws IOException {
        return new ExecTarget(Requests.command(target), ExecTarget.Options.workers(shares), variables(asking, seed));
    }

    private static LongFunction<Map<String, String>> variables(ClientOptions asking, long seed) throws IOException {
        Optional<Body> data = asking.request().data();
        if (data.isEmpty()) {
            return index -> Map.of();
        }
        String text = new String(data.get().bytes(), StandardCharsets.UTF_8);
        LongFunction<String> filled = asking.source().filled(text, "--data", seed);
        return index -> Map.of("data", filled.apply(index));
    }

    /** The parts of the requests' time, and any invalid output of a worker. */
    public static List<String> parts(Target target) {
        List<String> lines = new ArrayList<>();
        if (target instanceof ExecTarget workers) {
            for (PartTimes.PartSummary part : workers.parts()) {
                lines.add(part.name() + ": p50 " + DurationText.rounded(part.p50Nanos()) + ", p99 "
                        + DurationText.rounded(part.p99Nanos()) + ", max " + DurationText.rounded(part.maxNanos())
                        + " (" + part.count() + ")");
            }
            workers.firstWrongLine().ifPresent(line -> lines.add("a worker wrote " + line));
        }
        return lines;
    }
}
