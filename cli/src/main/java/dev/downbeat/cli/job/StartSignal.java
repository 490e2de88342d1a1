package dev.downbeat.cli.job;

import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;

/** Starts a run from outside. Used by the run's thread. */
public interface StartSignal {
    /**
     * Reports that this process is ready, and waits for the start.
     *
     * @return the job to run
     * @throws IOException if the run is not to start; the message is one clear line
     */
    Job await(Job job) throws IOException;

    /** Called when the run begins; its counts can be read from any thread. */
    default void begun(LoadRun run, Counted counted) {}

    /** Called when the run has ended; returns the result to report. */
    default RunResult ended(RunResult result) {
        return result;
    }
}
