package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.measurement.value.Seed;
import dev.downbeat.run.SerialPlan;
import java.time.Duration;
import java.util.Optional;

/**
 * How many requests follow each other, how often, and in how many concurrent runs. {@link CliOption} describes each
 * component.
 */
public record SerialUse(
        @CliOption(
                names = "--runs",
                label = "N",
                otherwise = "100",
                help = "Runs, each on connections of its own from its first request on. Default 100.")
        long runs,

        @CliOption(
                names = {"-n", "--requests"},
                label = "N",
                otherwise = "180",
                help = "Requests of each run, one after the other. Default 180.")
        long requests,

        @CliOption(
                names = {"-c", "--concurrency"},
                label = "N",
                otherwise = "16",
                help = "Runs at a time, and so connections. Default 16.")
        long concurrency,

        @CliOption(
                names = "--warm-up-runs",
                label = "N",
                otherwise = "4",
                help = "Uncounted runs beforehand, since the first connections of a process are slow. Default 4.")
        long warmUpRuns,

        @CliOption(
                names = "--together",
                help = "Starts runs at the same moment, so that their handshakes compete. Otherwise starts are spread.")
        boolean together,

        @CliOption.Of(Waiting.class) Duration timeout,

        @CliOption(names = "--seed", label = "HEX", help = "Repeats the start times of runs. Default: a new one.")
        Optional<Seed> seed) {
    /** The same with a random seed if none is given. */
    public SerialUse drawn() {
        return seed.isPresent() ? this : Values.with(this, "--seed", Seed.random());
    }

    /** The plan for the engine; the seed must be set. */
    public SerialPlan toPlan() {
        try {
            return new SerialPlan(
                    whole(runs),
                    whole(requests),
                    whole(concurrency),
                    whole(warmUpRuns),
                    !together,
                    timeout,
                    seed.orElseThrow().value());
        } catch (IllegalArgumentException refused) {
            throw Refusal.of(refused);
        }
    }

    private static int whole(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }
}
