package dev.downbeat.gatling.ledger;

/**
 * What piled up while this process was paused: all that was due meanwhile leaves at once, in any order, and queues ahead of
 * what follows. What was due within so long takes the service no longer than that, or it would be overloaded; so the longest
 * lateness bounds the wait behind the others. Over as soon as no more requests are out than usual. Not thread-safe.
 */
final class LateBunch {
    /** What leaves later than this leaves in a bunch. */
    private static final long LEAST_NANOS = 1_000_000;

    /** A queue used to 95 % has worked off what a stop piled up in twenty times its length. */
    private static final int LONGEST = 20;

    /** Of the requests that are usually out: so many count. */
    private static final double WEIGHT = 1.0 / 64;

    private double usuallyOut;
    private Bunch current = new Bunch();
    private long lastAt;

    /** What left late together, in whatever order, and what queues behind it. */
    static final class Bunch {
        private volatile long longestNanos;

        /** How long at most one of them waits behind the others, as far as is known by now. */
        long atMostNanos() {
            return longestNanos;
        }
    }

    /**
     * A request leaves.
     *
     * @param out how many others are out
     * @return the bunch that it is one of, or queues behind; one without any lateness if there is none
     */
    Bunch leaves(long lateNanos, long out, long nowAt) {
        boolean isLate = lateNanos > LEAST_NANOS;
        boolean isOver = out <= usuallyOut + 0.5 || nowAt - lastAt > LONGEST * current.longestNanos;
        if (current.longestNanos > 0 && !isLate && isOver) {
            current = new Bunch();
        }
        if (isLate) {
            current.longestNanos = Math.max(current.longestNanos, lateNanos);
            lastAt = nowAt;
        }
        if (current.longestNanos == 0) {
            usuallyOut += (out - usuallyOut) * WEIGHT;
        }
        return current;
    }
}
