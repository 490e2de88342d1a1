package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.run.Shard;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for a part of a load that several processes or machines run together. */
public final class ShardOptions {
    private static final int MOST_PROCESSES = 256;

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = "Runs a shard of this plan, as 'downbeat plan' made it; - is stdin, env:NAME a variable.")
    @Nullable
    public String plan;

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
            description = "Runs the load as N processes on this machine and merges their results.")
    public int processes = 1;

    /** The start time; empty if it is immediate or comes from a parent process. */
    private Optional<Instant> start() {
        String told = System.getenv("DOWNBEAT_START_AT");
        StartTime start =
                startAt != null || told == null || told.isEmpty() ? startAt : StartTime.parse(told, Instant.now());
        return start == null ? Optional.empty() : Optional.ofNullable(start.at());
    }

    private boolean isStartOnStdin() {
        return startAt != null && startAt.isOnStdin();
    }

    /** Whether a start time is given. */
    public boolean isStartGiven() {
        return startAt != null;
    }

    public ShardPart part(Shard named, String planId) {
        return new ShardPart(named, true, start(), isStartOnStdin(), Optional.of(planId));
    }

    /** The part of this load; shards with unrelated random numbers would not form one load. */
    public ShardPart part(LoadOptions load) {
        if (shard == null) {
            return ShardPart.WHOLE;
        }
        Refusal.when(
                !shard.isWhole() && load.hasChance() && load.seed().isEmpty(),
                "each shard would draw its own schedule: give all of them the same --seed, or make a plan "
                        + "(downbeat plan)");
        return new ShardPart(shard, true, start(), isStartOnStdin(), Optional.empty());
    }

    /**
     * Refuses options that cannot be shared out; {@code ofTheWhole} names one that needs the whole load, or is empty.
     */
    public void check(String ofTheWhole) {
        Refusal.when(
                processes < 1 || processes > MOST_PROCESSES,
                "--processes must be from 1 to " + MOST_PROCESSES + ", but was " + processes);
        Refusal.when(
                processes > 1 && shard != null,
                "--processes and --shard or --plan are mutually exclusive: it makes shards of its own");
        Refusal.when(startAt != null && shard == null, "--start-at goes with --shard or --plan only");
        Refusal.when(
                (shard != null || processes > 1) && !ofTheWhole.isEmpty(),
                ofTheWhole + " needs the whole load in one process: it does not go with --shard or --processes");
    }
}
