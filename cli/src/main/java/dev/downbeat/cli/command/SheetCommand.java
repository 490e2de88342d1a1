package dev.downbeat.cli.command;

import dev.downbeat.capacity.Characterisation;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.file.Origin;
import dev.downbeat.cli.job.RateRuns;
import dev.downbeat.cli.job.SerialTarget;
import dev.downbeat.cli.job.WarmUp;
import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.cli.measurement.Reconnecting;
import dev.downbeat.cli.measurement.Said;
import dev.downbeat.cli.measurement.Seed;
import dev.downbeat.cli.measurement.Sheet;
import dev.downbeat.cli.measurement.SheetUse;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.queue.QueueVisit;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
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
import java.time.Duration;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The sheet of a service that its vendor never published. */
@Command(
        name = "sheet",
        header = "Writes a data sheet: capacity, times, connections, faults.",
        customSynopsis = "downbeat sheet TARGET [OPTION...]",
        footer = {"", "It loads the service beyond its limit: ask its operators first."},
        exitCodeList = {
            "  0:measured",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:measured, but something on the sheet is in doubt, as it says",
            " 99:the objectives were missed at every rate",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial sheet"
        })
public final class SheetCommand extends ResultCommand {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Said<Sheet> said = new Said<>(Sheet.class);

    @Mixin(name = "Sheet")
    final CommandSpec words = said.spec();

    private final Interruption interruption = new Interruption();

    @Override
    int call(Console console) throws IOException {
        ResultOutput.check("a sheet", console, false);
        Sheet given = said.value().resolved();
        boolean isDemo = QueueDemo.isMeant(given.target(), given.asking().queue());
        Sheet value = isDemo ? given.with(QueueDemo.assume(given.asking())) : given;
        RateRuns runs = new RateRuns(value.sweep()).painting(console.err(), output.quiet);
        runs.describe(); // mistakes first
        serialTarget(value).of(1, null);
        if (!isDemo) {
            QueueVisit.check(value.target(), value.asking(), console);
            interruption.watch();
            return measure(value, runs, null, console);
        }
        try (QueueDemo demo = QueueDemo.start(List.of())) {
            interruption.watch();
            runs.use(demo);
            return measure(value, runs, demo, console);
        }
    }

    private int measure(Sheet value, RateRuns runs, @Nullable QueueDemo demo, Console console) throws IOException {
        try {
            return report(value, runs, demo, console);
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

    private int report(Sheet value, RateRuns runs, @Nullable QueueDemo demo, Console console) throws IOException {
        serialTarget(value).refuseIfNobodyAnswers();
        runs.rehearse(interruption);
        Instant started = Instant.now();
        long startedAt = System.nanoTime();
        WarmUp.run(interruption, runs.tls().stream());
        MachineProfile machine = MachineProfile.measure();
        console.say(runs.describe());
        console.say("new clients, one after the other");
        SheetUse use = value.use();
        Seed seed = use.seed().orElseThrow();
        Duration timeout = value.asking().waiting().timeout();
        PositionReport fresh = serial(value, use.freshClients(seed, timeout), demo, machine);
        Rest rest = new Rest(fresh);
        rest.measure(() -> {
            console.say("long runs on one connection");
            long usualNanos = fresh.service().valueAtPercentile(50);
            rest.places = Optional.of(serial(value, use.longRuns(seed, timeout, usualNanos), demo, machine));
        });
        rest.measure(() -> rest.characteristics = Optional.of(underLoad(value, runs, console)));
        SheetReport report = new SheetReport(
                runs.describe(),
                conditions(value, machine, started, System.nanoTime() - startedAt, seed),
                rest.characteristics,
                fresh,
                rest.places,
                Origin.of("sheet", value).command(),
                Version.text(),
                rest.endedFor);
        return code(
                report,
                value.objectives().acceptUnsound(),
                ResultOutput.of("a sheet", console).write(new SheetView(report)),
                console);
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

    private int code(SheetReport report, boolean acceptUnsound, boolean written, Console console) {
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        int code = report.exitCode(acceptUnsound);
        if (code == ExitCode.NOTHING) {
            console.error("nothing could be measured: no request was answered");
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private Characteristics underLoad(Sheet value, RateRuns runs, Console console) throws IOException {
        Characterisation characterisation =
                new Characterisation(value.sweep().plan(), value.use().lengths(), runs, step -> told(step, console));
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

    private PositionReport serial(Sheet value, SerialPlan plan, @Nullable QueueDemo demo, MachineProfile machine)
            throws IOException {
        SerialRuns runs = new SerialRuns(plan, serialTarget(value).of(plan.shares(), demo));
        interruption.onFirst(runs::stop);
        Timer timer = new Timer("downbeat-sheet-budget", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        runs.stop();
                    }
                },
                TimeUnit.NANOSECONDS.toMillis(value.use().serialNanos()));
        try {
            return PositionReport.of(runs.run(), Origin.of("sheet", value).command(), Version.text(), machine);
        } finally {
            timer.cancel();
        }
    }

    /** One connection to each run, opened by its first request. */
    private static SerialTarget serialTarget(Sheet value) {
        return new SerialTarget(value.target(), Reconnecting.of(value.asking().connections()), value.asking());
    }

    private static Map<String, String> conditions(
            Sheet value, MachineProfile machine, Instant started, long tookNanos, Seed seed) {
        SearchPlan plan = value.sweep().plan();
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
                        value.use().toSearch().law(), seed, DurationText.rounded(plan.stepNanos())));
        conditions.put(
                "client",
                PlanText.format(
                        "at most %,d connections, timeout %s",
                        value.asking().connections(value.target()),
                        DurationText.rounded(value.asking().waiting().timeout().toNanos())));
        conditions.put(
                "objectives",
                plan.slos().stream()
                        .map(slo -> slo.subject() + " " + slo.limit())
                        .collect(Collectors.joining(", ")));
        return conditions;
    }
}
