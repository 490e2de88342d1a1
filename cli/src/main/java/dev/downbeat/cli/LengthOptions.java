package dev.downbeat.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** When a run is long enough, if no duration says so. */
final class LengthOptions {
    private static final Duration DEFAULT_BUDGET = Duration.ofMinutes(10);
    private static final Duration LEAST_BUDGET = Duration.ofSeconds(20);

    @Option(
            names = "--until-decided",
            description = "Ends as soon as each --slo is surely met or missed (95 %%), at the earliest after 20 s.")
    boolean untilDecided;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --until-decided: ends after so long at the latest. Default 10m.")
    @Nullable
    Duration budget;

    /** The budget becomes the duration. */
    void applyTo(LoadOptions load, ObjectiveOptions objective) {
        refuseIf(budget != null && !untilDecided, "--budget goes with --until-decided only");
        if (!untilDecided) {
            return;
        }
        refuseIf(
                load.duration != null || load.durationAlias != null || load.requests != null,
                "--until-decided and -d or -n are mutually exclusive: --budget says how long at most");
        refuseIf(
                !load.stages.isEmpty() || load.ramp != null || load.replay != null || load.replayLog != null,
                "--until-decided needs a load that stays the same, such as -R 500");
        refuseIf(objective.given.isEmpty(), "--until-decided needs something to decide: --slo 'p99<50ms'");
        Duration most = budget == null ? DEFAULT_BUDGET : budget;
        refuseIf(most.compareTo(LEAST_BUDGET) < 0, "--budget must be at least 20s, but was " + most.toSeconds() + "s");
        load.duration = most;
    }

    private static void refuseIf(boolean contradiction, String message) {
        if (contradiction) {
            throw new TypeConversionException(message);
        }
    }
}
