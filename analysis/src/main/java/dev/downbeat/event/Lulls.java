package dev.downbeat.event;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;

/**
 * Stretches without an answer in which nobody needs to have stalled: those of a rhythm, and those in which all connections were
 * taken by requests that were not yet slow.
 */
final class Lulls {
    /** A stretch without an answer that is longer than the steps of a rhythm by this factor is more than the rhythm. */
    private static final double BEYOND_RHYTHM = 1.5;

    /** With all connections in use nobody is answered for about as long as a request takes. */
    private static final double ONE_REQUEST = 1.1;

    private final RunResult result;
    private final long rhythmNanos;
    private final long requestNanos;

    Lulls(RunResult result) {
        this.result = result;
        this.rhythmNanos = Rhythm.stepNanos(result.interruptions().silences());
        this.requestNanos = result.recording().service().valueAtPercentile(50);
    }

    /** Whether a stretch without an answer is one. */
    boolean has(long fromNanos, long toNanos) {
        long lengthNanos = toNanos - fromNanos;
        return lengthNanos < BEYOND_RHYTHM * rhythmNanos
                || (lengthNanos < ONE_REQUEST * requestNanos && areConnectionsTaken(fromNanos, toNanos));
    }

    /** Whether most requests that ended then had waited for a connection. */
    private boolean areConnectionsTaken(long fromNanos, long toNanos) {
        return result.intervals().stream()
                        .filter(interval -> interval.endNanos() > fromNanos && interval.startNanos() <= toNanos)
                        .map(Interval::recording)
                        .reduce(Recording.empty(), Recording::plus)
                        .backlogWait()
                        .valueAtPercentile(50)
                > 0;
    }
}
