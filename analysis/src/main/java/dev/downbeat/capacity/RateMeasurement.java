package dev.downbeat.capacity;

import dev.downbeat.run.RunResult;
import java.io.IOException;

/** One run at one rate. */
@FunctionalInterface
public interface RateMeasurement {
    /**
     * Measures.
     *
     * @param perSecond at which rate requests are meant to start, above 0
     * @param durationNanos for how long
     * @return the whole run, its beginning included; intervals as long as {@link SearchPlan#stretchNanos}
     * @throws IOException if nothing could be measured
     */
    RunResult measure(double perSecond, long durationNanos) throws IOException;
}
