package dev.downbeat.jmh;

import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;

/**
 * For benchmarks whose operation is a whole load: percentiles are merged over iterations and forks, as for a {@link
 * IntendedStart}, which publishes its own. Thread-safe.
 */
public final class BenchmarkResults {
    private BenchmarkResults() {}

    /** Adds a result to the current iteration; does nothing without {@link DownbeatProfiler}. */
    public static void publish(Measured measured) {
        IterationRecording.publish(ReportAccess.of(measured).result().recording());
    }
}
