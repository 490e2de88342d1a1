package dev.downbeat.jmh;

import dev.downbeat.jmh.iteration.Recorded;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.Reported;

/**
 * For a benchmark whose operation is a whole load: its percentiles are merged over iterations and forks as those of a {@link
 * Beat}, which publishes by itself. Thread-safe.
 */
public final class Publication {
    private Publication() {}

    /** Adds a result to those of the iteration that goes on; does nothing without {@link DownbeatProfiler}. */
    public static void publish(Measured measured) {
        Recorded.publish(Reported.of(measured).result().recording());
    }
}
