package dev.downbeat.cli.job;

import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;

/** Who says when a run begins, where that is not the run itself. Used by the run's thread. */
public interface StartSignal {
    /**
     * Says that this process is ready, and waits.
     *
     * @return the job as it is to be run
     * @throws IOException if it does not begin; the message is one clear line
     */
    Job await(Job job) throws IOException;

    /** It is about to begin; what is counted can be read from any thread. */
    default void begun(LoadRun run, Counted counted) {}

    /** It is over; what is reported of it. */
    default RunResult ended(RunResult result) {
        return result;
    }
}
