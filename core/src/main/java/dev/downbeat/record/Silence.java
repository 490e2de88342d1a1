package dev.downbeat.record;

/**
 * A stretch without any answer, in nanoseconds from the start of the run.
 *
 * @param afterNanos when the last answer before it came; 0 if there was none
 * @param fromNanos since when something waited for an answer: {@code afterNanos} if something was out by then, else when the
 *     next request was due
 * @param toNanos when the next answer came, or the run ended
 * @param caughtUpNanos when requests were answered as promptly as before it again; at least {@code toNanos}
 */
public record Silence(long afterNanos, long fromNanos, long toNanos, long caughtUpNanos) {
    /** For how long something waited. */
    public long waitedNanos() {
        return toNanos - fromNanos;
    }

    /** The same, so much later. */
    Silence later(long nanos) {
        return new Silence(
                afterNanos + nanos, fromNanos + nanos, endLater(toNanos, nanos), endLater(caughtUpNanos, nanos));
    }

    private static long endLater(long endNanos, long nanos) {
        return endNanos == Long.MAX_VALUE ? endNanos : endNanos + nanos;
    }

    /** What remains if another source of answers gave none in {@code other} either. */
    Silence within(Silence other) {
        long after = Math.max(afterNanos, other.afterNanos);
        long to = Math.min(toNanos, other.toNanos);
        return new Silence(
                after,
                Math.max(after, Math.min(fromNanos, other.fromNanos)),
                to,
                caughtUpNanos == Long.MAX_VALUE ? to : Math.max(to, caughtUpNanos));
    }
}
