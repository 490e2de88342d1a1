package dev.downbeat.arrival;

/**
 * An arrival process: a value that always generates the same sequence of intended times, on every machine.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface ArrivalProcess permits Constant, Poisson, Ramp, Replay, Steps {
    /**
     * The arrivals assigned to one generator. Over all generators, every arrival of {@link #times()} occurs exactly
     * once.
     *
     * @param share index of the generator, from 0 to {@code shares - 1}
     * @param shares number of generators, at least 1
     * @return a new cursor before the first time
     * @throws IllegalArgumentException if an argument is out of range
     */
    IntendedTimes times(int share, int shares);

    /** All arrivals, in a new cursor before the first time. */
    default IntendedTimes times() {
        return times(0, 1);
    }

    /** The name in machine-readable results, such as {@code poisson}. */
    String kind();

    /** Whether the rate is constant. If so, a change in the measurements is not caused by the load. */
    default boolean isSteady() {
        return false;
    }

    /** A short text for display, such as {@code Poisson 2,000/s}. */
    String describe();
}
