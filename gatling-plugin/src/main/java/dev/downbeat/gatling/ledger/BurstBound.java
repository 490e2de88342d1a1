package dev.downbeat.gatling.ledger;

/**
 * An upper bound on how long requests queue behind each other after a pause of this process, when everything due leaves
 * in one burst. A service that is not overloaded needs no longer for the requests of a period than that period, so the
 * maximum lateness is such a bound. The burst ends when no more requests than usual are in flight. Not thread-safe.
 */
final class BurstBound {
    /** Requests with more lateness than this leave in a burst. */
    private static final long LEAST_NANOS = 1_000_000;

    /** A queue at 95 % utilisation clears the effect of a pause within twenty times its length. */
    private static final int LONGEST = 20;

    /** The weight of a new value in the usual number of requests in flight. */
    private static final double WEIGHT = 1.0 / 64;

    private double usualInFlight;
    private Burst current = new Burst();
    private long lastAt;

    /** Requests that left late together, in any order, and those that queue behind them. */
    static final class Burst {
        private volatile long longestNanos;

        /** Upper bound so far on the wait of one of them behind the others. */
        long atMostNanos() {
            return longestNanos;
        }
    }

    /**
     * A request leaves.
     *
     * @param inFlight number of other requests in flight
     * @return the burst that it belongs to or queues behind; one without lateness if there is none
     */
    Burst leaves(long lateNanos, long inFlight, long nowAt) {
        boolean isLate = lateNanos > LEAST_NANOS;
        boolean isOver = inFlight <= usualInFlight + 0.5 || nowAt - lastAt > LONGEST * current.longestNanos;
        if (current.longestNanos > 0 && !isLate && isOver) {
            current = new Burst();
        }
        if (isLate) {
            current.longestNanos = Math.max(current.longestNanos, lateNanos);
            lastAt = nowAt;
        }
        if (current.longestNanos == 0) {
            usualInFlight += (inFlight - usualInFlight) * WEIGHT;
        }
        return current;
    }
}
