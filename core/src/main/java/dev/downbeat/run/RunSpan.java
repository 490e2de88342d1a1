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
        RunResult.Ending ending,
        Optional<String> failure,
        boolean isSumStopped) {
    /** Removes secrets from the text. */
    public RunSpan {
        failure = failure.map(what -> SafeText.line(Redaction.line(what)));
    }

    /** A run of a single process, or a sum of shards that ended on their own. */
    public RunSpan(
            Instant started, long startAt, long durationNanos, RunResult.Ending ending, Optional<String> failure) {
        this(started, startAt, durationNanos, ending, failure, false);
    }

    /** A run without a failure. */
    public static RunSpan of(Instant started, long startAt, long durationNanos, RunResult.Ending ending) {
        return new RunSpan(started, startAt, durationNanos, ending, Optional.empty());
    }
}
