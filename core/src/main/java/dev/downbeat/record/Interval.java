package dev.downbeat.record;

/**
 * A recording with its place in the run. A request belongs to the interval in which its end was recorded.
 *
 * @param startNanos begin, from the start of the run
 * @param endNanos end, from the start of the run; not before the begin
 * @param recording what was counted in between
 */
public record Interval(long startNanos, long endNanos, Recording recording) {
    /** Refuses an end before the begin. */
    public Interval {
        if (endNanos < startNanos) {
            throw new IllegalArgumentException("endNanos must be at least " + startNanos + ", but was " + endNanos);
        }
    }

    /** How long it lasted. */
    public long lengthNanos() {
        return endNanos - startNanos;
    }
}
