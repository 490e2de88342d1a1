package dev.downbeat.cli.job;

import dev.downbeat.run.Progress;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts a run from outside. Used by the run's thread. */
public interface StartSignal {
    /**
     * All processes that begin together, shown as one run.
     *
     * @param job the load of all of them
     * @param now their sum; empty before the first has been seen. Thread-safe
     */
    record Together(Job job, Supplier<Optional<LiveSum>> now) {}

    /**
     * Says that this process is ready, and waits.
     *
     * @return the job to run
     * @throws IOException if the run is not to start; the message is one clear line
     */
    Job await(Job job) throws IOException;

    /**
     * It is about to begin; what is counted can be read from any thread.
     *
     * @param shown who shows the run; empty if nobody looks on
     * @return the sum to be shown, where this process leads others; {@code shown} gets its intervals then
     */
    default Optional<Together> begun(LoadRun run, Counted counted, Optional<Progress> shown) {
        return Optional.empty();
    }

    /** Called when the run has ended; returns the result to report. */
    default RunResult ended(RunResult result) {
        return result;
    }
}
