package dev.downbeat.acceptance;

/**
 * An instant that is known only to lie between two readings of {@link System#nanoTime}: those before and after the act.
 *
 * @param earliestAt not later than it
 * @param latestAt not earlier than it
 */
record Moment(long earliestAt, long latestAt) {
    /** What may throw anything. */
    @FunctionalInterface
    interface Act {
        void now() throws Exception;
    }

    static Moment of(Act act) throws Exception {
        long before = System.nanoTime();
        act.now();
        return new Moment(before, System.nanoTime());
    }

    long middleAt() {
        return earliestAt + (latestAt - earliestAt) / 2;
    }

    /** By how much {@link #middleAt} may be wrong. */
    long doubtNanos() {
        return (latestAt - earliestAt + 1) / 2;
    }
}
