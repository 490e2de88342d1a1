package dev.downbeat.record;

/**
 * A stretch in which this process, or a generator's thread, did nothing though it wanted to; in nanoseconds from the start
 * of the run.
 *
 * @param fromNanos when it should have gone on
 * @param toNanos when it did
 */
public record Pause(long fromNanos, long toNanos) {
    /** Checks that it does not end before it begins. */
    public Pause {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("toNanos must be at least " + fromNanos + ", but was " + toNanos);
        }
    }

    /** How long it lasted. */
    public long lengthNanos() {
        return toNanos - fromNanos;
    }
}
