package dev.downbeat.cli.measurement;

import dev.downbeat.run.RunPlan;
import java.time.Duration;
import java.util.Optional;

/** How long to wait for answers, and how many threads keep the schedule. Each component is described by its {@link Word}. */
public record Waiting(
        @Word(
                names = "--timeout",
                label = "TIME",
                otherwise = "30s",
                help = "After how long a request is given up. Default 30s.")
        Duration timeout,
        @Word(
                names = "--timeout-from",
                label = "WHEN",
                otherwise = "intended",
                help = "intended (what a caller's patience counts from; default) or sent.")
        RunPlan.TimeoutFrom timeoutFrom,
        @Word(
                names = "--drain",
                label = "TIME",
                help = "How long to wait at the end for what is still out. Default: the timeout.")
        Optional<Duration> drain,
        @Word(
                names = {"-t", "--threads"},
                label = "N",
                otherwise = "1",
                help = "Threads that share the schedule and the connections. Default 1.")
        int threads) {
    /** Checks the ranges. */
    public Waiting {
        Refusal.when(timeout.isZero(), "--timeout must be above 0");
        Refusal.when(threads < 1 || threads > 256, "--threads must be from 1 to 256, but was " + threads);
    }

    /** Says it to a plan. */
    public void applyTo(RunPlan.Builder plan) {
        plan.timeout(timeout).timeoutFrom(timeoutFrom).drain(drain.orElse(timeout)).generators(threads);
    }
}
