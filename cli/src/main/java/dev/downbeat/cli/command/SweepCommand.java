package dev.downbeat.cli.command;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateRuns;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.console.UndecidedOption;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.file.SavedArguments.Repeatable;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.SelfWarmUp;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.targets.QueueSafeguard;
import dev.downbeat.cli.targets.WorkloadSource;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.exchange.Target;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

@Command(
        name = "sweep",
        header = "Finds the highest rate that meets the objectives.",
        customSynopsis = "downbeat sweep TARGET [OPTION...]",
        exitCodeList = {
            "  0:a sustainable rate was found, and confirmed by a longer run",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line",
            " 98:undecided, this machine may have been the limit, or the service failed before any rate was sustained",
            " 99:the objectives were missed at every rate",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class SweepCommand extends AnyCommand.ResultCommand implements Repeatable<Sweep> {
    private final ParsedOptions<Sweep> options = new ParsedOptions<>(Sweep.class);

    @Mixin(name = "Sweep")
    final CommandSpec optionSpec = options.spec();

    @Mixin(name = "Undecided results")
    UndecidedOption undecided = new UndecidedOption();

    private final Interruption interruption = new Interruption();

    private @Nullable Sweep repeated;

    @Override
    public void repeat(Sweep value) {
        repeated = value;
    }

    @Override
    public Sweep value() {
        return repeated == null ? options.value() : options.overriding(repeated);
    }

    @Override
    List<Path> filesRead() {
        Sweep value = value();
        return value.asking().neededFiles(value.target());
    }

    @Override
    int call(Console console) throws IOException {
        undecided.applyTo(output);
        return undecided.after(() -> interruption.guard(console, () -> searched(console)), console);
    }

    private int searched(Console console) throws IOException {
        console.checkFormats("a sweep", OutputFile.Kind.DOWNBEAT);
        Sweep given = value().resolved();
        boolean isDemo = given.asking().queue().isDemo(given.target());
        Sweep sweep = isDemo ? given.with(QueueDemo.withDefaults(given.asking())) : given;
        CommandRuns runs = new CommandRuns(sweep, console);
        Target target = runs.checkedTarget(); // detect mistakes first
        if (!isDemo) {
            QueueSafeguard.check(QueueSafeguard.Work.of(sweep.target(), sweep.asking(), sweep.mostRequests()), console);
            interruption.watch();
            return search(sweep, target, runs, console);
        }
        try (QueueDemo demo = QueueDemo.start()) {
            interruption.watch();
            runs.use(demo);
            return search(sweep, target, runs, console);
        }
    }

    private int search(Sweep sweep, Target target, CommandRuns runs, Console console) throws IOException {
        try {
            runs.warmUp(interruption);
            SelfWarmUp.run(interruption, List.of(target));
            RateSearch rates = new RateSearch(sweep.plan(), runs::measure, step -> printRow(step, console));
            interruption.onFirst(() -> {
                rates.stop();
                runs.stop();
            });
            console.printLine(target.describe());
            console.printLine(SweepView.Rows.head());
            Capacity capacity = rates.run();
            SweepReport report = report(capacity, sweep, target.describe());
            boolean written = console.write(new SweepView(report), out -> SweepFile.write(report, out));
            return interruption.exitCode(ExitCode.afterOutput(report.exitCode(), written));
        } catch (IOException nothing) {
            throw new NoMeasurement(nothing);
        }
    }

    private static SweepReport report(Capacity capacity, Sweep sweep, String described) {
        Origin origin = Origin.of("sweep", sweep);
        return new SweepReport(
                capacity,
                described,
                SweepReport.load(
                        capacity.plan(),
                        sweep.search().seedOfArrivals().isPresent(),
                        sweep.search().seedText()),
                origin.command(),
                sweep.search().seedText(),
                Version.text(),
                origin.measurement(),
                sweep.objectives().acceptUnsound());
    }

    /** Prints the table as it grows; a rate has several rows if it was measured several times. */
    private static void printRow(RateStep step, Console console) {
        console.printLine(SweepView.Rows.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }

    /** The runs of a search as the command line makes them. */
    private static final class CommandRuns {
        /** The seed of randomly drawn requests; indexes of each run's own keep unique values from coming twice. */
        private static final long SEED = 1;

        private final Sweep sweep;
        private final Console console;
        private final ClientOptions asking;
        private final RateRuns runs;
        private @Nullable QueueDemo demo;

        CommandRuns(Sweep sweep, Console console) {
            this.sweep = sweep;
            this.console = console;
            this.asking = sweep.asking().with(sweep.asking().waiting().drainingAtMost(SearchPlan.LONGEST_DRAIN));
            this.runs = new RateRuns(
                    sweep.plan(), sweep.search().seedOfArrivals(), asking.waiting()::applyTo, this::target);
        }

        /** Uses the embedded queue, which has been started. */
        void use(QueueDemo started) {
            demo = started;
        }

        /** Warms up the embedded queue, if it is the target. */
        void warmUp(Interruption interruption) throws IOException {
            if (demo != null) {
                QueueDemo.warmUp(target(first()), interruption);
            }
        }

        /** The target; refuses invalid options before anything is sent. */
        Target checkedTarget() {
            asking.check(sweep.target());
            asking.connections().refuseForeignAddress();
            asking.requests().refuseDataUsedOnce("rates");
            return target(first());
        }

        private RunPlan first() {
            return runs.next(sweep.plan().fromPerSecond(), sweep.plan().stepNanos());
        }

        /** Shows progress in place only: elsewhere the table grows by rows of rates. */
        RunResult measure(double perSecond, long nanos) throws IOException {
            RunPlan plan = runs.next(perSecond, nanos);
            long startedAt = System.nanoTime();
            Painter painter = console.terminal().isStderr()
                    ? console.progress(() -> "  " + PlanText.load(plan) + "   "
                            + PlanText.progress(plan, System.nanoTime() - startedAt, 0))
                    : Painter.none();
            try {
                return runs.measure(perSecond, nanos);
            } finally {
                painter.close();
            }
        }

        void stop() {
            runs.stop();
        }

        private Target target(RunPlan runPlan) {
            Target target = Job.target(
                    asking,
                    sweep.target(),
                    WorkloadSource.open(SEED),
                    runPlan,
                    ShardPart.WHOLE,
                    demo,
                    new LinkedHashMap<>());
            try {
                ServiceLevelObjective.Named.refuseUnknown(sweep.objectives().slos(), LoadRun.names(runPlan, target));
            } catch (IllegalArgumentException refused) {
                throw Refusal.of(refused);
            }
            return target;
        }
    }
}
