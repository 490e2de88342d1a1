package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.run.Shard;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for a part of a load that several processes or machines run together. */
public final class ShardOptions {
    private static final int MOST_PROCESSES = 256;
    private static final Pattern SHARD = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = "Runs a shard of this plan, made by 'downbeat plan'; - is stdin, env:NAME a variable.")
    @Nullable
    public String plan;

    @Option(names = Permission.ALLOW_EXEC, description = Permission.ALLOW_EXEC_HELP)
    boolean allowExec;

    @Option(names = Permission.ALLOW_ENV, description = Permission.ALLOW_ENV_HELP)
    boolean allowEnv;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "The shard: 0/8 to 7/8. Default with --plan: from Kubernetes, AWS Batch, Slurm or Nomad.")
    @Nullable
    Shard shard;

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            description = "When all shards begin: 2026-05-01T12:00:00Z, or +30s. Default: $DOWNBEAT_START_AT, or at"
                    + " once.")
    @Nullable
    StartTime startAt;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Runs the load as N processes on this machine and merges their results.")
    public int processes = 1;

    /** What the plan may take from this machine. */
    Permission permission() {
        return Permission.of(allowExec, allowEnv);
    }

    /** The start time; empty if it is immediate or comes from a parent process. */
    private Optional<Instant> start() {
        String configured = System.getenv("DOWNBEAT_START_AT");
        StartTime start = startAt != null || configured == null || configured.isEmpty()
                ? startAt
                : StartTime.parse(configured, Instant.now());
        return start == null ? Optional.empty() : Optional.ofNullable(start.at());
    }

    private boolean isStartedByParent() {
        return startAt != null && startAt.isFromParent();
    }

    public boolean isStartGiven() {
        return startAt != null;
    }

    public ShardPart part(Shard named, String planId) {
        return new ShardPart(named, true, start(), isStartedByParent(), Optional.of(planId));
    }

    /** The part of this load; shards with unrelated random numbers would not form one load. */
    public ShardPart part(LoadOptions load) {
        if (shard == null) {
            return ShardPart.WHOLE;
        }
        Refusal.when(
                !shard.isWhole() && load.isRandom() && load.seed().isEmpty(),
                "each shard would draw its own schedule: give all of them the same --seed, or make a plan "
                        + "(downbeat plan)");
        return new ShardPart(shard, true, start(), isStartedByParent(), Optional.empty());
    }

    /** Refuses options that shards cannot share; {@code ofTheWhole} names one of the whole load, or is empty. */
    public void check(String ofTheWhole) {
        Refusal.when(
                processes < 1 || processes > MOST_PROCESSES,
                "--processes must be from 1 to " + MOST_PROCESSES + ", but was " + processes);
        Refusal.when(
                processes > 1 && shard != null,
                "--processes and --shard or --plan are mutually exclusive: --processes makes its own shards");
        Refusal.when(startAt != null && shard == null, "--start-at requires --shard or --plan");
        Permission permission = permission();
        Refusal.when(permission != Permission.NONE, permission.option() + " requires --plan");
        Refusal.when(
                (shard != null || processes > 1) && !ofTheWhole.isEmpty(),
                ofTheWhole + " needs the whole load in one process: remove --shard or --processes");
    }

    /** Parses {@code 3/8}: the fourth of eight. */
    public static Shard shard(String text) {
        Matcher parts = SHARD.matcher(text);
        Refusal.when(
                !parts.matches(), "'" + text + "' is not a shard such as 0/8, the first of eight, or 7/8, the last");
        return Refusal.wrap(() -> new Shard(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2))));
    }

    /**
     * The common start of all shards.
     *
     * @param at wall-clock time; null if it is sent on stdin when all are ready
     */
    public record StartTime(@Nullable Instant at) {
        private static final String BY_PARENT = "told";
        private static final StartTime FROM_PARENT = new StartTime(null);

        /** Whether a parent process sends it on stdin. */
        public boolean isFromParent() {
            return at == null;
        }

        /** Parses an absolute time with its UTC offset, or a delay from {@code now}. */
        public static StartTime parse(String text, Instant now) {
            if (text.equals(BY_PARENT)) {
                return FROM_PARENT;
            }
            if (text.startsWith("+")) {
                Duration later = DurationParser.parse(text.substring(1));
                return new StartTime(now.plus(later));
            }
            try {
                return new StartTime(
                        OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
            } catch (DateTimeException unreadable) {
                throw new TypeConversionException("'" + text
                        + "' is not a time such as 2026-05-01T12:00:00Z (with Z or an offset such as "
                        + "+02:00), or +30s from now");
            }
        }
    }
}
