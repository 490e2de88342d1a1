package dev.downbeat.run;

import dev.downbeat.record.Interval;
import dev.downbeat.run.engine.LoadRun;

/** Told of each interval while the run goes on, on the thread that called {@link LoadRun#run}. */
@FunctionalInterface
public interface Progress {
    /** An interval has closed. */
    void interval(Interval interval);

    /** Tells nobody. */
    static Progress none() {
        return interval -> {};
    }
}
