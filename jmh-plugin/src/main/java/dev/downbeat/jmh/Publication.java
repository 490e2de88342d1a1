package dev.downbeat.jmh;

import dev.downbeat.jmh.iteration.Recorded;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;

/**
 * For benchmarks whose operation is a whole load: percentiles are merged over iterations and forks, as for a {@link
 * IntendedStart}, which publishes its own. Thread-safe.
 */
public final class Publication {
    private Publication() {}

    /** Adds a result to the current iteration; does nothing without {@link DownbeatProfiler}. */
    public static void publish(Measured measured) {
        Recorded.publish(Reported.of(measured).result().recording());
    }
}
