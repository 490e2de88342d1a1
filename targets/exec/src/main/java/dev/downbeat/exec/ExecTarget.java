package dev.downbeat.exec;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A client as it is, in whatever language: a command that is started once for each connection and asked by lines.
 *
 * <p>For each request a worker gets a line of JSON, {@code {"index": 17, "intended_unix_ns": 1764..., "vars": {"id": "4"}}},
 * and answers {@code ok} or {@code fail KIND}, with details as JSON behind it. Response times count from the intended time
 * until the answer is read. Before the clock starts each worker answers {@code ping} with {@code pong}; the time of these round
 * trips is what the pipes add to each request. Thread-safe.
 */
public final class ExecTarget implements Target {
    private final String command;
    private final ExecOptions options;
    private final LongFunction<Map<String, String>> variables;
    private final PartTimes parts = new PartTimes();
    private final AtomicReference<@Nullable String> firstWrong = new AtomicReference<>();

    /**
     * @param command as typed into a shell
     * @param variables of each request, by its index; called by several threads
     */
    public ExecTarget(String command, ExecOptions options, LongFunction<Map<String, String>> variables) {
        if (command.isBlank()) {
            throw new IllegalArgumentException("exec: needs a command, such as exec:'python3 send.py'");
        }
        this.command = command;
        this.options = Objects.requireNonNull(options, "options");
        this.variables = Objects.requireNonNull(variables, "variables");
    }

    @Override
    public String describe() {
        return "exec:" + Redaction.command(command);
    }

    /** What requests spent their time on so far, as the workers say, and what the pipes take. */
    public List<PartTimes.Part> parts() {
        return parts.all();
    }

    /** The first line of a worker that was no answer; empty if there was none. */
    public Optional<String> firstWrongLine() {
        return Optional.ofNullable(firstWrong.get());
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int all = options.workers();
        int ours = (all - share + shares - 1) / shares;
        if (ours < 1) {
            throw new IOException(all + " workers are too few for " + shares + " generators");
        }
        WorkerPool workers = new WorkerPool(command, options, variables, parts, firstWrong, ours);
        workers.open();
        return new CallLane(ours, clock, listener, workers);
    }
}
