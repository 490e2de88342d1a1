package dev.downbeat.cli;

import dev.downbeat.run.Shard;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** A part of a load that several processes or machines make together. */
final class ShardOptions {
    private static final int MOST_PROCESSES = 256;

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = "Runs a shard of this plan, as 'downbeat plan' made it; - is stdin, env:NAME a variable.")
    @Nullable
    String plan;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            converter = ShardConverter.class,
            description =
                    "Which shard: 0/8 to 7/8. With --plan, default: what Kubernetes, AWS Batch, Slurm or Nomad say.")
    @Nullable
    Shard shard;

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            converter = StartTime.Converter.class,
            description = "When all shards begin: 2026-05-01T12:00:00Z, or +30s. Default: what $DOWNBEAT_START_AT says,"
                    + " or at once.")
    @Nullable
    StartTime startAt;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Runs the load as N processes on this machine and merges what they find.")
    int processes = 1;

    /** What the plan's words are executed with; nobody types it. */
    @Option(names = "--plan-id", hidden = true)
    @Nullable
    String planId;

    boolean isShard() {
        return shard != null;
    }

    /** When to begin; empty if at once, or if a parent process will say it. */
    Optional<Instant> start() {
        String told = System.getenv("DOWNBEAT_START_AT");
        StartTime start = startAt != null || shard == null || told == null || told.isEmpty()
                ? startAt
                : StartTime.parse(told, Instant.now());
        return start == null ? Optional.empty() : Optional.ofNullable(start.at());
    }

    /** Whether a parent process says when to begin. */
    boolean isStartTold() {
        return startAt != null && startAt.isTold();
    }

    /** How many parts the load is shared out to. */
    int count() {
        return shard != null ? shard.count() : processes;
    }

    /** Refuses what cannot be shared out. */
    void check(ParseResult parsed) {
        refuseIf(
                processes < 1 || processes > MOST_PROCESSES,
                "--processes must be from 1 to " + MOST_PROCESSES + ", but was " + processes);
        refuseIf(
                processes > 1 && (shard != null || plan != null),
                "--processes and --shard or --plan are mutually" + " exclusive: it makes shards of its own");
        refuseIf(startAt != null && shard == null && plan == null, "--start-at goes with --shard or --plan only");
        refuseIf(
                processes > 1 && startAt != null,
                "--processes begins when all processes are ready: leave --start-at out");
        if (shard == null && processes == 1) {
            return;
        }
        for (String option : new String[] {"--vary", "--until-decided"}) {
            refuseIf(
                    parsed.hasMatchedOption(option),
                    option + " needs the whole load in one process: it does not go" + " with --shard or --processes");
        }
    }

    /** Shards that draw lots of their own would not be parts of one load. */
    void checkSeed(LoadOptions load) {
        refuseIf(
                shard != null && !shard.isWhole() && !load.seedText().isEmpty() && load.seed == null,
                "each shard would draw lots of its own: give all of them the same --seed, or make a plan"
                        + " (downbeat plan)");
    }

    private static void refuseIf(boolean contradiction, String message) {
        if (contradiction) {
            throw new TypeConversionException(message);
        }
    }
}
