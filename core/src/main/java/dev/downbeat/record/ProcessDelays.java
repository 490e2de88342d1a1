package dev.downbeat.record;

/**
 * Delays of this process in an interval, in nanoseconds. Concurrent generators are combined by the maximum, consecutive
 * intervals by the sum. Immutable.
 *
 * @param runDelayNanos time that a generator's thread was runnable without a processor (Linux: {@code schedstat},
 *     proc(5)), or woke late, whichever is more; -1 if the system does not report it
 * @param hiccupNanos total oversleep of a thread that sleeps for one millisecond at a time
 * @param gcNanos time in stop-the-world garbage collections
 * @param fullNanos time without a free slot
 * @param busyNanos part of {@code fullNanos} with work for the generator, so that responses waited for it; -1 if the
 *     target does not report it
 * @param starvedNanos length of intervals with responses in which this process was too busy to read them; for an
 *     interval that was not merged, all or nothing
 */
public record ProcessDelays(
        long runDelayNanos, long hiccupNanos, long gcNanos, long fullNanos, long busyNanos, long starvedNanos) {
    public static final ProcessDelays NONE = new ProcessDelays(0, 0, 0, 0, 0, 0);

    /** An interval is starved if this process was delayed for more than this fraction of it. */
    public static final double STARVED_SHARE = 0.05;

    /** With every slot in use, being busy for this fraction of the time counts as always busy. */
    private static final double NEVER_IDLE_SHARE = 0.9;

    /** Whether the generator was busy for practically all of the time without a free slot. */
    public static boolean isNeverIdle(long busyNanos, long fullNanos) {
        return busyNanos >= fullNanos * NEVER_IDLE_SHARE;
    }

    /** Whether waits in all or part of this interval may be Downbeat's. */
    public boolean isStarved() {
        return starvedNanos > 0;
    }

    /** The most of the interval in which requests may have waited for this process. */
    public long maxOwnDelayNanos() {
        return starvedNanos + delayNanos();
    }

    private long delayNanos() {
        return (runDelayNanos < 0 ? hiccupNanos : runDelayNanos) + gcNanos;
    }

    /**
     * A copy with the starved time determined.
     *
     * @param lengthNanos length of the interval
     * @param answeringNanos the part of it with responses; without any, no process can be too busy to read them
     */
    public ProcessDelays judged(long lengthNanos, long answeringNanos) {
        boolean neverIdle =
                busyNanos >= 0 && fullNanos > answeringNanos * STARVED_SHARE && isNeverIdle(busyNanos, fullNanos);
        boolean starved = answeringNanos > 0 && (neverIdle || delayNanos() > answeringNanos * STARVED_SHARE);
        return new ProcessDelays(runDelayNanos, hiccupNanos, gcNanos, fullNanos, busyNanos, starved ? lengthNanos : 0);
    }

    /** Combines concurrent generators or processes: the maximum of each value. */
    public ProcessDelays beside(ProcessDelays other) {
        return new ProcessDelays(
                max(runDelayNanos, other.runDelayNanos),
                Math.max(hiccupNanos, other.hiccupNanos),
                Math.max(gcNanos, other.gcNanos),
                Math.max(fullNanos, other.fullNanos),
                max(busyNanos, other.busyNanos),
                Math.max(starvedNanos, other.starvedNanos));
    }

    /** Combines consecutive intervals: the sum. */
    public ProcessDelays then(ProcessDelays later) {
        return new ProcessDelays(
                sum(runDelayNanos, later.runDelayNanos),
                hiccupNanos + later.hiccupNanos,
                gcNanos + later.gcNanos,
                fullNanos + later.fullNanos,
                sum(busyNanos, later.busyNanos),
                starvedNanos + later.starvedNanos);
    }

    private static long max(long one, long other) {
        return one < 0 || other < 0 ? -1 : Math.max(one, other);
    }

    private static long sum(long one, long other) {
        return one < 0 || other < 0 ? -1 : one + other;
    }
}
