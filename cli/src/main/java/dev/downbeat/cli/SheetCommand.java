package dev.downbeat.cli;

import dev.downbeat.capacity.Characterisation;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.view.SheetReport;
import dev.downbeat.report.view.SheetView;
import dev.downbeat.report.view.SweepRows;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialRuns;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The sheet of a service that its vendor never published. */
@Command(
        name = "sheet",
        header = "Writes the data sheet of a service: what it takes, how long it takes, what a connection costs, how it"
                + " comes back and how it fails.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat sheet TARGET [OPTION...]",
        footer = {"", "It loads the service beyond its limit: ask whoever runs it."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:measured",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:measured, but something on the sheet is in doubt, as it says",
            " 99:the objectives were missed at every rate",
            "130:interrupted (143 by SIGTERM): a partial sheet"
        })
final class SheetCommand implements Callable<Integer> {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, or sqs:demo.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Mixin(name = "Sheet")
    SheetOptions sheet = new SheetOptions();

    @Mixin(name = "Objectives")
    ObjectiveOptions objective = new ObjectiveOptions();

    @Mixin(name = "Asking")
    AskingOptions asking = new AskingOptions();

    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    private final Interruption interruption = new Interruption();

    @Override
    public Integer call() throws IOException {
        output.check();
        Console console = Console.of(spec, output);
        ResultOutput results = ResultOutput.of("a sheet", console);
        SweepOptions search = sheet.toSearch();
        SearchPlan plan = search.toPlan(objective.slos());
        RateRuns runs = new RateRuns(target, asking, search, plan).painting(console.err(), output.quiet);
        runs.describe(); // mistakes first
        serialTarget().of(1, null);
        if (!QueueDemo.isMeant(target, asking.queue)) {
            interruption.watch();
            return measure(plan, runs, null, results, console);
        }
        QueueDemo.assume(asking.connection);
        try (QueueDemo demo = QueueDemo.start(List.of())) {
            interruption.watch();
            runs.use(demo);
            return measure(plan, runs, demo, results, console);
        }
    }

    private int measure(SearchPlan plan, RateRuns runs, @Nullable QueueDemo demo, ResultOutput results, Console console)
            throws IOException {
        try {
            return report(plan, runs, demo, results, console);
        } catch (IOException nothing) {
            if (interruption.isReceived()) {
                console.error("interrupted before anything was known");
                return interruption.exitCode();
            }
            throw Errors.nothing(nothing);
        } finally {
            interruption.finished();
        }
    }

    private int report(SearchPlan plan, RateRuns runs, @Nullable QueueDemo demo, ResultOutput results, Console console)
            throws IOException {
        serialTarget().refuseIfNobodyAnswers();
        runs.rehearse(interruption);
        Instant started = Instant.now();
        long startedAt = System.nanoTime();
        WarmUp.run(interruption);
        MachineProfile machine = MachineProfile.measure();
        console.say(runs.describe());
        console.say("new clients, one after the other");
        Seed seed = runs.seed();
        PositionReport fresh = serial(sheet.freshClients(seed, asking.timing.timeout), demo, machine);
        Rest rest = new Rest(fresh);
        rest.measure(() -> {
            console.say("long runs on one connection");
            long usualNanos = fresh.service().valueAtPercentile(50);
            rest.places = Optional.of(serial(sheet.longRuns(seed, asking.timing.timeout, usualNanos), demo, machine));
        });
        rest.measure(() -> rest.characteristics = Optional.of(underLoad(plan, runs, console)));
        SheetReport report = new SheetReport(
                runs.describe(),
                conditions(plan, machine, started, System.nanoTime() - startedAt, seed),
                rest.characteristics,
                fresh,
                rest.places,
                Console.words(spec, List.of()),
                Version.text(),
                rest.endedFor);
        return code(report, results.write(new SheetView(report)), console);
    }

    /** What is measured after the first part; where it cannot be any more, the first part is kept, and why. */
    private final class Rest {
        private final PositionReport first;
        private Optional<PositionReport> places = Optional.empty();
        private Optional<Characteristics> characteristics = Optional.empty();
        private Optional<String> endedFor = Optional.empty();

        Rest(PositionReport first) {
            this.first = first;
        }

        private interface Part {
            void measure() throws IOException;
        }

        private void measure(Part part) throws IOException {
            if (endedFor.isEmpty() && !interruption.isReceived()) {
                try {
                    part.measure();
                } catch (IOException gone) {
                    if (first.answered() == 0) {
                        throw gone;
                    }
                    endedFor = Optional.of(Messages.of(gone));
                }
            }
            if (interruption.isReceived() && characteristics.isEmpty()) {
                endedFor = Optional.of("interrupted");
            }
        }
    }

    private int code(SheetReport report, boolean written, Console console) {
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        int code = report.exitCode(objective.acceptUnsound);
        if (code == ExitCode.NOTHING) {
            console.error("nothing could be measured: no request was answered");
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private Characteristics underLoad(SearchPlan plan, RateRuns runs, Console console) throws IOException {
        Characterisation characterisation =
                new Characterisation(plan, sheet.lengths(), runs, step -> told(step, console));
        interruption.onFirst(() -> {
            characterisation.stop();
            runs.stop();
        });
        console.say(SweepRows.head());
        return characterisation.run();
    }

    private static void told(RateStep step, Console console) {
        console.say(SweepRows.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }

    private PositionReport serial(SerialPlan plan, @Nullable QueueDemo demo, MachineProfile machine)
            throws IOException {
        SerialRuns runs = new SerialRuns(plan, serialTarget().of(plan.shares(), demo));
        interruption.onFirst(runs::stop);
        Timer timer = new Timer("downbeat-sheet-budget", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        runs.stop();
                    }
                },
                TimeUnit.NANOSECONDS.toMillis(sheet.serialNanos()));
        try {
            return PositionReport.of(runs.run(), Console.words(spec, List.of()), Version.text(), machine);
        } finally {
            timer.cancel();
        }
    }

    /** One connection to each run, opened by its first request. */
    private SerialTarget serialTarget() {
        ReconnectOptions reconnect = new ReconnectOptions();
        reconnect.connectTimeout = asking.connection.connectTimeout;
        reconnect.maxRequests = asking.connection.maxRequests;
        reconnect.lookup = asking.connection.lookup;
        return new SerialTarget(target, reconnect, asking);
    }

    private Map<String, String> conditions(
            SearchPlan plan, MachineProfile machine, Instant started, long tookNanos, Seed seed) {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("measured", DATE.format(started) + ", in " + DurationText.rounded(tookNanos));
        conditions.put(
                "from",
                machine.os() + " " + machine.kernel() + " " + machine.arch() + ", " + machine.cores() + " cores; "
                        + machine.jvm() + "; Downbeat " + Version.text());
        conditions.put(
                "load",
                PlanText.format(
                        "open loop, %s arrivals, seed %s; each rate %s, a fifth of it for settling",
                        sheet.arrivals, seed, DurationText.rounded(plan.stepNanos())));
        conditions.put(
                "client",
                PlanText.format(
                        "at most %,d connections, given up after %s",
                        asking.connections(target), DurationText.rounded(asking.timing.timeout.toNanos())));
        conditions.put(
                "objectives",
                plan.slos().stream()
                        .map(slo -> slo.subject() + " " + slo.limit())
                        .collect(Collectors.joining(", ")));
        return conditions;
    }
}
