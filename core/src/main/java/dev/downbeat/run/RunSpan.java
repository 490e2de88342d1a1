package dev.downbeat.run;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import java.time.Instant;
import java.util.Optional;

/**
 * When a run was, and how it came to its end.
 *
 * @param started wall-clock time of the first possible intended time
 * @param startAt the same instant on the run's clock, in nanoseconds: for comparing with what others have stamped
 * @param durationNanos from the start to the end of the last request or of the drain
 * @param ending how it came to its end
 * @param failure if the target's code broke: what it said
 */
public record RunSpan(
        Instant started, long startAt, long durationNanos, RunResult.Ending ending, Optional<String> failure) {
    /** Hides what is secret in the text. */
    public RunSpan {
        failure = failure.map(what -> Plain.line(Redaction.line(what)));
    }

    /** Of a run in which nothing broke. */
    public static RunSpan of(Instant started, long startAt, long durationNanos, RunResult.Ending ending) {
        return new RunSpan(started, startAt, durationNanos, ending, Optional.empty());
    }
}
