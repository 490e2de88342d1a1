package dev.downbeat.gatling.ledger;

/**
 * What this process piled up when it stood still: all that was due meanwhile leaves at once, and queues ahead of what follows.
 * If every arrival at a queue comes at most d later, every end comes at most d later; so the longest lateness bounds it. Over
 * as soon as no more requests are out than usual. Not thread-safe.
 */
final class LateBunch {
    /** What leaves later than this leaves in a bunch. */
    private static final long LEAST_NANOS = 1_000_000;

    /** A queue used to 95 % has worked off what a stop piled up in twenty times its length. */
    private static final int LONGEST = 20;

    /** Of the requests that are usually out: so many count. */
    private static final double WEIGHT = 1.0 / 64;

    private double usuallyOut;
    private long longestNanos;
    private long lastAt;

    /**
     * A request leaves.
     *
     * @param out how many others are out
     * @return by how much at most it may end later, since it is one of a bunch or queues behind one
     */
    long leaves(long lateNanos, long out, long nowAt) {
        boolean isLate = lateNanos > LEAST_NANOS;
        if (!isLate && (out <= usuallyOut + 0.5 || nowAt - lastAt > LONGEST * longestNanos)) {
            longestNanos = 0;
        }
        if (isLate) {
            longestNanos = Math.max(longestNanos, lateNanos);
            lastAt = nowAt;
        }
        if (longestNanos == 0) {
            usuallyOut += (out - usuallyOut) * WEIGHT;
        }
        return longestNanos;
    }
}
