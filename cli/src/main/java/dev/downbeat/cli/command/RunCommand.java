package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.UndecidedOption;
import dev.downbeat.cli.file.SavedArguments.Repeatable;
import dev.downbeat.cli.job.Demo;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.LiveOptions;
import dev.downbeat.cli.job.MeasurementRun;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.LoadOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.meet.ShardMeeting;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.cli.shard.Processes;
import dev.downbeat.cli.shard.ShardOptions;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.CommandTargets;
import dev.downbeat.cli.targets.DatabaseTargets;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.targets.QueueSafeguard;
import dev.downbeat.cli.targets.QueueTargets;
import dev.downbeat.cli.targets.RequestTranscript;
import dev.downbeat.cli.targets.WorkloadSource;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.turns.VariedRun;
import dev.downbeat.cli.turns.VariedValue;
import dev.downbeat.cli.turns.VaryOptions;
import dev.downbeat.http.requests.CookieCopies;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.log.LoggedLines.AccessLogFile;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

@Command(
        name = "run",
        header = "Measures a service; without a TARGET, a demo that stalls once.",
        customSynopsis = "downbeat run [TARGET] [OPTION...]",
        exitCodeList = {
            "  0:measured; the objectives were met, or none was set",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line",
            " 98:undecided, no request answered, or a damaged recording (--strict: any doubt)",
            " 99:an objective was missed",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class RunCommand extends AnyCommand implements Repeatable<Measurement> {
    /** Options that go with --show, beside those of the measurement. */
    private static final Set<String> WITH_SHOW = Set.of("--show", "--latency", "--quiet", "--verbose", "--color");

    private final ParsedOptions<Measurement> options = new ParsedOptions<>(Measurement.class);

    @Mixin(name = "Measurement")
    final CommandSpec optionSpec = options.spec();

    @Mixin(name = "Variants")
    VaryOptions vary = new VaryOptions();

    @Mixin(name = "Shards")
    ShardOptions shards = new ShardOptions();

    @Mixin(name = "Shard start")
    ShardMeeting.MeetOptions meet = new ShardMeeting.MeetOptions();

    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Mixin(name = "Undecided results")
    UndecidedOption undecided = new UndecidedOption();

    @Mixin(name = "Monitoring")
    LiveOptions live = new LiveOptions();

    @Option(
            names = "--show",
            paramLabel = "N",
            description = "Sends the first N requests and prints them with their responses, without secrets; measures"
                    + " nothing.")
    @Nullable
    Integer show;

    @Option(
            names = {"-L", "--latency"},
            hidden = true,
            description = "Accepted for compatibility with wrk and others; has no effect.")
    boolean percentiles;

    private final Interruption interruption = new Interruption();
    private @Nullable Measurement repeated;
    private @Nullable PlannedRun planned;

    @Override
    public void repeat(Measurement value) {
        repeated = value;
    }

    @Override
    public Measurement value() {
        return repeated == null ? options.value() : options.overriding(repeated);
    }

    @Override
    public Integer call() throws IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        vary.check(parsed);
        meet.check(shards.plan != null, shards.isStartGiven());
        if (shards.plan != null) {
            PlannedRun read = PlannedRun.read(shards, parsed);
            planned = read;
            ShardPart part = read.part(shards);
            return run(read.value(), meet.place().isPresent() ? part.withoutStart() : part);
        }
        Measurement value = value();
        Refusal.when(
                vary.isGiven() && value.length().untilDecided(),
                "--until-decided and --vary are mutually exclusive: -d sets how long each variant is measured");
        shards.check(vary.isGiven() ? "--vary" : value.length().untilDecided() ? "--until-decided" : "");
        return run(value, shards.part(value.load()));
    }

    private int run(Measurement given, ShardPart part) throws IOException {
        OutputOptions ofShard = part.isNamed() ? output.ofShard(part.shard().index()) : output;
        Console console = Console.of(spec, ofShard);
        ofShard.check();
        given.asking().connections().refuseForeignAddress();
        if (show != null) {
            refuseWithShow();
            return show(given.resolved(), show, console);
        }
        ofShard.refuseOver(() -> Stream.concat(
                        given.neededFiles().stream(),
                        Stream.ofNullable(shards.plan).map(PlannedRun::file).flatMap(Optional::stream))
                .toList());
        undecided.applyTo(ofShard);
        return undecided.after(() -> interruption.guard(console, () -> run(given, part, console)), console);
    }

    /** Refuses options that describe no request. */
    private void refuseWithShow() {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            Refusal.when(
                    !WITH_SHOW.contains(name) && !Values.knows(Measurement.class, name),
                    "--show measures nothing: leave out " + name);
        }
    }

    private int run(Measurement given, ShardPart part, Console console) throws IOException {
        String aim = given.aim().orElse("");
        boolean isDemo = given.asking().queue().isDemo(aim);
        if (part.shard().count() * shards.processes > 1) {
            Refusal.when(aim.isEmpty(), "a TARGET is missing: each shard would have an embedded service of its own");
            Job.refuseSharded(given.asking(), aim);
        }
        Refusal.when(
                isDemo && given.asking().queue().through().isPresent(),
                "--through needs a topic, and sqs:demo has none: give a queue of your own");
        Refusal.when(aim.isEmpty() && live.isGiven(), "a TARGET is missing: the demo is too short to be watched");
        live.check(vary.isGiven(), shards.processes);
        if (aim.isEmpty()) {
            return demo(given, console);
        }
        if (!isDemo) {
            return QueueOptions.isQueue(aim) && !part.isStartedByParent()
                    ? safeguarded(given, part, console)
                    : measure(given, part, console, null);
        }
        Measurement value = given.with(QueueDemo.withDefaults(given.asking())).resolved();
        Job.of(value, aim, part, null); // detect all mistakes before the queue starts
        try (QueueDemo demo = QueueDemo.start()) {
            interruption.watch();
            QueueDemo.warmUp(Job.of(value, aim, part, demo).target(), interruption);
            return measure(value, part, console, demo);
        }
    }

    /** Measures a user's queue, which is inspected first. */
    private int safeguarded(Measurement given, ShardPart part, Console console) throws IOException {
        Measurement value = given.resolved();
        Job job = Job.of(value, value.target().orElseThrow(), part, null); // detect all mistakes first
        interruption.watch(); // before there is anything to remove
        if (vary.isGiven() && vary.isOf(VariedValue.Varied.ENCRYPTED)) {
            return measure(given, part, console, null);
        }
        QueueSafeguard.Work work = new QueueSafeguard.Work(
                value.target().orElseThrow(),
                value.asking(),
                vary.combinations().stream()
                        .map(settings -> VariedValue.of(value, settings).asking())
                        .toList(),
                QueueTargets.requests(job.plan(), vary.isGiven() ? vary.checkedTurns() : 1),
                part.shard().count() == 1);
        try (QueueSafeguard safeguard = QueueSafeguard.begin(work, console)) {
            return measure(safeguard.of(given), part, console, null);
        }
    }

    private int measure(Measurement given, ShardPart part, Console console, @Nullable QueueDemo demo)
            throws IOException {
        Measurement value = given.resolved();
        if (vary.isGiven()) {
            return new VariedRun(value, options, vary, console, interruption, demo).run();
        }
        Job job = Job.of(value, value.aim().orElseThrow(), part, demo);
        if (shards.processes > 1) {
            return inProcesses(value, job, console);
        }
        notes(value, value.aim().orElseThrow()).forEach(console::note);
        noteDefaults(given.load(), job, console);
        interruption.watch();
        return observed(value, part, job, console);
    }

    private int inProcesses(Measurement value, Job job, Console console) throws IOException {
        PlanFile plan = PlanCommand.plan(value, shards.processes);
        interruption.watch();
        MeasurementRun whole = new MeasurementRun(console, interruption);
        return new Processes(
                        console,
                        interruption,
                        plan,
                        value.objectives().acceptUnsound(),
                        why -> whole.saveNothing(job, why))
                .run();
    }

    /** Notes the load if none was given. */
    private static void noteDefaults(LoadOptions given, Job job, Console console) {
        if (given.isUnset()) {
            boolean isLimited = given.duration().isPresent() || given.requests().isPresent();
            console.note((isLimited ? "no rate given, using " : "no load given, using ")
                    + PlanText.load(job.plan())
                    + (isLimited ? " (set with -R)" : " (set with -R and -d)"));
        }
    }

    /** Measures with the observers; then notes the target's own findings. */
    private int observed(Measurement value, ShardPart part, Job job, Console console) throws IOException {
        MeasurementRun measuring = new MeasurementRun(console, interruption);
        if (part.isStartedByParent()) {
            Processes.SignalledStart parent = Processes.SignalledStart.listen(interruption);
            measuring.starting(ready -> ready.startingAt(parent.await(console.out())));
        }
        String aim = value.aim().orElseThrow();
        boolean isDatabase = DatabaseOptions.isDatabase(aim);
        try (ShardMeeting meeting = meeting(value, part, console)) {
            if (meeting != null) {
                measuring.starting(meeting);
            }
            int code = live.run(
                    measuring,
                    job,
                    value.asking().database().driverJar().stream().toList());
            if (isDatabase) {
                DatabaseTargets.parts(job.target()).forEach(console::note);
            }
            if (Requests.isCommand(aim)) {
                CommandTargets.parts(job.target()).forEach(console::note);
            }
            return code;
        } finally {
            if (isDatabase) {
                DatabaseTargets.end(job.target(), value.asking()).forEach(console::note);
            }
        }
    }

    private @Nullable ShardMeeting meeting(Measurement value, ShardPart part, Console console) {
        return planned == null || meet.place().isEmpty()
                ? null
                : new ShardMeeting(
                        meet,
                        planned.plan(),
                        part,
                        console,
                        interruption,
                        another -> Job.of(value, value.aim().orElseThrow(), another, null));
    }

    private int show(Measurement value, int requests, Console console) throws IOException {
        Refusal.when(requests < 1, "--show must be at least 1, but was " + requests);
        String aim = value.aim().orElse("");
        Refusal.when(
                aim.isEmpty() || ClientOptions.kindOf(aim) != TargetKind.HTTP,
                "--show is for HTTP targets: it prints requests");
        RequestTranscript transcript = Refusal.wrap(() -> Job.transcript(value, aim, value.plan(Shard.WHOLE)));
        notes(value, aim).forEach(console::note);
        return transcript.print(requests, spec.commandLine().getOut()) ? ExitCode.MET : ExitCode.NOTHING;
    }

    /** Features of request files that are not supported. */
    private static List<String> notes(Measurement value, String aim) throws IOException {
        Optional<AccessLogFile> log = value.load().loggedRequests();
        boolean isHttp = ClientOptions.kindOf(aim) == TargetKind.HTTP;
        if (log.isPresent() && isHttp) {
            return log.get()
                    .lines(WorkloadSource.of(value.load(), value.asking().waiting())
                            .seed())
                    .notes();
        }
        if (!isHttp || !value.asking().requests().areSeveralKinds(aim)) {
            return List.of();
        }
        HttpFile file = value.asking().source().read(aim);
        List<String> notes = new ArrayList<>(file.notes());
        if (value.load().sessions().isPresent() || value.load().closed().isPresent()) {
            CookieCopies.unreplaced(file.requests()).ifPresent(notes::add);
        }
        value.asking()
                .requests()
                .onceRows()
                .ifPresent(rows -> notes.add(
                        "each row of data is used once: the run ends with the last of " + rows + " at the latest"));
        return notes;
    }

    private int demo(Measurement given, Console console) throws IOException {
        Refusal.when(vary.isGiven(), "a TARGET is missing: --vary needs one");
        Refusal.when(
                !Values.arguments(given.asking().request()).isEmpty()
                        || !Values.arguments(given.asking().encryption()).isEmpty(),
                "a TARGET is missing: -X, -H, --data and TLS options describe requests to one");
        Measurement value = Demo.withDefaults(given);
        Job.of(value, "http://127.0.0.1/", ShardPart.WHOLE, null); // detect all mistakes before the server starts
        interruption.watch();
        try (Demo demo = Demo.start()) {
            Job job = Job.of(value, demo.uri(), ShardPart.WHOLE, null);
            return demo.run(new MeasurementRun(console, interruption), job);
        }
    }
}
