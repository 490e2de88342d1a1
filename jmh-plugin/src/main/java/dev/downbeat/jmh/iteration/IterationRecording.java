package dev.downbeat.jmh.iteration;

import dev.downbeat.record.Recording;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The current iteration's recording on its way to the profiler. JMH creates both and connects neither to the other.
 *
 * <p>Thread-safe.
 */
public final class IterationRecording {
    /** Null without an active profiler. */
    private static final AtomicReference<@Nullable Recording> SUM = new AtomicReference<>();

    private IterationRecording() {}

    /** Adds to the current iteration; does nothing without the profiler. */
    public static void publish(Recording recording) {
        SUM.updateAndGet(sum -> sum == null ? null : sum.plus(recording));
    }

    /** Whether a profiler is active. */
    public static boolean isOpen() {
        return SUM.get() != null;
    }

    /** Begins an iteration. */
    public static void open() {
        SUM.set(Recording.empty());
    }

    /** Everything published since it was opened; empty if nothing was. */
    public static Optional<Recording> close() {
        return Optional.ofNullable(SUM.getAndSet(null))
                .filter(sum -> sum.ledger().planned() > 0);
    }
}
