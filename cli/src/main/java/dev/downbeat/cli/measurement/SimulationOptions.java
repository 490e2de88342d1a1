package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.record.Course;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Everything that defines a simulation. {@link CliOption} describes each component. */
public record SimulationOptions(
        @CliOption(names = "Load") LoadOptions load,
        @CliOption(names = "Waiting") Waiting waiting,
        @CliOption(names = "Service") Service service,
        @CliOption(names = "Retries") Retries retries,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Certainty") Certainty certainty) {
    /** Refuses several threads. */
    public SimulationOptions {
        Refusal.when(waiting.threads() != 1, "--threads must be 1: virtual time has one thread only");
    }

    /** The same with all defaults and random choices filled in. */
    public SimulationOptions resolved() {
        LoadOptions chosen =
                load.or(Measurement.DEFAULT_RATE, Measurement.DEFAULT_DURATION).drawn();
        return new SimulationOptions(chosen, waiting, service, retries, objectives, certainty);
    }

    /**
     * The plan. Long simulations have longer intervals, since each costs as much as thousands of requests and only a
     * limited number is kept.
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
