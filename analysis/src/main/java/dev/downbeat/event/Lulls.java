package dev.downbeat.event;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;

/**
 * Gaps without responses that need no stall: those of a rhythm, and those in which all connections served requests that
 * were not yet slow.
 */
final class Lulls {
    /** A gap longer than the steps of a rhythm by this factor is more than the rhythm. */
    private static final double BEYOND_RHYTHM = 1.5;

    /** With all connections in use, no response arrives for about the length of a request. */
    private static final double ONE_REQUEST = 1.1;

    private final RunResult result;
    private final long rhythmNanos;
    private final long requestNanos;

    Lulls(RunResult result) {
        this.result = result;
        this.rhythmNanos = Rhythm.stepNanos(result.interruptions().silences());
        this.requestNanos = result.recording().service().valueAtPercentile(50);
    }

    /** Whether a gap needs no stall. */
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
