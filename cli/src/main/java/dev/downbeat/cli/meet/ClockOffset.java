package dev.downbeat.cli.meet;

/**
 * By how much another clock is ahead of ours. Immutable.
 *
 * @param nanos the best guess; negative if it is behind
 * @param errorNanos by how much the guess may be wrong, at most
 */
record ClockOffset(long nanos, long errorNanos) {
    /** Nothing is known. */
    static final ClockOffset UNKNOWN = new ClockOffset(0, Long.MAX_VALUE);

    /**
     * From one exchange: we wrote, they saw it, they wrote, we saw it, each by the clock of who did.
     * Half of the time under way is the bound: Mills, RFC 5905, section 8.
     */
    static ClockOffset of(long sentAt, long theySawAt, long theySentAt, long sawAt) {
        long underWay = sawAt - sentAt - (theySentAt - theySawAt);
        return new ClockOffset((theySawAt - sentAt + (theySentAt - sawAt)) / 2, Math.max(0, underWay) / 2 + 1);
    }

    /** The one that is known better. */
    ClockOffset or(ClockOffset other) {
        return other.errorNanos < errorNanos ? other : this;
    }

    /** What to correct: nothing if the clocks may well be equal, since clocks that NTP keeps are closer than an exchange can tell. */
    long correctionNanos() {
        return Math.abs(nanos) > errorNanos ? nanos : 0;
    }
}
