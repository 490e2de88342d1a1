package dev.downbeat.capacity;

import dev.downbeat.run.RunResult;
import java.io.IOException;

/** Runs one measurement at a given rate. */
@FunctionalInterface
public interface RateMeasurement {
    /**
     * Runs the measurement.
     *
     * @param perSecond planned requests per second, above 0
     * @param durationNanos duration of the load
     * @return the whole run including its start, with intervals of {@link SearchPlan#stretchNanos}
     * @throws IOException if nothing could be measured
     */
    RunResult measure(double perSecond, long durationNanos) throws IOException;
}
