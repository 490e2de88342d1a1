package dev.downbeat.run;

import dev.downbeat.record.Interval;
import dev.downbeat.run.engine.LoadRun;

/** Notified of each interval during the run, on the thread that called {@link LoadRun#run}. */
@FunctionalInterface
public interface Progress {
    void interval(Interval interval);

    static Progress none() {
        return interval -> {};
    }
}
