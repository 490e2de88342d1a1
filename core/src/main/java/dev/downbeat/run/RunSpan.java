package dev.downbeat.run;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import java.time.Instant;
import java.util.Optional;

/**
 * When a run took place and how it ended.
 *
 * @param started wall-clock time of the earliest possible intended start
 * @param startAt the same instant on the run's clock, in nanoseconds; for comparison with other time stamps
 * @param durationNanos from the start to the end of the last request or of the drain
 * @param ending how the run ended
 * @param failure the error, if the target's code failed
 * @param isSumStopped whether the user interrupted the command that ran all shards of this sum
 */
public record RunSpan(
        Instant started,
        long startAt,
        long durationNanos,
        Ending ending,
        Optional<String> failure,
        boolean isSumStopped) {
    public enum Ending {
        /** Everything planned was attempted. */
        COMPLETE,
        /** The objectives were decided early, and the rest was cancelled. */
        DECIDED,
        /** Interrupted by the user: the result is partial. */
        INTERRUPTED,
        /** The target's code failed: the result is partial. */
        BROKEN,
        /** The measuring process ended early; the result is what it had saved by then. */
        CUT_OFF
    }

    public RunSpan {
        failure = failure.map(text -> SafeText.line(Redaction.line(text)));
    }

    /** A run of a single process, or a sum of shards that ended on their own. */
    public RunSpan(Instant started, long startAt, long durationNanos, Ending ending, Optional<String> failure) {
        this(started, startAt, durationNanos, ending, failure, false);
    }

    public static RunSpan of(Instant started, long startAt, long durationNanos, Ending ending) {
        return new RunSpan(started, startAt, durationNanos, ending, Optional.empty());
    }
}
