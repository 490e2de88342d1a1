package dev.downbeat.cli.measurement;

import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Everything that defines a measurement. Two runs with equal values are the same measurement. Shards, start times and
 * output files are not part of it. {@link CliOption} describes each component.
 */
public record Measurement(
        @CliOption(
                names = "TARGET",
                secret = SecretPart.OF_URL,
                help =
                        "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, jdbc:...,"
                                + " exec:'COMMAND', connect:HOST:PORT, tls:HOST:PORT, or sqs:demo, jdbc:demo: a queue and a database on this machine.")
        Optional<String> target,

        @CliOption(names = "Load") LoadOptions load,
        @CliOption(names = "Stopping rule") Length length,
        @CliOption(names = "Asking") ClientOptions asking,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Confidence") Objectives.Certainty certainty) {
    static final Rate DEFAULT_RATE = Rate.perSecond(100);
    static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Shorter runs are recorded in shorter intervals, so that a chart of ten seconds has more than ten points. */
    private static final Duration SHORT = Duration.ofSeconds(60);

    private static final Duration FINE_INTERVAL = Duration.ofMillis(200);

    public Measurement {
        length.check(load, objectives);
    }

    public Measurement of(String other) {
        return new Measurement(Optional.of(other), load, length, asking, objectives, certainty);
    }

    public Measurement with(ClientOptions other) {
        return new Measurement(target, load, length, other, objectives, certainty);
    }

    public Measurement with(LoadOptions other) {
        return new Measurement(target, other, length, asking, objectives, certainty);
    }

    /** The same measurement with all defaults and random choices filled in. */
    public Measurement resolved() {
        return resolved(DEFAULT_RATE, DEFAULT_DURATION);
    }

    public Measurement resolved(Rate defaultRate, Duration defaultDuration) {
        LoadOptions complete = load.withDefaults(defaultRate, defaultDuration);
        // a decision ends the run instead of a duration
        LoadOptions timed = length.untilDecided() ? Values.with(complete, "--duration") : complete;
        return with(isRandom(timed) ? Values.withSeed(timed) : timed);
    }

    /** Whether start times or the choice of requests are random. */
    private boolean isRandom(LoadOptions timed) {
        return timed.isRandom()
                || DatabaseOptions.isDatabase(aim().orElse(""))
                || Requests.isCommand(aim().orElse(""))
                || asking.requests().areSeveralKinds(aim().orElse(""));
    }

    /** The seed as the user types it; empty if nothing is random. */
    public Optional<String> seedText() {
        return isRandom(load) ? load.seed().map(Seed::toString) : Optional.empty();
    }

    /** The plan of one shard; refuses a value out of range. */
    public RunPlan plan(Shard shard) throws IOException {
        return plan(load, script(), asking.requests().onceRows(), asking.waiting(), length.maxDuration(), shard);
    }

    /** The load of one turn of several, each with its own random numbers. */
    public Workload workload(int turn) throws IOException {
        return new Schedule(load, turn, script()).workload();
    }

    /** The target's text or a file of requests. */
    public Optional<String> aim() {
        return target.or(asking.requests()::aim);
    }

    /** The requests of a session, if a file defines them. */
    private Optional<RequestSet> script() throws IOException {
        String aim = aim().orElse("");
        boolean hasSessions = load.sessions().isPresent() || load.closed().isPresent();
        return hasSessions && asking.requests().areScript(aim)
                ? Optional.of(asking.source().toSet(aim, true, 0))
                : Optional.empty();
    }

    /** The plan of a load of identical requests. */
    static RunPlan plan(LoadOptions load, TimeoutOptions waiting) throws IOException {
        return plan(load, Optional.empty(), OptionalLong.empty(), waiting, Optional.empty(), Shard.WHOLE);
    }

    private static RunPlan plan(
            LoadOptions load,
            Optional<RequestSet> script,
            OptionalLong rows,
            TimeoutOptions waiting,
            Optional<Duration> maxDuration,
            Shard shard)
            throws IOException {
        try {
            Workload workload = new Schedule(load, 0, script).workload();
            RunPlan.Builder plan = RunPlan.builder(workload);
            Optional<Duration> whole = maxDuration.or(load::wholeDuration);
            load.requests().ifPresent(plan::maxRequests);
            whole.ifPresent(plan::duration);
            if (whole.isEmpty()
                    && load.requests().isEmpty()
                    && workload instanceof Workload.Open open
                    && open.arrivals() instanceof Replay recorded) {
                plan.maxRequests(recorded.count());
            }
            boolean isShort = load.duration()
                    .or(() -> maxDuration)
                    .or(load::stagesDuration)
                    .filter(d -> d.compareTo(SHORT) <= 0)
                    .isPresent();
            plan.interval(isShort ? FINE_INTERVAL : INTERVAL);
            waiting.applyTo(plan);
            if (rows.isPresent()) {
                endWithData(plan, workload, rows.getAsLong(), load.requests().orElse(Long.MAX_VALUE));
            }
            RunPlan built = plan.shard(shard).build();
            Refusal.when(
                    rows.isPresent() && built.warmUpNanos() != 0,
                    "--warm-up would use up rows of ,once: each row is used once, so warm up with a separate run and"
                            + " another file");
            return built;
        } catch (IllegalArgumentException | ArithmeticException outOfRange) {
            throw Refusal.of(outOfRange);
        }
    }

    /** Ends the run with the data, so that no request lacks a row and each session is whole. */
    private static void endWithData(RunPlan.Builder plan, Workload workload, long rows, long requests) {
        plan.maxRequests(Math.min(requests, Math.multiplyExact(rows, workload.steps())));
    }

    /** The files whose contents are part of the measurement: those it names, and those that their requests name. */
    public List<Path> contents() {
        List<Path> all = new ArrayList<>(load.files());
        all.addAll(asking.contents(target, aim()));
        return all;
    }

    /** The files it names, whose contents are part of the measurement. */
    public List<Path> files() {
        List<Path> files = new ArrayList<>(load.files());
        files.addAll(asking.files(target));
        return files;
    }

    /** The files that describe its requests, without those of values, which may differ on each machine. */
    public List<Path> requestFiles() {
        return asking.requestFiles(target, aim().orElse(""));
    }

    /** All files needed where it runs, including certificates. */
    public List<Path> neededFiles() {
        return Stream.of(load.files(), asking.neededFiles(aim().orElse("")))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** The same without files that those name in turn; reads none. */
    public List<Path> givenFiles() {
        return Stream.of(load.files(), asking.givenFiles(aim().orElse("")))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    public boolean hasSecrets() {
        return !Values.words(this).equals(Values.redacted(this));
    }

    /** Its arguments, without secrets of the target's URL. */
    @Override
    public String toString() {
        return Values.redacted(this).toString();
    }

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

        public Length {
            Refusal.when(budget.isPresent() && !untilDecided, "--budget requires --until-decided");
            Duration most = budget.orElse(DEFAULT_BUDGET);
            Refusal.when(
                    most.compareTo(LEAST_BUDGET) < 0,
                    "--budget must be at least 20s, but was " + DurationParser.text(most));
        }

        /** The longest duration, if a decision ends the run. */
        Optional<Duration> maxDuration() {
            return untilDecided ? Optional.of(budget.orElse(DEFAULT_BUDGET)) : Optional.empty();
        }

        void check(LoadOptions load, Objectives objectives) {
            if (!untilDecided) {
                return;
            }
            Refusal.when(
                    load.duration().isPresent() || load.requests().isPresent(),
                    "--until-decided and -d or -n are mutually exclusive: --budget sets the time limit");
            Refusal.when(!load.isSteady(), "--until-decided needs a constant load, such as -R 500");
            Refusal.when(objectives.given().isEmpty(), "--until-decided needs an objective: --slo 'p99<50ms'");
        }
    }
}
