package dev.downbeat.exec;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests through worker processes of any client, started by a command, one for each connection.
 *
 * <p>For each request a worker reads a line of JSON, {@code {"index": 17, "intended_unix_ns": 1764..., "vars": {"id":
 * "4"}}}. It answers {@code ok} or {@code fail KIND}, optionally followed by details as JSON. Response times count from
 * the intended time until the answer is read. Before the clock starts, each worker answers {@code ping} with
 * {@code pong}; this round trip is the overhead of the pipes per request. Thread-safe.
 */
public final class ExecTarget implements Target {
    private final String command;
    private final WorkerPool.Starter starter;
    private final Options options;
    private final LongFunction<Map<String, String>> variables;
    private final PartTimes parts = new PartTimes();
    private final AtomicReference<@Nullable String> firstWrong = new AtomicReference<>();

    /**
     * Creates a target.
     *
     * @param command a shell command line
     * @param variables variables of each request, by its index; called by several threads
     */
    public ExecTarget(String command, Options options, LongFunction<Map<String, String>> variables) {
        this(command, options, variables, words -> new ProcessBuilder(words).start());
    }

    ExecTarget(
            String command, Options options, LongFunction<Map<String, String>> variables, WorkerPool.Starter starter) {
        if (command.isBlank()) {
            throw new IllegalArgumentException("exec: needs a command, such as exec:'python3 send.py'");
        }
        this.command = command;
        this.starter = starter;
        this.options = Objects.requireNonNull(options, "options");
        this.variables = Objects.requireNonNull(variables, "variables");
    }

    @Override
    public String describe() {
        return "exec:" + Redaction.command(command);
    }

    /** The time requests spent in each part but in warm-ups, as workers report it, and the overhead of the pipes. */
    public List<PartTimes.PartSummary> parts() {
        return parts.all();
    }

    /** The first invalid line of a worker; empty if there was none. */
    public Optional<String> firstWrongLine() {
        return Optional.ofNullable(firstWrong.get());
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int laneWorkers = Target.share("workers", options.workers(), share, shares);
        WorkerPool workers = new WorkerPool(
                command, starter, options.startTimeout(), options.grace(), variables, parts, firstWrong, laneWorkers);
        workers.open();
        return new CallLane(laneWorkers, clock, listener, workers);
    }

    /**
     * Options for worker processes.
     *
     * @param workers number of processes over all generators, at least 1; each handles one request at a time
     * @param startTimeout time limit for a worker's reply to its first {@code ping}
     * @param grace maximum further time for a request that has timed out, before its worker is killed and replaced;
     *     never longer than the request had
     */
    public record Options(int workers, Duration startTimeout, Duration grace) {
        private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
        private static final Duration GRACE = Duration.ofSeconds(10);

        public Options {
            if (workers < 1) {
                throw new IllegalArgumentException("workers must be at least 1, but was " + workers);
            }
        }

        /** Options for this many workers, with the defaults of 30 s to start and 10 s of grace. */
        public static Options workers(int workers) {
            return new Options(workers, START_TIMEOUT, GRACE);
        }
    }
}
