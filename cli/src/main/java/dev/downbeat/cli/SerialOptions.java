package dev.downbeat.cli;

import dev.downbeat.run.SerialPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How many requests follow each other, how often, and how many such runs go on at a time. */
final class SerialOptions {
    @Option(
            names = "--runs",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Runs, each on connections of its own from its first request on. Default 100.")
    long runs = 100;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Requests of each run, one after the other. Default 180.")
    long requests = 180;

    @Option(
            names = {"-c", "--concurrency"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Runs at a time, and so connections. Default 16.")
    long concurrency = 16;

    @Option(
            names = "--warm-up-runs",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Runs that come before and are not counted, since the first connections of a process are"
                    + " slow for reasons of its own. Default 4.")
    long warmUpRuns = 4;

    @Option(
            names = "--together",
            description = "Starts runs at the same moment, so that they meet their new connections together and"
                    + " handshakes wait for each other. Else starts are spread.")
    boolean together;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long a request is given up. Default 30s.")
    Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--seed",
            paramLabel = "HEX",
            converter = Seed.Converter.class,
            description = "Chooses the moments at which runs start. Default: by chance.")
    @Nullable
    Seed seed;

    SerialPlan toPlan() {
        try {
            Seed chosen = seed == null ? Seed.random() : seed;
            return new SerialPlan(
                    whole(runs),
                    whole(requests),
                    whole(concurrency),
                    whole(warmUpRuns),
                    !together,
                    timeout,
                    chosen.value());
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        }
    }

    private static int whole(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }
}
