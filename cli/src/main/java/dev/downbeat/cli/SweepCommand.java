package dev.downbeat.cli;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.report.SweepJson;
import dev.downbeat.report.SweepReport;
import dev.downbeat.report.SweepText;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.target.Target;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The highest rate at which objectives are kept. */
@Command(
        name = "sweep",
        header = "Looks for the highest rate at which a service keeps its objectives.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat sweep TARGET [OPTION...]",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:a sustainable rate was found, and confirmed by a longer run",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:nothing is sure enough, or this machine was the limit",
            " 99:the objectives were missed at every rate",
            "130:interrupted (143 by SIGTERM): a partial report"
        })
final class SweepCommand implements Callable<Integer> {
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(2);

    @Parameters(index = "0", paramLabel = "TARGET", description = "http://..., https://... or unix:/socket:/path.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Mixin(name = "Search")
    SweepOptions search = new SweepOptions();

    @Mixin(name = "Objectives")
    ObjectiveOptions objective = new ObjectiveOptions();

    @Mixin(name = "Waiting")
    TimingOptions timing = new TimingOptions();

    @Mixin(name = "Connections")
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin(name = "TLS")
    EncryptionOptions encryption = new EncryptionOptions();

    @Mixin(name = "Request")
    RequestOptions request = new RequestOptions();

    @Mixin(name = "Output")
    SweepOutputOptions output = new SweepOutputOptions();

    @ParentCommand
    @Nullable
    Downbeat downbeat;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    private final Interruption interruption = new Interruption();
    private @Nullable RateSearch searching;
    private volatile @Nullable LoadRun running;

    @Override
    public Integer call() throws IOException {
        output.check();
        if (QueueOptions.isQueue(target)) {
            throw new TypeConversionException("sweep takes http://, https:// and unix: targets only");
        }
        if (timing.drain == null) {
            timing.drain = timing.timeout.compareTo(LONGEST_DRAIN) < 0 ? timing.timeout : LONGEST_DRAIN;
        }
        SearchPlan plan = search.toPlan(objective.slos());
        Target described = httpTarget(runPlan(plan.fromPerSecond(), plan.stepNanos(), plan)); // mistakes first
        interruption.watch();
        try {
            return search(plan, described);
        } finally {
            interruption.finished();
        }
    }

    private int search(SearchPlan plan, Target described) throws IOException {
        WarmUp.run(interruption);
        RateSearch rates = new RateSearch(plan, (perSecond, nanos) -> measure(perSecond, nanos, plan), this::told);
        searching = rates;
        interruption.onFirst(this::stop);
        say(described.describe());
        say(SweepText.head());
        Capacity capacity = rates.run();
        if (capacity.steps().isEmpty()) {
            error("interrupted before anything was known");
            return interruption.isReceived() ? interruption.exitCode() : ExitCode.NOTHING;
        }
        SweepReport report = new SweepReport(
                capacity,
                described.describe(),
                load(plan),
                command(),
                search.isRandom() ? search.theSeed().toString() : "",
                Version.text());
        boolean written = show(report);
        int code = report.exitCode(objective.acceptUnsound);
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private void stop() {
        RateSearch rates = searching;
        if (rates != null) {
            rates.stop();
        }
        LoadRun run = running;
        if (run != null) {
            run.stop();
        }
    }

    private RunResult measure(double perSecond, long nanos, SearchPlan plan) throws IOException {
        RunPlan runPlan = runPlan(perSecond, nanos, plan);
        LoadRun run = new LoadRun(runPlan, httpTarget(runPlan));
        running = run;
        if (interruption.isReceived()) {
            run.stop();
        }
        Painter painter = painter(runPlan);
        try {
            RunResult result = run.run(Progress.none());
            refuseIfNothing(result);
            return result;
        } catch (IOException nothing) {
            throw new IOException("nothing could be measured: " + Messages.of(nothing), nothing);
        } finally {
            painter.close();
            running = null;
        }
    }

    private static void refuseIfNothing(RunResult result) throws IOException {
        if (result.ledger().answered() == 0 && result.ledger().failed() > 0) {
            throw new IOException("no request was answered: "
                    + String.join(", ", result.recording().failures().keySet()));
        }
    }

    private RunPlan runPlan(double perSecond, long nanos, SearchPlan plan) {
        RunPlan.Builder builder = RunPlan.builder(new Workload.Open(search.next(perSecond)))
                .duration(Duration.ofNanos(nanos))
                .interval(Duration.ofNanos(plan.stretchNanos()));
        timing.applyTo(builder);
        return builder.build();
    }

    private Target httpTarget(RunPlan plan) throws IOException {
        try {
            HttpRequest httpRequest = request.toRequest(target);
            HttpOptions.Builder options = connection.toHttpOptions(0, timing.threads);
            options.pacing(connection.pacing.of(PeakRate.perSecond(plan), timing.threads));
            encryption.applyTo(options.tls());
            return new WithoutSecrets(new HttpTarget(httpRequest, options.build()));
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    private String load(SearchPlan plan) {
        return PlanText.format(
                "open loop, %s arrivals; each rate %.0f s, %.0f s of it settling, longer where unsure%s",
                search.arrivals,
                plan.stepNanos() / 1e9,
                plan.settlingNanos() / 1e9,
                search.isRandom() ? "; seed " + search.theSeed() : "");
    }

    /** The table as it grows: a rate has several rows if it was looked at several times. */
    private void told(RateStep step) {
        say(SweepText.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }

    private void say(String text) {
        if (!output.quiet) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(text.stripTrailing());
            err.flush();
        }
    }

    private Painter painter(RunPlan plan) {
        if (output.quiet || !Terminal.detect().isStderr()) {
            return Painter.none();
        }
        long startedAt = System.nanoTime();
        return Painter.repainting(
                spec.commandLine().getErr(),
                () -> List.of(
                        "  " + PlanText.load(plan) + "   " + PlanText.progress(plan, System.nanoTime() - startedAt, 0)),
                REPAINT_NANOS);
    }

    private boolean show(SweepReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            SweepJson.write(report, out);
        } else {
            Colour colour = downbeat == null ? Colour.AUTO : downbeat.colour;
            SweepText.write(
                    report, colour.isOn(System.getenv(), Terminal.detect().isStdout()), out);
        }
        out.flush();
        boolean written = !out.checkError();
        for (OutputFile file : output.files) {
            try {
                file.write(text -> SweepJson.write(report, text));
            } catch (IOException broken) {
                error("-o " + file.path() + " was not written: " + Errors.ofFile(broken));
                written = false;
            }
        }
        return written;
    }

    private List<String> command() {
        List<String> words = new ArrayList<>(List.of("downbeat"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return Secrets.hide(words);
    }

    private void error(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("downbeat sweep: " + Messages.line(text));
        err.flush();
    }
}
