package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.value.DurationConverter;
import dev.downbeat.cli.measurement.value.Refusal;
import java.time.Duration;
import java.util.Optional;

/** When a run is long enough, if no duration is given. {@link CliOption} describes each component. */
public record Length(
        @CliOption(
                names = "--until-decided",
                help =
                        "Ends as soon as each --slo is met or missed with 95 %% confidence, at the earliest after 2 min.")
        boolean untilDecided,

        @CliOption(names = "--budget", label = "TIME", help = "With --until-decided: time limit. Default 10m.")
        Optional<Duration> budget) {
    private static final Duration DEFAULT_BUDGET = Duration.ofMinutes(10);
    private static final Duration LEAST_BUDGET = Duration.ofSeconds(20);

    /** Refuses an empty budget. */
    public Length {
        Refusal.when(budget.isPresent() && !untilDecided, "--budget goes with --until-decided only");
        Duration most = budget.orElse(DEFAULT_BUDGET);
        Refusal.when(
                most.compareTo(LEAST_BUDGET) < 0,
                "--budget must be at least 20s, but was " + DurationConverter.text(most));
    }

    /** The longest duration, if a decision ends the run. */
    Optional<Duration> most() {
        return untilDecided ? Optional.of(budget.orElse(DEFAULT_BUDGET)) : Optional.empty();
    }

    void check(LoadOptions load, Objectives objectives) {
        if (!untilDecided) {
            return;
        }
        Refusal.when(
                load.duration().isPresent() || load.requests().isPresent(),
                "--until-decided and -d or -n are mutually exclusive: --budget says how long at most");
        Refusal.when(!load.isSteady(), "--until-decided needs a load that stays the same, such as -R 500");
        Refusal.when(objectives.given().isEmpty(), "--until-decided needs something to decide: --slo 'p99<50ms'");
    }
}
