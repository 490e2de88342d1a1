package dev.downbeat.cli.measurement;

import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.OptionComponent;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.http.requests.log.LogFormat;
import dev.downbeat.http.requests.log.LoggedLines.AccessLogFile;
import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.run.DecimalText;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import dev.downbeat.run.ThinkTime;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * When requests are intended to start. Contradictions are detected in the constructor.
 *
 * <p>{@link CliOption} describes each component.
 */
public record LoadOptions(
        @CliOption(
                names = {"-R", "--rate"},
                label = "RATE",
                help = "Total request rate: 500 (per second), 1.5k/s, 30/m, 50/1s; with --ramp a range, 100..5k/s."
                        + " Default 100/s.")
        Optional<OfferedRate> rate,

        @CliOption(
                names = "--ramp",
                label = "TIME",
                help = "Duration of the ramp of -R; its last rate then holds until -d.")
        Optional<Duration> ramp,

        @CliOption(
                names = "--stage",
                label = "TIME:RATE",
                help = "A stage at a rate: 30s:1k/s, 1m:1k..5k/s; repeatable, in order.")
        List<Stage> stages,

        @CliOption(
                names = "--arrivals",
                label = "LAW",
                help = "poisson (as from many independent callers; default) or constant (evenly spaced).")
        Optional<ArrivalLaw> arrivals,

        @CliOption(
                names = "--seed",
                label = "HEX",
                help = "Seed of the random schedule, to repeat it exactly. Default: a new seed, shown in the report.")
        Optional<Seed> seed,

        @CliOption(names = "--replay", label = "FILE", help = "A file with one offset per line: 1.5s, or seconds.")
        Optional<Path> replay,

        @CliOption(
                names = "--replay-log",
                label = "FILE",
                help = "An access log to repeat: each request's time, method and path.")
        Optional<Path> replayLog,

        @CliOption(
                names = "--times-only",
                help = "With --replay-log: uses only its times; requests are those of TARGET.")
        boolean timesOnly,

        @CliOption(
                names = "--log-format",
                label = "FORMAT",
                help = "Format of --replay-log in the syntax of nginx, Apache or Envoy, or alb, caddy, cloudfront,"
                        + " traefik. Default: detected.")
        Optional<LogFormat> logFormat,

        @CliOption(names = "--speed", label = "FACTOR", help = "Replay speed relative to the recording: 2x, 0.5x.")
        Optional<Speed> speed,

        @CliOption(
                names = "--closed",
                label = "N",
                help =
                        "Closed loop of N virtual users, each waiting for its response. Does not model independent callers.")
        Optional<Long> closed,

        @CliOption(
                names = "--sessions",
                label = "RATE",
                help = "Sessions that arrive at a rate and issue several requests each.")
        Optional<OfferedRate> sessions,

        @CliOption(names = "--session-requests", label = "K", help = "Requests of each session.")
        Optional<Long> sessionRequests,

        @CliOption(
                names = "--think",
                label = "TIME",
                help = "Pause between the requests of a client or session: 100ms, or exp:100ms (exponential).")
        Optional<Think> think,

        @CliOption(
                names = {"-d", "--duration"},
                label = "TIME",
                help = "Duration of the load: 300ms, 30s, 1h30m. Default 10s.")
        Optional<Duration> duration,

        @CliOption(
                names = {"-n", "--requests"},
                label = "N",
                help = "Number of requests: 500, 10k.")
        Optional<Long> requests) {
    /** The options that define the schedule; at most one can be given. */
    private static final Set<String> SCHEDULES =
            Set.of("--rate", "--stage", "--replay", "--replay-log", "--closed", "--sessions");

    /** The options that override these, instead of {@link #SCHEDULES}. */
    private static final Map<String, Set<String>> OVERRIDING = Map.of(
            "--seed", Set.of(),
            "--arrivals", Set.of("--replay", "--replay-log", "--closed"),
            "--duration", Set.of("--stage", "--requests", "--until-decided"),
            "--requests", Set.of("--duration", "--until-decided"),
            "--until-decided", Set.of("--duration", "--requests"),
            "--budget", Set.of("--duration", "--requests"));

    private static final long MOST = 100_000;

    public LoadOptions {
        stages = List.copyOf(stages);
        List<String> loads = Stream.of(
                        rate.map(given -> "-R"),
                        stages.stream().findFirst().map(given -> "--stage"),
                        replay.map(given -> "--replay"),
                        replayLog.map(given -> "--replay-log"),
                        closed.map(given -> "--closed"),
                        sessions.map(given -> "--sessions"))
                .flatMap(Optional::stream)
                .toList();
        Refusal.when(loads.size() > 1, String.join(" and ", loads) + " are mutually exclusive: give one schedule");
        boolean replayed = replay.isPresent() || replayLog.isPresent();
        boolean isRamp = rate.filter(OfferedRate::isRamp).isPresent();
        Refusal.when(
                arrivals.isPresent() && (replayed || closed.isPresent()),
                "--arrivals requires -R, --stage or --sessions");
        Refusal.when(timesOnly && replayLog.isEmpty(), "--times-only requires --replay-log");
        Refusal.when(
                logFormat.isPresent() && (replayLog.isEmpty() || timesOnly),
                "--log-format requires --replay-log without --times-only");
        Refusal.when(speed.isPresent() && !replayed, "--speed requires --replay or --replay-log");
        Refusal.when(
                think.isPresent() && closed.isEmpty() && sessions.isEmpty(), "--think requires --closed or --sessions");
        Refusal.when(sessionRequests.isPresent() && sessions.isEmpty(), "--session-requests requires --sessions");
        Refusal.when(ramp.isPresent() && !isRamp, "--ramp needs a rate with two ends, such as -R 100..5k/s");
        Refusal.when(isRamp && ramp.isEmpty(), "a rate with two ends needs --ramp, such as --ramp 2m");
        Refusal.when(sessions.filter(OfferedRate::isRamp).isPresent(), "--sessions takes one rate, not a ramp");
        Refusal.when(rate.filter(OfferedRate::isZero).isPresent(), "a rate must be above 0: -R 0 would never send");
        Refusal.when(
                sessions.filter(OfferedRate::isZero).isPresent(),
                "a rate must be above 0: --sessions 0 would never send");
        Refusal.when(
                !stages.isEmpty() && duration.isPresent(),
                "-d and --stage are mutually exclusive: stages define the duration");
        Refusal.when(
                !stages.isEmpty()
                        && stages.stream().allMatch(stage -> stage.rate().isZero()),
                "at least one --stage must have a rate above 0");
        refuseLongRamp(ramp, duration);
        refuseMany("--closed", closed);
        refuseMany("--session-requests", sessionRequests);
    }

    private static void refuseLongRamp(Optional<Duration> ramp, Optional<Duration> duration) {
        if (ramp.isPresent() && duration.isPresent()) {
            Refusal.when(
                    ramp.get().compareTo(duration.get()) > 0,
                    "--ramp must not be longer than -d, " + DurationParser.text(duration.get()) + ", but was "
                            + DurationParser.text(ramp.get()) + ": the run would end before its last rate");
        }
    }

    private static void refuseMany(String option, Optional<Long> count) {
        Refusal.when(count.orElse(1L) > MOST, option + " must be from 1 to " + MOST + ", but was " + count.orElse(1L));
    }

    /**
     * Whether a given option overrides this one of an earlier load.
     *
     * @param option by its longest name
     * @param isGiven whether an option is given, by any name
     */
    public static boolean isOverridden(String option, Predicate<String> isGiven) {
        List<OptionComponent> all = OptionComponent.of(LoadOptions.class);
        boolean isOfLoad = all.stream().anyMatch(one -> one.name().equals(option));
        Set<String> overriding = OVERRIDING.getOrDefault(option, isOfLoad ? SCHEDULES : Set.of());
        return overriding.stream().anyMatch(isGiven)
                || all.stream()
                        .filter(one -> overriding.contains(one.name()))
                        .anyMatch(one -> Stream.of(one.option().names()).anyMatch(isGiven));
    }

    /** Whether no schedule is given. */
    public boolean isUnset() {
        return Collections.disjoint(Values.arguments(this).keySet(), SCHEDULES);
    }

    /** Whether all slices of the load are alike. */
    public boolean isSteady() {
        return ramp.isEmpty() && stages.isEmpty() && replay.isEmpty() && replayLog.isEmpty();
    }

    /** The number of closed-loop clients; 0 for an open loop. */
    public int closedClients() {
        return closed.orElse(0L).intValue();
    }

    /** The same with defaults for what is not given. */
    public LoadOptions withDefaults(Rate defaultRate, Duration defaultDuration) {
        boolean isLimited = !isSteady() || duration.isPresent() || requests.isPresent();
        LoadOptions rated = isUnset() ? Values.with(this, "--rate", OfferedRate.steady(defaultRate)) : this;
        return isLimited ? rated : Values.with(rated, "--duration", defaultDuration);
    }

    /** The duration in which requests start, if a time limits it. */
    Optional<Duration> wholeDuration() {
        return stagesDuration().or(() -> duration).or(() -> requests.isPresent() ? Optional.empty() : ramp);
    }

    Optional<Duration> stagesDuration() {
        return stages.stream().map(Stage::duration).reduce(Duration::plus);
    }

    public boolean isRandom() {
        if (loggedRequests().isPresent()) {
            return true; // timestamps of a log lack the instants within a second
        }
        boolean isPoisson =
                !isReplayed() && closed.isEmpty() && arrivals.orElse(ArrivalLaw.POISSON) == ArrivalLaw.POISSON;
        return isPoisson || think.filter(Think::exponential).isPresent();
    }

    /** The log whose requests are replayed, if any. */
    public Optional<AccessLogFile> loggedRequests() {
        return timesOnly ? Optional.empty() : replayLog.map(file -> new AccessLogFile(file, logFormat));
    }

    private boolean isReplayed() {
        return replay.isPresent() || replayLog.isPresent();
    }

    /** The files that define when requests start. */
    List<Path> files() {
        return Stream.of(replay, replayLog).flatMap(Optional::stream).toList();
    }

    /** The speed of a replay relative to the recording, as a fraction of positive numbers. */
    public record Speed(long numerator, long denominator) {
        public Replay of(Replay recorded) {
            return recorded.scaled(numerator, denominator);
        }

        /** Parses {@code 2x}, {@code 0.5x}, {@code 1.25}. */
        public static Speed parse(String text) {
            String number = text.endsWith("x") ? text.substring(0, text.length() - 1) : text;
            BigDecimal factor = DecimalText.parse(number)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a speed such as 2x or 0.5x"))
                    .stripTrailingZeros();
            Refusal.when(
                    factor.signum() == 0 || factor.scale() > 6,
                    "a speed must be above 0 with at most 6 decimals, but was '" + text + "'");
            int decimals = Math.max(0, factor.scale());
            return new Speed(
                    factor.movePointRight(decimals).longValueExact(),
                    BigDecimal.TEN.pow(decimals).longValueExact());
        }

        public String text() {
            return new BigDecimal(numerator).divide(new BigDecimal(denominator)).toPlainString() + "x";
        }
    }

    /** The pauses of a client or session: constant, or exponentially distributed. */
    public record Think(Duration mean, boolean exponential) {
        private static final String EXPONENTIAL = "exp:";

        public ThinkTime toThinkTime(long seed) {
            return exponential
                    ? new ThinkTime.Exponential(mean.toNanos(), seed)
                    : new ThinkTime.Constant(mean.toNanos());
        }

        /** Parses {@code 100ms} and {@code exp:100ms}. */
        public static Think parse(String text) {
            boolean exponential = text.startsWith(EXPONENTIAL);
            String mean = exponential ? text.substring(EXPONENTIAL.length()) : text;
            return new Think(DurationParser.parse(mean), exponential);
        }

        public String text() {
            return (exponential ? EXPONENTIAL : "") + DurationParser.text(mean);
        }
    }
}
