package dev.downbeat.arrival;

/**
 * A cursor over the intended times of a run, or of one generator's share, in ascending order. Allocates nothing per
 * call.
 *
 * <p>Not thread-safe.
 */
public interface IntendedTimes {
    /**
     * Returned by {@link #nextNanos} when there are no more arrivals. Later than any valid time: about 292 years after
     * the start.
     */
    long END = Long.MAX_VALUE;

    /**
     * Advances to the next arrival.
     *
     * @return its offset from the start of the run in nanoseconds, from 0 to {@code END - 1} and never below the
     *     previous one; {@link #END}, from then on, if no arrival is left or the next one does not fit a long
     */
    long nextNanos();

    /** The index of the last arrival returned, from 0 over all generators; -1 before the first. */
    long index();

    /**
     * The generator that owns the last arrival returned. Independent of the generator that calls this.
     *
     * @param shares number of generators, at least 1
     * @return the generator's index, from 0 to {@code shares - 1}; meaningless before the first arrival
     */
    default int owner(int shares) {
        return (int) (index() % shares);
    }
}
