package dev.downbeat.jmh.iteration;

import dev.downbeat.record.Recording;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded in the iteration that goes on, on its way to the profiler: JMH makes both, and tells neither of the other.
 *
 * <p>Thread-safe.
 */
public final class Recorded {
    /** Null while no profiler listens. */
    private static final AtomicReference<@Nullable Recording> SUM = new AtomicReference<>();

    private Recorded() {}

    /** Adds to the results of the iteration that goes on; does nothing without the profiler. */
    public static void publish(Recording recording) {
        SUM.updateAndGet(sum -> sum == null ? null : sum.plus(recording));
    }

    /** Whether a profiler listens. */
    public static boolean isOpen() {
        return SUM.get() != null;
    }

    /** Begins an iteration. */
    public static void open() {
        SUM.set(Recording.empty());
    }

    /** All that was published since it was opened; empty if nothing was. */
    public static Optional<Recording> close() {
        return Optional.ofNullable(SUM.getAndSet(null))
                .filter(sum -> sum.ledger().planned() > 0);
    }
}
