package dev.downbeat.acceptance;

/**
 * The instant of an action, known only to lie between readings of {@link System#nanoTime} before and after it.
 *
 * @param earliestAt the reading before
 * @param latestAt the reading after
 */
record Moment(long earliestAt, long latestAt) {
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static Moment of(Action action) throws Exception {
        long before = System.nanoTime();
        action.run();
        return new Moment(before, System.nanoTime());
    }

    long middleAt() {
        return earliestAt + (latestAt - earliestAt) / 2;
    }

    /** The largest error of {@link #middleAt}. */
    long doubtNanos() {
        return (latestAt - earliestAt + 1) / 2;
    }
}
