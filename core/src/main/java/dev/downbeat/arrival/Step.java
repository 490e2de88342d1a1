package dev.downbeat.arrival;

import dev.downbeat.time.DurationText;

/**
 * One segment of a {@link Steps} process.
 *
 * @param process arrivals, relative to the start of the step; those at or after its end are dropped
 * @param durationNanos duration in nanoseconds, at least 1; {@link #ENDLESS} is allowed for the last step only
 */
public record Step(ArrivalProcess process, long durationNanos) {
    /** The duration of a step that continues until the run ends. */
    public static final long ENDLESS = Long.MAX_VALUE;

    public Step {
        if (durationNanos < 1) {
            throw new IllegalArgumentException("durationNanos must be at least 1, but was " + durationNanos);
        }
    }

    String describe() {
        boolean endsByItself =
                durationNanos == ENDLESS || (process instanceof Ramp ramp && ramp.durationNanos() == durationNanos);
        return endsByItself ? process.describe() : process.describe() + " for " + DurationText.format(durationNanos);
    }
}
