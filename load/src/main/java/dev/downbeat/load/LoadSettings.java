package dev.downbeat.load;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.load.CodeTarget.Workers;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.ServiceWatch;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import dev.downbeat.why.WatcherGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** The settings of a {@link Load} and the code that runs it. A load changes only a copy. */
final class LoadSettings implements Cloneable {
    interface Shape {
        /** The workload, once it is known whether sessions have a script. */
        Workload workload(long seed, Optional<Script> script);

        /** The equivalent command-line options; empty if there are none. */
        List<String> arguments(Duration length);

        /** Whether the times depend on a seed. */
        boolean isRandom();

        /** Requests per second of an open load, if they are the same without end; empty for others. */
        default OptionalDouble steadyPerSecond() {
            return OptionalDouble.empty();
        }

        /** The default length of the load, with this much of an endless end. */
        default Duration defaultLength(Duration ofEndless) {
            return ofEndless;
        }

        /** Users that wait for their responses; 0 if nobody does. */
        default int users() {
            return 0;
        }
    }

    static final long DEFAULT_SEED = 42;
    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);
    private static final int MOST_STAGES = 10_000;
    private static final String CODE = "code";
    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");

    /** A short seed is easy to type. */
    private static final long MAX_DRAWN_SEED = 1L << 24;

    final Shape shape;
    OptionalLong seed = OptionalLong.empty();
    private boolean drawsRequests;
    Optional<String> name = Optional.empty();
    Duration duration;
    Duration warmUp = Duration.ZERO;
    boolean warmsUpUntilSteady;
    Duration timeout = Duration.ofSeconds(30);
    OptionalInt inFlight = OptionalInt.empty();
    List<ServiceLevelObjective> objectives = List.of();
    RequiredCertainty rigour = RequiredCertainty.PLAIN;
    List<LoadWatch> watches = List.of();

    LoadSettings(Shape shape) {
        this.shape = shape;
        duration = shape.defaultLength(DEFAULT_DURATION);
    }

    /** A copy of all fields, so that none can be forgotten. */
    LoadSettings copy() {
        try {
            return (LoadSettings) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The most requests in flight: each user of a closed loop has its own. */
    int inFlight(int defaultLimit) {
        return inFlight.orElse(Math.max(defaultLimit, shape.users()));
    }

    /** For one run: if nobody chose a seed, requests are drawn anew, since a service may know those of an earlier run. */
    private LoadSettings drawn(Optional<Script> script) {
        LoadSettings drawn = copy();
        drawn.drawsRequests = script.filter(Script::isSeededByLoad).isPresent();
        if (drawn.drawsRequests && seed.isEmpty()) {
            drawn.seed = OptionalLong.of(new SplittableRandom().nextLong(1, MAX_DRAWN_SEED));
        }
        return drawn;
    }

    long seed() {
        return seed.orElse(DEFAULT_SEED);
    }

    RunPlan plan(Optional<Script> script) {
        RunPlan.Builder plan = RunPlan.builder(shape.workload(seed(), script)).duration(duration);
        applyTo(plan);
        return plan.build();
    }

    void applyTo(RunPlan.Builder plan) {
        plan.timeout(timeout).warmUp(warmUp);
        if (warmsUpUntilSteady) {
            plan.warmUpUntilSteady();
        }
    }

    Subject blocking(BlockingCode code) {
        Objects.requireNonNull(code, "code");
        ExceptionCounts reasons = new ExceptionCounts();
        int limit = inFlight(Workers.MOST);
        Target target = CodeTarget.blocking(name.orElse(CODE), limit, code, reasons);
        return ofCode(target, reasons, Map.of("in_flight_limit", limit, "threads", Workers.kind()));
    }

    Subject async(AsyncCode code) {
        Objects.requireNonNull(code, "code");
        ExceptionCounts reasons = new ExceptionCounts();
        int limit = inFlight(MOST_STAGES);
        Target target = CodeTarget.async(name.orElse(CODE), limit, code, reasons);
        return ofCode(target, reasons, Map.of("in_flight_limit", limit));
    }

    private Subject ofCode(Target target, ExceptionCounts reasons, Map<String, Object> details) {
        return new Subject(this, plan(Optional.empty()), target, reasons, details, List.of(), false);
    }

    Subject system(SystemUnderTest system) {
        Objects.requireNonNull(system, "system");
        if (!(system instanceof MeasuredSystem given)) {
            throw new IllegalArgumentException("a system must be Http, Sqs or Jdbc, such as Http.get(url), but was "
                    + system + ": measure your own code with run(beat -> ...)");
        }
        if (inFlight.isPresent()) {
            throw new IllegalArgumentException("inFlight is for code: set how many connections " + system + " has");
        }
        MeasuredSystem sized = given.forUsers(shape.users());
        Optional<Script> script = sized instanceof Script several ? Optional.of(several) : Optional.empty();
        LoadSettings drawn = drawn(script);
        RunPlan plan = drawn.plan(script);
        boolean isDataUsedOnce = script.filter(Script::isDataUsedOnce).isPresent();
        if (plan.warmUpNanos() != 0 && isDataUsedOnce) {
            throw new IllegalArgumentException("warmUp would use up rows of dataOnce: each row is used once, so warm up"
                    + " by a load before, with another file");
        }
        boolean isMix = plan.workload() instanceof Workload.Open;
        Target target = script.map(several -> isMix ? several.mix(drawn.seed()) : several.session(drawn.seed()))
                .orElseGet(() -> (Target) sized);
        Target named = name.<Target>map(label -> new NamedTarget(label, target)).orElse(target);
        return new Subject(
                drawn, plan, named, new ExceptionCounts(), Map.of(), sized.commandLineArguments(), isDataUsedOnce);
    }

    /** The command that repeats the run, given arguments for the same system; empty if there is none. */
    List<String> command(List<String> arguments) {
        List<String> shapeArguments = shape.arguments(duration);
        if (arguments.isEmpty() || shapeArguments.isEmpty()) {
            return List.of();
        }
        List<String> command = new ArrayList<>(List.of("downbeat", "run"));
        command.addAll(arguments);
        command.addAll(shapeArguments);
        seedText().ifPresent(text -> command.add("--seed=" + text));
        command.add("--timeout=" + text(timeout));
        if (warmsUpUntilSteady || !warmUp.isZero()) {
            command.add("--warm-up=" + (warmsUpUntilSteady ? "auto" : text(warmUp)));
        }
        objectives.stream().distinct().forEach(slo -> command.add("--slo=" + slo.text()));
        if (rigour.isSure()) {
            command.add("--sure");
        }
        if (rigour.isStrict()) {
            command.add("--strict");
        }
        return command;
    }

    /** By the method that called the library: {@code com.acme.Orders.main}. */
    static Map<String, Object> origin() {
        String caller = StackWalker.getInstance()
                .walk(frames -> frames.filter(
                                frame -> !frame.getClassName().startsWith(LoadSettings.class.getPackageName() + "."))
                        .findFirst())
                .map(frame -> frame.getClassName() + "."
                        + LAMBDA.matcher(frame.getMethodName()).replaceFirst("$1"))
                .orElse("");
        return EntryPoint.CODE.measurement(caller);
    }

    static String text(Duration time) {
        return DurationText.word(time.toNanos());
    }

    Optional<String> seedText() {
        return shape.isRandom() || drawsRequests ? Optional.of(Long.toHexString(seed())) : Optional.empty();
    }

    Map<String, Object> withWarmUp(Map<String, Object> details) {
        Map<String, Object> more = new TreeMap<>(details);
        if (warmsUpUntilSteady) {
            more.put("warm_up", "auto");
        } else if (!warmUp.isZero()) {
            more.put("warm_up", DurationText.format(warmUp.toNanos()));
        }
        return more;
    }

    /** The report of a run in this JVM. */
    static RunReport report(
            Analysis analysis,
            Optional<String> seed,
            MachineProfile machine,
            Map<String, Object> details,
            List<String> command) {
        return new RunReport(analysis, command, seed, version(), machine, details);
    }

    static String version() {
        String version = LoadSettings.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** A target with the name of its load. Thread-safe. */
    private record NamedTarget(String describe, Target target) implements Target.Wrapper {}

    /**
     * The system under a load, ready to be measured.
     *
     * @param settings those of the load, with the seed of this run
     * @param details details of the plan for the report
     * @param arguments command-line arguments for the same system; empty if there are none
     * @param isDataUsedOnce whether a second run would have no rows of its own
     */
    record Subject(
            LoadSettings settings,
            RunPlan plan,
            Target target,
            ExceptionCounts reasons,
            Map<String, Object> details,
            List<String> arguments,
            boolean isDataUsedOnce) {
        /** The objectives with the defaults; those of unknown requests are refused. */
        List<ServiceLevelObjective> objectives() {
            List<ServiceLevelObjective> objectives = ServiceLevelObjective.withDefaults(settings.objectives);
            ServiceLevelObjective.Named.refuseUnknown(objectives, LoadRun.names(plan, target));
            return objectives;
        }

        Measured measure() {
            List<ServiceLevelObjective> objectives = objectives();
            List<String> command = settings.command(arguments);
            List<Watcher> watchers =
                    settings.watches.stream().map(LoadWatch::use).toList();
            try (WatcherGroup watching = WatcherGroup.begin(watchers)) {
                LibraryWarmUp.once();
                MachineProfile machine = MachineProfile.measure();
                RunResult result = new LoadRun(plan, target).run(Progress.none());
                List<WatchResult> watched = watching.end(result.span().startAt(), result.durationNanos());
                return new Measured.OfRun(
                        report(
                                        Analysis.of(result, new Criteria(objectives, settings.rigour, false)),
                                        settings.seedText(),
                                        machine,
                                        settings.withWarmUp(details),
                                        command)
                                .from(command, command.isEmpty() ? origin() : Map.of())
                                .with(watched),
                        reasons.first(result.recording().failures().keySet()));
            } catch (IOException stopped) {
                throw new LoadException(String.valueOf(stopped.getMessage()), stopped);
            }
        }
    }

    /** Warms up Downbeat's own code, against code that does nothing, before a measurement. */
    static final class LibraryWarmUp {
        private static boolean done;

        private LibraryWarmUp() {}

        static synchronized void once() throws IOException {
            if (done) {
                return;
            }
            Target nothing = CodeTarget.blocking("nothing", 4, beat -> {}, new ExceptionCounts());
            RunPlan plan = RunPlan.builder(new Workload.Closed(4, ThinkTime.none()))
                    .duration(Duration.ofMillis(300))
                    .build();
            new LoadRun(plan, nothing).run(Progress.none());
            done = !Thread.currentThread().isInterrupted(); // an interrupted warm-up ended at once
        }
    }

    /** A watcher for a single run. Thread-safe. */
    static final class LoadWatch {
        private final Watcher watcher;
        private final AtomicBoolean isUsed = new AtomicBoolean();

        LoadWatch(ServiceWatch watched) {
            if (!(watched instanceof Watcher known)) {
                throw new IllegalArgumentException(
                        "a watcher must be one of Watchers, such as Watchers.parse(\"jvm:4711\"), but was " + watched);
            }
            watcher = known;
        }

        Watcher use() {
            if (!isUsed.compareAndSet(false, true)) {
                throw new IllegalStateException(
                        "a watcher is for one run, and that of " + watcher.source() + " was used by an earlier one");
            }
            return watcher;
        }
    }
}
