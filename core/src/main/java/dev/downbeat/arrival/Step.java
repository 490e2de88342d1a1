package dev.downbeat.arrival;

/**
 * One stretch of a {@link Steps} process.
 *
 * @param process its arrivals, counted from the beginning of the step; those at or after its end are cut off
 * @param durationNanos how long the step lasts, in nanoseconds, at least 1; {@link #ENDLESS} for the last step of all
 */
public record Step(ArrivalProcess process, long durationNanos) {
    /** The duration of a step that lasts until the run is over. */
    public static final long ENDLESS = Long.MAX_VALUE;

    /**
     * Checks the duration.
     *
     * @throws IllegalArgumentException if the duration is below 1
     */
    public Step {
        if (durationNanos < 1) {
            throw new IllegalArgumentException("durationNanos must be at least 1, but was " + durationNanos);
        }
    }

    String describe() {
        boolean endsByItself =
                durationNanos == ENDLESS || (process instanceof Ramp ramp && ramp.durationNanos() == durationNanos);
        return endsByItself ? process.describe() : process.describe() + " for " + PeriodText.of(durationNanos);
    }
}
