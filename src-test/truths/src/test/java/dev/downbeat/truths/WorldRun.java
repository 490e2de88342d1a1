package dev.downbeat.truths;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A run against a {@link World} in virtual time, with the generator, recorder and ledger of a real run. */
record WorldRun(RunPlan plan, World world, long seed) {
    private static final long HICCUP_NANOS = 10_000_000;

    RunResult result() {
        return result(Long.MAX_VALUE);
    }

    /** Stops the run after {@code stopNanos}, as its user might. */
    RunResult result(long stopNanos) {
        ManualClock clock = new ManualClock(0);
        AtomicReference<@Nullable LoadRun> running = new AtomicReference<>();
        Runnable stop = () -> Objects.requireNonNull(running.get(), "running").stop();
        Target target = new Target() {
            @Override
            public String describe() {
                return "a simulated service";
            }

            @Override
            public List<String> names() {
                return world.names;
            }

            @Override
            public int nameOf(Exchange exchange) {
                return world.names.isEmpty() ? 0 : (int) (exchange.index % world.names.size());
            }

            @Override
            public Lane open(int share, int shares, NanoClock runClock, Exchange.Listener listener) {
                return new WorldLane(clock, listener, world, seed, stopNanos, stop);
            }
        };
        LoadRun run = new LoadRun(plan, target, clock);
        running.set(run);
        try {
            RunResult result = run.run(Progress.none());
            return world.ownPauses.isEmpty() ? result : withOwnPauses(result);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Adds the pauses that a real run would notice by a thread that wakes every millisecond. */
    private RunResult withOwnPauses(RunResult result) {
        Span longest = world.ownPauses.stream()
                .max(Comparator.comparingLong(span -> span.toNanos() - span.fromNanos()))
                .orElseThrow();
        long totalNanos = world.ownPauses.stream()
                .mapToLong(span -> span.toNanos() - span.fromNanos())
                .filter(nanos -> nanos > HICCUP_NANOS)
                .sum();
        GeneratorHealth health = new GeneratorHealth(
                result.durationNanos(),
                -1,
                longest.toNanos() - longest.fromNanos(),
                longest.toNanos(),
                totalNanos,
                0,
                0,
                0,
                -1);
        return new RunResult(
                result.plan(),
                result.target(),
                result.span(),
                result.recording(),
                result.intervals(),
                result.lanes(),
                health,
                result.shards(),
                result.interruptions(),
                result.kept());
    }
}
