package dev.downbeat.cli.meet;

/**
 * By how much another clock is ahead of ours, between two bounds that each exchange can only narrow. Immutable.
 *
 * @param leastNanos negative if it may be behind
 * @param mostNanos not less
 * @param atNanos when that held, by our clock
 */
record ClockOffset(long leastNanos, long mostNanos, long atNanos) {
    /** Nothing is known. */
    static final ClockOffset UNKNOWN = new ClockOffset(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4, 0);

    /** Clocks drift apart by 50 millionths, at most: what is known becomes old. */
    private static final long DRIFT = 20_000;

    /**
     * From one exchange: we wrote, they saw it, they wrote, we saw it, each by the clock of who did. Nobody sees what was not yet
     * written: no other assumption is made, and the ways may take unequal times.
     */
    static ClockOffset of(long sentAt, long theySawAt, long theySentAt, long sawAt) {
        return new ClockOffset(theySentAt - sawAt, theySawAt - sentAt, sawAt);
    }

    /** What both tell; the later one alone if a clock was set meanwhile. */
    ClockOffset and(ClockOffset later) {
        long drift = (later.atNanos - atNanos) / DRIFT;
        long least = Math.max(leastNanos - drift, later.leastNanos);
        long most = Math.min(mostNanos + drift, later.mostNanos);
        return least <= most ? new ClockOffset(least, most, later.atNanos) : later;
    }

    /** The best guess. */
    long nanos() {
        return (leastNanos + mostNanos) / 2;
    }

    /** By how much the guess may be wrong, at most. */
    long errorNanos() {
        return (mostNanos - leastNanos) / 2 + 1;
    }

    /** What to correct: nothing if the clocks may well be equal, since clocks that NTP keeps are closer than an exchange can tell. */
    long correctionNanos() {
        return Math.abs(nanos()) > errorNanos() ? nanos() : 0;
    }
}
