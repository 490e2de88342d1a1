package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.record.Course;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** All that says what is simulated. Each component is described by its {@link CliOption}. */
public record SimulationOptions(
        @CliOption(names = "Load") LoadOptions load,
        @CliOption(names = "Waiting") Waiting waiting,
        @CliOption(names = "Service") Service service,
        @CliOption(names = "Retries") Retries retries,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Certainty") Certainty certainty) {
    /** Refuses threads. */
    public SimulationOptions {
        Refusal.when(waiting.threads() != 1, "--threads must be 1: virtual time has one thread only");
    }

    /** With everything chosen that was left to us or to chance. */
    public SimulationOptions resolved() {
        LoadOptions chosen =
                load.or(Measurement.DEFAULT_RATE, Measurement.DEFAULT_DURATION).drawn();
        return new SimulationOptions(chosen, waiting, service, retries, objectives, certainty);
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
