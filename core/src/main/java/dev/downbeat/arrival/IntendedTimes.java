package dev.downbeat.arrival;

/**
 * The intended times of one run, or of one generator's share of it, in order. Allocates nothing per call.
 *
 * <p>Not thread-safe.
 */
public interface IntendedTimes {
    /** What {@link #nextNanos} returns when no time is left: later than any time, about 292 years after the start. */
    long END = Long.MAX_VALUE;

    /**
     * Moves on to the next time.
     *
     * @return its offset from the start of the run in nanoseconds, from 0 to {@code END - 1} and never less than the one
     *     before; {@link #END} for ever when no time is left or the next one lies beyond the range of a long
     */
    long nextNanos();

    /**
     * The number of the time last returned, counted over all shares from 0.
     *
     * @return the index; -1 before the first time; the last one's after {@link #END}
     */
    long index();

    /**
     * Which of several generators has the time last returned. It does not depend on who asks.
     *
     * @param shares among how many generators the times are shared out, at least 1
     * @return the share, from 0 to {@code shares - 1}; meaningless before the first time
     */
    default int owner(int shares) {
        return (int) (index() % shares);
    }
}
