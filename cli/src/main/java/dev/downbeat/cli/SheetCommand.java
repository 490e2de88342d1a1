package dev.downbeat.cli;

import dev.downbeat.capacity.Characterisation;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.Pacing;
import dev.downbeat.report.PositionReport;
import dev.downbeat.report.SheetHtml;
import dev.downbeat.report.SheetJson;
import dev.downbeat.report.SheetMarkdown;
import dev.downbeat.report.SheetReport;
import dev.downbeat.report.SheetText;
import dev.downbeat.report.SweepText;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialRuns;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.target.Target;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
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
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

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

    @Parameters(index = "0", paramLabel = "TARGET", description = "http://..., https://... or unix:/socket:/path.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Mixin(name = "Sheet")
    SheetOptions sheet = new SheetOptions();

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
    SheetOutputOptions output = new SheetOutputOptions();

    @ParentCommand
    @Nullable
    Downbeat downbeat;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    private final Interruption interruption = new Interruption();

    @Override
    public Integer call() throws IOException {
        output.check();
        if (QueueOptions.isQueue(target)) {
            throw new TypeConversionException("sheet takes http://, https:// and unix: targets only");
        }
        SweepOptions search = sheet.toSearch();
        SearchPlan plan = search.toPlan(objective.slos());
        RateRuns.Asking asking = new RateRuns.Asking(timing, connection, encryption, request);
        RateRuns runs = new RateRuns(target, asking, search, plan)
                .painting(spec.commandLine().getErr(), output.quiet);
        String described = runs.describe(); // mistakes first
        interruption.watch();
        try {
            return measure(plan, runs, described, search.theSeed());
        } finally {
            interruption.finished();
        }
    }

    private int measure(SearchPlan plan, RateRuns runs, String described, Seed seed) throws IOException {
        refuseIfNobodyAnswers();
        Instant started = Instant.now();
        long startedAt = System.nanoTime();
        WarmUp.run(interruption);
        MachineProfile machine = MachineProfile.measure();
        say(described);
        say("new clients, one after the other");
        PositionReport fresh = serial(sheet.freshClients(seed, timing.timeout), machine);
        say("long runs on one connection");
        long usualNanos = fresh.service().valueAtPercentile(50);
        PositionReport places = serial(sheet.longRuns(seed, timing.timeout, usualNanos), machine);
        Optional<Characteristics> characteristics =
                interruption.isReceived() ? Optional.empty() : Optional.of(underLoad(plan, runs));
        SheetReport report = new SheetReport(
                described,
                conditions(plan, machine, started, System.nanoTime() - startedAt, seed),
                characteristics,
                fresh,
                places,
                command(),
                Version.text(),
                interruption.isReceived());
        boolean written = show(report);
        int code = report.exitCode(objective.acceptUnsound);
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        if (code == ExitCode.NOTHING) {
            error("nothing could be measured: no request was answered");
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private Characteristics underLoad(SearchPlan plan, RateRuns runs) throws IOException {
        Characterisation characterisation = new Characterisation(plan, sheet.lengths(), runs, this::told);
        interruption.onFirst(() -> {
            characterisation.stop();
            runs.stop();
        });
        say(SweepText.head());
        return characterisation.run();
    }

    private void told(RateStep step) {
        say(SweepText.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }

    private PositionReport serial(SerialPlan plan, MachineProfile machine) throws IOException {
        SerialRuns runs = new SerialRuns(plan, new WithoutSecrets(serialTarget(plan.shares())));
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
            return PositionReport.of(runs.run(), command(), Version.text(), machine);
        } catch (IOException nothing) {
            throw new IOException("nothing could be measured: " + Messages.of(nothing), nothing);
        } finally {
            timer.cancel();
        }
    }

    /** One connection to each run, opened by its first request. */
    private Target serialTarget(int shares) throws IOException {
        ReconnectOptions reconnect = new ReconnectOptions();
        reconnect.connectTimeout = connection.connectTimeout;
        reconnect.maxRequests = connection.maxRequests;
        reconnect.lookup = connection.lookup;
        HttpOptions.Builder options = reconnect.of(shares).toHttpOptions(0, 1);
        encryption.applyTo(options.tls());
        return new HttpTarget(
                request.toRequest(target),
                options.pacing(Pacing.BLOCK).cold(true).build());
    }

    private void refuseIfNobodyAnswers() throws IOException {
        HttpOptions.Builder options = new ReconnectOptions().of(1).toHttpOptions(0, 1);
        options.preconnect(true);
        encryption.applyTo(options.tls());
        try {
            new HttpTarget(request.toRequest(target), options.build())
                    .open(0, 1, NanoClock.system(), exchange -> {})
                    .close();
        } catch (IOException nobody) {
            throw new IOException("nothing could be measured: " + Messages.of(nobody), nobody);
        }
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
                        connection.count(0), DurationText.rounded(timing.timeout.toNanos())));
        conditions.put(
                "objectives",
                plan.slos().stream()
                        .map(slo -> slo.subject() + " " + slo.limit())
                        .collect(Collectors.joining(", ")));
        return conditions;
    }

    private boolean show(SheetReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            SheetJson.write(report, out);
        } else {
            Colour colour = downbeat == null ? Colour.AUTO : downbeat.colour;
            SheetText.write(
                    report, colour.isOn(System.getenv(), Terminal.detect().isStdout()), out);
        }
        out.flush();
        boolean written = !out.checkError();
        for (OutputFile file : output.files) {
            try {
                file.write(text -> write(report, file.kind(), text));
            } catch (IOException broken) {
                error("-o " + file.name() + " was not written: " + Errors.ofFile(broken));
                written = false;
            }
        }
        return written;
    }

    private static void write(SheetReport report, OutputFile.Kind kind, Appendable out) throws IOException {
        switch (kind) {
            case HTML -> SheetHtml.write(report, out);
            case MARKDOWN -> SheetMarkdown.write(report, out);
            default -> SheetJson.write(report, out);
        }
    }

    private List<String> command() {
        List<String> words = new ArrayList<>(List.of("downbeat"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return Secrets.hide(words);
    }

    private void say(String text) {
        if (!output.quiet) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(text.stripTrailing());
            err.flush();
        }
    }

    private void error(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("downbeat sheet: " + Messages.line(text));
        err.flush();
    }
}
