package dev.downbeat.arrival;

/**
 * The law of the intended times: a value from which the same times follow again and again, on every machine.
 *
 * <p>Immutable, so safe for use by any number of threads.
 */
public sealed interface ArrivalProcess permits Constant, Poisson, Ramp, Replay, Steps {
    /**
     * The times of one of several generators. Together the shares have exactly the times of {@link #times()}, each once,
     * whatever their number.
     *
     * @param share which generator, from 0 to {@code shares - 1}
     * @param shares how many generators, at least 1
     * @return a new cursor before the first time
     * @throws IllegalArgumentException if an argument is out of range
     */
    IntendedTimes times(int share, int shares);

    /**
     * All times.
     *
     * @return a new cursor before the first time
     */
    default IntendedTimes times() {
        return times(0, 1);
    }

    /**
     * The name of the law in machine-readable results.
     *
     * @return {@code constant}, {@code poisson}, {@code ramp}, {@code steps} or {@code replay}
     */
    String kind();

    /** Whether the rate is the same all the time, so that a change in what is measured is none of the load. */
    default boolean isSteady() {
        return false;
    }

    /**
     * The law in words and numbers, to be shown.
     *
     * @return for example {@code Poisson 2,000/s}
     */
    String describe();
}
