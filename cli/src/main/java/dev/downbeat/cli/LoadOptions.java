package dev.downbeat.cli;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.time.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Which requests are meant to start when. {@link #toPlan} is the one place where contradictions end, which is why this
 * class is longer than others: what an option means and what it excludes stand together.
 */
final class LoadOptions {
    /** The law of the times between arrivals. */
    enum Arrivals {
        POISSON,
        CONSTANT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Rate DEFAULT_RATE = Rate.perSecond(100);
    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Runs up to this long are recorded in finer steps: ten points would be a poor picture of ten seconds. */
    private static final Duration SHORT = Duration.ofSeconds(60);

    private static final Duration FINE_INTERVAL = Duration.ofMillis(200);

    /** Only steady loads come in turns, and none of them draws more. */
    private static final int LOTS_OF_A_TURN = 16;

    @Option(
            names = {"-R", "--rate"},
            paramLabel = "RATE",
            converter = OfferedRate.Converter.class,
            description =
                    "Requests in total per time: 500, 1.5k/s, 30/m, 50/1s; a ramp 100..5k/s with --ramp. Default 100/s.")
    @Nullable
    OfferedRate rate;

    @Option(names = "--qps", hidden = true, converter = OfferedRate.Converter.class)
    @Nullable
    OfferedRate qps;

    @Option(
            names = "--ramp",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the ramp of -R takes; its last rate is kept until -d.")
    @Nullable
    Duration ramp;

    @Option(
            names = "--stage",
            paramLabel = "TIME:RATE",
            converter = Stage.Converter.class,
            description = "A stretch at a rate: 30s:1k/s, 1m:1k..5k/s; repeatable, one after the other.")
    List<Stage> stages = new ArrayList<>();

    @Option(
            names = "--arrivals",
            paramLabel = "LAW",
            description = "poisson (as from many independent callers; default) or constant (evenly spaced).")
    @Nullable
    Arrivals arrivals;

    @Option(
            names = "--seed",
            paramLabel = "HEX",
            converter = Seed.Converter.class,
            description = "Repeats a schedule exactly. Default: a new one, shown in the report.")
    @Nullable
    Seed seed;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description = "Times to repeat: an offset on each line: 1.5s, or seconds.")
    @Nullable
    Path replay;

    @Option(
            names = "--replay-log",
            paramLabel = "FILE",
            description = "Times to repeat: the time stamps of an access log.")
    @Nullable
    Path replayLog;

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            converter = Speed.Converter.class,
            description = "Replay faster or slower than recorded: 2x, 0.5x.")
    @Nullable
    Speed speed;

    @Option(
            names = "--closed",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "N clients that each wait for the answer before they ask again: not what open users do.")
    @Nullable
    Long closed;

    @Option(
            names = "--sessions",
            paramLabel = "RATE",
            converter = OfferedRate.Converter.class,
            description = "Sessions that arrive at a rate and issue several requests each.")
    @Nullable
    OfferedRate sessions;

    @Option(
            names = "--session-requests",
            paramLabel = "K",
            converter = CountConverter.class,
            description = "Requests of each session.")
    @Nullable
    Long sessionRequests;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            converter = Think.Converter.class,
            description = "Pause between the requests of a client or session: 100ms, or exp:100ms at random.")
    @Nullable
    Think think;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "For how long requests are meant to start: 300ms, 30s, 1h30m. Default 10s.")
    @Nullable
    Duration duration;

    @Option(names = "-z", hidden = true, converter = DurationConverter.class)
    @Nullable
    Duration durationAlias;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many requests: 500, 10k.")
    @Nullable
    Long requests;

    /** Which slice of a run in turns this is: each draws its own lots, and the same in every variant. */
    int turn;

    /** Which part of the load this process makes. */
    Shard shard = Shard.WHOLE;

    /** When to begin; empty if at once. */
    Optional<Instant> start = Optional.empty();

    private @Nullable Seed drawn;
    private final List<String> unsaid = new ArrayList<>();

    /** Whether the command line says nothing about how much load. */
    boolean isUnsaid() {
        return rate == null
                && qps == null
                && stages.isEmpty()
                && replay == null
                && replayLog == null
                && closed == null
                && sessions == null;
    }

    /** Whether each slice of the load is like every other. */
    boolean isSteady() {
        return ramp == null && stages.isEmpty() && replay == null && replayLog == null;
    }

    /** The number of closed clients; 0 if the load is not closed. */
    int closedClients() {
        return closed == null ? 0 : (int) Math.min(Integer.MAX_VALUE, closed);
    }

    /** Fills in what a load is if the command line does not say; what it says stays. */
    void assume(Rate assumedRate, Duration assumedDuration) {
        if (isUnsaid()) {
            rate = OfferedRate.steady(assumedRate);
            unsaid.addAll(List.of("-R", assumedRate.toString().replace(",", "")));
        }
        boolean endsByItself = !stages.isEmpty() || ramp != null || replay != null || replayLog != null;
        if (!endsByItself && duration == null && durationAlias == null && requests == null) {
            duration = assumedDuration;
            unsaid.addAll(
                    List.of("-d", DurationText.format(assumedDuration.toNanos()).replace(" ", "")));
        }
    }

    /**
     * The plan.
     *
     * @throws TypeConversionException if options contradict each other; the message says which and what to write
     * @throws IOException if a recording cannot be read
     */
    RunPlan toPlan(TimingOptions timing) throws IOException {
        takeAliases();
        refuseTwoLoads();
        refuseWithoutTheirLoad();
        assume(DEFAULT_RATE, DEFAULT_DURATION);
        try {
            Workload workload = workload();
            RunPlan.Builder plan = RunPlan.builder(workload);
            limit(plan, workload);
            plan.interval(wholeDuration().compareTo(SHORT) <= 0 ? FINE_INTERVAL : INTERVAL);
            timing.applyTo(plan);
            start.ifPresent(plan::start);
            return plan.shard(shard).build();
        } catch (IllegalArgumentException | ArithmeticException outOfRange) {
            throw new TypeConversionException(String.valueOf(outOfRange.getMessage()));
        }
    }

    /** The seed as the user may type it; empty if the plan drew no lots. */
    String seedText() {
        return drawn == null ? "" : drawn.toString();
    }

    /** What the plan took without being told, as words of a command line. */
    List<String> wordsUnsaid() {
        List<String> words = new ArrayList<>(unsaid);
        if (drawn != null && seed == null) {
            words.addAll(List.of("--seed", drawn.toString()));
        }
        return words;
    }

    private void takeAliases() {
        if (qps != null) {
            refuseIf(rate != null, "--qps and -R are the same option: give one");
            rate = qps;
            qps = null;
        }
        if (durationAlias != null) {
            refuseIf(duration != null, "-z and -d are the same option: give one");
            duration = durationAlias;
            durationAlias = null;
        }
    }

    private void refuseTwoLoads() {
        List<String> loads = new ArrayList<>();
        addIf(loads, rate != null, "-R");
        addIf(loads, !stages.isEmpty(), "--stage");
        addIf(loads, replay != null, "--replay");
        addIf(loads, replayLog != null, "--replay-log");
        addIf(loads, closed != null, "--closed");
        addIf(loads, sessions != null, "--sessions");
        refuseIf(
                loads.size() > 1,
                () -> String.join(" and ", loads)
                        + " are mutually exclusive: each says who decides when requests start");
    }

    private static void addIf(List<String> list, boolean given, String option) {
        if (given) {
            list.add(option);
        }
    }

    private void refuseWithoutTheirLoad() {
        boolean replayed = replay != null || replayLog != null;
        refuseIf(
                arrivals != null && (replayed || closed != null),
                "--arrivals goes with -R, --stage or --sessions only");
        refuseIf(speed != null && !replayed, "--speed goes with --replay or --replay-log only");
        refuseIf(think != null && closed == null && sessions == null, "--think goes with --closed or --sessions only");
        refuseIf(sessionRequests != null && sessions == null, "--session-requests goes with --sessions only");
        refuseIf(sessions != null && sessionRequests == null, "--sessions needs --session-requests K");
        refuseIf(
                ramp != null && (rate == null || !rate.isRamp()),
                "--ramp needs a rate with two ends, such as -R 100..5k/s");
        refuseIf(rate != null && rate.isRamp() && ramp == null, "a rate with two ends needs --ramp, such as --ramp 2m");
        refuseIf(sessions != null && sessions.isRamp(), "--sessions takes one rate, not a ramp");
        refuseIf(rate != null && rate.isNothing(), "a rate must be above 0: -R 0 would never send");
        refuseIf(sessions != null && sessions.isNothing(), "a rate must be above 0: --sessions 0 would never send");
        refuseIf(!stages.isEmpty() && duration != null, "-d and --stage are mutually exclusive: stages say how long");
        refuseIf(
                !stages.isEmpty()
                        && stages.stream().allMatch(stage -> stage.rate().isNothing()),
                "at least one --stage must have a rate above 0");
    }

    private static void refuseIf(boolean contradiction, String message) {
        refuseIf(contradiction, () -> message);
    }

    private static void refuseIf(boolean contradiction, Supplier<String> message) {
        if (contradiction) {
            throw new TypeConversionException(message.get());
        }
    }

    private Workload workload() throws IOException {
        if (closed != null) {
            refuseIf(closed > 100_000, "--closed must be from 1 to 100000, but was " + closed);
            return new Workload.Closed(closed.intValue(), thinkTime());
        }
        if (sessions != null && sessionRequests != null) {
            refuseIf(
                    sessionRequests > 100_000,
                    "--session-requests must be from 1 to 100000, but was " + sessionRequests);
            return new Workload.PartlyOpen(steady(sessions.from(), 0), sessionRequests.intValue(), thinkTime());
        }
        return new Workload.Open(openArrivals());
    }

    private ThinkTime thinkTime() {
        return think == null ? ThinkTime.none() : think.toThinkTime(lot(1));
    }

    private ArrivalProcess openArrivals() throws IOException {
        if (replay != null) {
            return scaled(recorded(replay, Replay::readOffsets));
        }
        if (replayLog != null) {
            return scaled(recorded(replayLog, Replay::readAccessLog));
        }
        if (!stages.isEmpty()) {
            return steps();
        }
        OfferedRate offered = Objects.requireNonNull(rate, "rate"); // assumed, if nobody said it
        if (ramp == null) {
            return steady(offered.from(), 0);
        }
        long rampNanos = ramp.toNanos();
        return new Steps(List.of(
                new Step(changing(offered, ramp, 0), rampNanos), new Step(steady(offered.to(), 1), Step.ENDLESS)));
    }

    /** Reads the lines of a recording; the second argument is what to call it in a message. */
    private interface RecordingReader {
        Replay read(BufferedReader lines, String name) throws IOException;
    }

    private static Replay recorded(Path file, RecordingReader reader) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return reader.read(lines, file.toString());
        }
    }

    private Replay scaled(Replay recorded) {
        return speed == null ? recorded : speed.of(recorded);
    }

    private Steps steps() {
        List<Step> steps = new ArrayList<>();
        for (Stage stage : stages) {
            steps.add(new Step(
                    changing(stage.rate(), stage.duration(), steps.size()),
                    stage.duration().toNanos()));
        }
        return new Steps(steps);
    }

    private ArrivalProcess changing(OfferedRate offered, Duration length, int part) {
        return offered.isRamp()
                ? new Ramp(offered.from(), offered.to(), length.toNanos(), spacing(part))
                : steady(offered.from(), part);
    }

    private Spacing spacing(int part) {
        return isConstant() ? new Spacing.Even() : new Spacing.Poisson(lot(part));
    }

    private ArrivalProcess steady(Rate steadyRate, int part) {
        return isConstant() ? new Constant(steadyRate) : new Poisson(steadyRate, lot(part));
    }

    private boolean isConstant() {
        return arrivals == Arrivals.CONSTANT;
    }

    private long lot(int part) {
        return theSeed().part(part + LOTS_OF_A_TURN * turn);
    }

    /** The seed, drawn now if nobody gave one. */
    Seed theSeed() {
        Seed chosen = seed != null ? seed : drawn != null ? drawn : Seed.random();
        drawn = chosen;
        return chosen;
    }

    private Duration wholeDuration() {
        if (!stages.isEmpty()) {
            return stages.stream().map(Stage::duration).reduce(Duration.ZERO, Duration::plus);
        }
        return duration == null ? INTERVAL.plus(SHORT) : duration;
    }

    private void limit(RunPlan.Builder plan, Workload workload) {
        if (requests != null) {
            plan.maxRequests(requests);
        }
        if (!stages.isEmpty()) {
            plan.duration(wholeDuration());
        } else if (duration != null) {
            plan.duration(duration);
        } else if (ramp != null) {
            plan.duration(ramp);
        } else if (requests == null
                && workload instanceof Workload.Open open
                && open.arrivals() instanceof Replay recorded) {
            plan.maxRequests(recorded.count());
        }
    }
}
