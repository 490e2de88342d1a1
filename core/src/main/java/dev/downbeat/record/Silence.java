package dev.downbeat.record;

/**
 * A period without any response, in nanoseconds from the start of the run.
 *
 * @param afterNanos time of the previous response; 0 if there was none
 * @param fromNanos when a request began to wait: {@code afterNanos} if one was in flight, otherwise when the next
 *     request was due
 * @param toNanos time of the next response or the end of the run
 * @param caughtUpNanos when responses were as prompt as before; at least {@code toNanos}
 */
public record Silence(long afterNanos, long fromNanos, long toNanos, long caughtUpNanos) {
    /** How long requests waited. */
    public long waitedNanos() {
        return toNanos - fromNanos;
    }

    /** A copy shifted later in time. */
    Silence later(long nanos) {
        return new Silence(
                afterNanos + nanos, fromNanos + nanos, endLater(toNanos, nanos), endLater(caughtUpNanos, nanos));
    }

    private static long endLater(long endNanos, long nanos) {
        return endNanos == Long.MAX_VALUE ? endNanos : endNanos + nanos;
    }

    /** The intersection with a silence of another source of responses. */
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
