package dev.downbeat.cli.measurement;

import dev.downbeat.record.Course;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** All that says what is simulated. Each component is described by its {@link Word}. */
public record Simulated(
        @Word(names = "Load") Load load,
        @Word(names = "Waiting") Waiting waiting,
        @Word(names = "Service") Service service,
        @Word(names = "Retries") Retries retries,
        @Word(names = "Objectives") Objectives objectives,
        @Word(names = "Certainty") Certainty certainty) {
    /** Refuses threads. */
    public Simulated {
        Refusal.when(waiting.threads() != 1, "--threads must be 1: virtual time has one thread only");
    }

    /** With everything chosen that was left to us or to chance. */
    public Simulated resolved() {
        Load chosen =
                load.or(Measurement.DEFAULT_RATE, Measurement.DEFAULT_DURATION).drawn();
        return new Simulated(chosen, waiting, service, retries, objectives, certainty);
    }

    /**
     * The plan. A long simulation has longer intervals, not more of them than are kept in the end: each costs as much as
     * thousands of requests.
     *
     * @throws IOException if a recording cannot be read
     */
    public RunPlan plan() throws IOException {
        RunPlan plan = Measurement.plan(load, waiting, Optional.empty(), Shard.WHOLE);
        long intervalNanos = plan.intervalNanos();
        while (plan.durationNanos() < Long.MAX_VALUE && plan.durationNanos() / intervalNanos > Course.MOST) {
            intervalNanos *= 2;
        }
        return plan.inIntervals(Duration.ofNanos(intervalNanos));
    }
}
