package dev.downbeat.cli;

import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.Pacing;
import dev.downbeat.report.PositionJson;
import dev.downbeat.report.PositionReport;
import dev.downbeat.report.PositionText;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.SerialRuns;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.target.Target;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What depends on the place of a request on its connection. */
@Command(
        name = "position",
        header = "Finds what depends on a request's place on its connection: the cost of a new connection, and what"
                + " comes back every so many requests.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat position TARGET [OPTION...]",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:measured, whatever was found",
            "  1:nothing could be measured",
            "  2:the command line is wrong",
            " 98:measured, but not to be trusted, or too little to tell what a new connection costs",
            "130:interrupted (143 by SIGTERM): a partial report"
        })
final class PositionCommand implements Callable<Integer> {
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description =
                    "http://..., https://..., unix:/socket:/path, an SQS queue's URL, sqs:QUEUE, or sqs:demo: a queue"
                            + " on this machine that needs no account.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Mixin(name = "Runs")
    SerialOptions serial = new SerialOptions();

    @Mixin(name = "Connections")
    ReconnectOptions reconnect = new ReconnectOptions();

    @Mixin(name = "TLS")
    EncryptionOptions encryption = new EncryptionOptions();

    @Mixin(name = "Request")
    RequestOptions request = new RequestOptions();

    @Mixin(name = "SQS")
    QueueOptions queue = new QueueOptions();

    @Option(
            names = "--demo-closes",
            hidden = true,
            arity = "3",
            paramLabel = "N",
            description = "When the queue of sqs:demo closes connections: least, most, and whether it says so.")
    List<String> demoCloses = new ArrayList<>();

    @Option(names = "--accept-unsound", description = "Lets a measurement in doubt pass: 0 instead of 98.")
    boolean acceptUnsound;

    @Option(names = "--json", description = "The result on stdout as JSON.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on stderr but errors.")
    boolean quiet;

    @ParentCommand
    @Nullable
    Downbeat downbeat;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        SerialPlan plan = serial.toPlan();
        Target measured = target(plan);
        if (!QueueDemo.isMeant(target, queue)) {
            return measure(plan, measured);
        }
        try (QueueDemo demo = QueueDemo.start(demoCloses)) {
            return measure(plan, QueueTargets.of(demo, words(plan), 0));
        }
    }

    private int measure(SerialPlan plan, Target measured) throws IOException {
        Interruption interruption = new Interruption();
        interruption.watch();
        try {
            return measure(plan, new WithoutSecrets(measured), interruption);
        } finally {
            interruption.finished();
        }
    }

    private Target target(SerialPlan plan) throws IOException {
        boolean isQueue = QueueOptions.isQueue(target);
        QueueOptions.check(spec.commandLine().getParseResult(), isQueue);
        try {
            return isQueue ? queueTarget(plan) : httpTarget(plan);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    /** One connection to each share, and one call at a time. */
    private Target queueTarget(SerialPlan plan) throws IOException {
        QueueTargets.Jars.refuseIfAbsent(queue);
        if (queue.operation == QueueOptions.Operation.DELIVERY) {
            throw new TypeConversionException(
                    "--operation delivery is no request on one connection: give send, send-batch, receive or delete");
        }
        queue.inFlight = plan.shares();
        return QueueTargets.of(QueueOptions.queue(target), words(plan), 0);
    }

    private QueueTargets.Words words(SerialPlan plan) {
        return new QueueTargets.Words(
                queue,
                reconnect.of(plan.shares()),
                encryption,
                request,
                spec.commandLine().getParseResult());
    }

    private Target httpTarget(SerialPlan plan) throws IOException {
        HttpRequest httpRequest = request.toRequest(target);
        HttpOptions.Builder options = reconnect.of(plan.shares()).toHttpOptions(0, 1);
        encryption.applyTo(options.tls());
        // many lanes share the processors: none may spin
        return new HttpTarget(
                httpRequest, options.pacing(Pacing.BLOCK).cold(true).build());
    }

    private int measure(SerialPlan plan, Target measured, Interruption interruption) throws IOException {
        WarmUp.run(interruption);
        MachineProfile machine = MachineProfile.measure();
        refuseIfNobodyAnswers();
        SerialRuns runs = new SerialRuns(plan, measured);
        interruption.onFirst(runs::stop);
        SerialResult result = run(runs, plan);
        PositionReport report = PositionReport.of(result, command(), Version.text(), machine);
        show(report);
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        if (report.exitCode() == ExitCode.NOTHING) {
            error("nothing could be measured: no request was answered: "
                    + String.join(", ", result.failures().keySet()));
        }
        return report.exitCode() == ExitCode.UNSOUND && acceptUnsound ? ExitCode.MET : report.exitCode();
    }

    /** A run opens its first connection with its first request: that nobody listens must be known before. */
    private void refuseIfNobodyAnswers() throws IOException {
        if (QueueOptions.isQueue(target)) {
            return; // looks for its queue itself
        }
        HttpOptions.Builder options = reconnect.of(1).toHttpOptions(0, 1);
        encryption.applyTo(options.tls());
        try {
            new HttpTarget(request.toRequest(target), options.build())
                    .open(0, 1, NanoClock.system(), exchange -> {})
                    .close();
        } catch (IOException nobody) {
            throw new IOException("nothing could be measured: " + Messages.of(nobody), nobody);
        }
    }

    private SerialResult run(SerialRuns runs, SerialPlan plan) throws IOException {
        Painter painter = painter(runs, plan);
        try {
            return runs.run();
        } catch (IOException nothing) {
            throw new IOException("nothing could be measured: " + Messages.of(nothing), nothing);
        } finally {
            painter.close();
        }
    }

    private Painter painter(SerialRuns runs, SerialPlan plan) {
        PrintWriter err = spec.commandLine().getErr();
        Terminal terminal = Terminal.detect();
        if (quiet) {
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

    private void show(PositionReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            PositionJson.write(report, out);
        } else {
            Colour colour = downbeat == null ? Colour.AUTO : downbeat.colour;
            PositionText.write(
                    report, colour.isOn(System.getenv(), Terminal.detect().isStdout()), out);
        }
        out.flush();
    }

    private List<String> command() {
        List<String> words = new ArrayList<>(List.of("downbeat"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return Secrets.hide(words);
    }

    private void error(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("downbeat position: " + Messages.line(text));
        err.flush();
    }
}
