package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.file.Origin;
import dev.downbeat.cli.job.SerialTarget;
import dev.downbeat.cli.job.WarmUp;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.DatabaseUse;
import dev.downbeat.cli.measurement.Positions;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.Refusal;
import dev.downbeat.cli.measurement.Said;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.queue.QueueTargets;
import dev.downbeat.cli.queue.QueueVisit;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.exchange.Target;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.view.position.PositionView;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.engine.SerialRuns;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What depends on the place of a request on its connection. */
@Command(
        name = "position",
        header = "Finds what depends on the position on the connection.",
        customSynopsis = "downbeat position TARGET [OPTION...]",
        exitCodeList = {
            "  0:measured, whatever was found",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:measured, but not to be trusted, or too little to tell what a new connection costs",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class PositionCommand extends ResultCommand {
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Said<Positions> said = new Said<>(Positions.class);

    @Mixin(name = "Positions")
    final CommandSpec words = said.spec();

    @Option(
            names = "--demo-closes",
            hidden = true,
            arity = "3",
            paramLabel = "N",
            description = "When the queue of sqs:demo closes connections: least, most, and whether it says so.")
    List<String> demoCloses = new ArrayList<>();

    @Option(names = "--accept-unsound", description = "Exits with 0 instead of 98 for an unsound measurement.")
    boolean acceptUnsound;

    @Override
    int call(Console console) throws IOException {
        ResultOutput.check("positions", console, false);
        Positions value = said.value().resolved();
        SerialPlan plan = value.serial().toPlan();
        boolean isQueue = QueueUse.isQueue(value.target());
        Refusal.when(
                DatabaseUse.isDatabase(value.target()),
                "position is for HTTP and SQS targets: of a database, run --no-keepalive says what a new connection"
                        + " costs");
        Asking.check(value, Asking.kindOf(value.target()));
        if (isQueue) {
            QueueTargets.Jars.refuseIfAbsent(value.queue());
        }
        SerialTarget serialTarget = new SerialTarget(value.target(), value.reconnecting(), value.asking());
        Target measured = serialTarget.of(plan.shares(), null); // mistakes first
        if (!QueueDemo.isMeant(value.target(), value.queue())) {
            QueueVisit.check(
                    value.target(), value.asking(), Optional.of((long) plan.shares() * plan.requests()), console);
            return measure(value, plan, serialTarget, measured);
        }
        try (QueueDemo demo = QueueDemo.start(demoCloses)) {
            return measure(value, plan, serialTarget, serialTarget.of(plan.shares(), demo));
        }
    }

    private int measure(Positions value, SerialPlan plan, SerialTarget serialTarget, Target measured)
            throws IOException {
        Interruption interruption = new Interruption();
        interruption.watch();
        try {
            WarmUp.run(interruption, Stream.empty()); // one request at a time: no ciphers to wait for
            MachineProfile machine = MachineProfile.measure();
            serialTarget.refuseIfNobodyAnswers();
            SerialRuns runs = new SerialRuns(plan, measured);
            interruption.onFirst(runs::stop);
            return report(value, run(runs, plan), machine, interruption);
        } finally {
            interruption.finished();
        }
    }

    private int report(Positions value, SerialResult result, MachineProfile machine, Interruption interruption)
            throws IOException {
        PositionReport report =
                PositionReport.of(result, Origin.of("position", value).command(), Version.text(), machine);
        Console console = Console.of(spec, output);
        boolean written = ResultOutput.of("positions", console).write(new PositionView(report));
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        if (report.exitCode() == ExitCode.NOTHING) {
            console.error("nothing could be measured: no request was answered: "
                    + String.join(", ", result.failures().keySet()));
        }
        int code = report.exitCode() == ExitCode.UNSOUND && acceptUnsound ? ExitCode.MET : report.exitCode();
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private SerialResult run(SerialRuns runs, SerialPlan plan) throws IOException {
        Painter painter = painter(runs, plan);
        try {
            return runs.run();
        } catch (IOException nothing) {
            throw Errors.nothing(nothing);
        } finally {
            painter.close();
        }
    }

    private Painter painter(SerialRuns runs, SerialPlan plan) {
        PrintWriter err = spec.commandLine().getErr();
        Terminal terminal = Terminal.detect();
        if (output.quiet) {
            return Painter.none();
        }
        return terminal.isStderr()
                ? Painter.repainting(err, () -> List.of(progress(runs, plan)), REPAINT_NANOS)
                : Painter.appending(err, () -> progress(runs, plan), LINE_NANOS);
    }

    private static String progress(SerialRuns runs, SerialPlan plan) {
        return PlanText.format(
                "downbeat position: %,d of %,d runs of %,d requests", runs.done(), plan.runs(), plan.requests());
    }
}
