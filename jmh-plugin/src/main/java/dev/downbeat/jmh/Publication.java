package dev.downbeat.jmh;

import dev.downbeat.record.Recording;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way from what is recorded to {@link DownbeatProfiler}: JMH makes both, and tells neither of the other. A {@link
 * Beat} publishes by itself; a benchmark whose operation is a whole run ({@link dev.downbeat.run.engine.LoadRun}) publishes the
 * run's recording, and has its percentiles merged over iterations and forks in the same way.
 *
 * <p>Thread-safe.
 */
public final class Publication {
    /** Null while no profiler listens. */
    private static final AtomicReference<@Nullable Recording> SUM = new AtomicReference<>();

    private Publication() {}

    /** Adds to the results of the iteration that goes on; does nothing without the profiler. */
    public static void publish(Recording recording) {
        SUM.updateAndGet(sum -> sum == null ? null : sum.plus(recording));
    }

    static boolean isOpen() {
        return SUM.get() != null;
    }

    static void open() {
        SUM.set(Recording.empty());
    }

    /** All that was published since it was opened; empty if nothing was. */
    static Optional<Recording> close() {
        return Optional.ofNullable(SUM.getAndSet(null))
                .filter(sum -> sum.ledger().planned() > 0);
    }
}
