package dev.downbeat.record;

/**
 * A period in which this process or a generator thread was not running although it should have been; in nanoseconds
 * from the start of the run.
 *
 * @param fromNanos when it should have continued
 * @param toNanos when it continued
 */
public record Pause(long fromNanos, long toNanos) {
    /** Rejects an end before the start. */
    public Pause {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("toNanos must be at least " + fromNanos + ", but was " + toNanos);
        }
    }

    /** The length of the pause. */
    public long lengthNanos() {
        return toNanos - fromNanos;
    }
}
