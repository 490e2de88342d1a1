package dev.downbeat.cli;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchInTurns;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.report.SweepFile;
import dev.downbeat.report.SweepHtml;
import dev.downbeat.report.SweepJson;
import dev.downbeat.report.SweepPairJson;
import dev.downbeat.report.SweepPairReport;
import dev.downbeat.report.SweepPairText;
import dev.downbeat.report.SweepReport;
import dev.downbeat.report.SweepText;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
        customSynopsis = {"downbeat sweep TARGET [OPTION...]", "downbeat sweep TARGET --against OTHER [OPTION...]"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:a sustainable rate was found, and confirmed by a longer run",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:nothing is sure enough, or this machine was the limit",
            " 99:the objectives were missed at every rate; with --against: OTHER takes less",
            "130:interrupted (143 by SIGTERM): a partial report"
        })
final class SweepCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "TARGET", description = "http://..., https://... or unix:/socket:/path.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Option(
            names = "--against",
            paramLabel = "OTHER",
            description =
                    "A second target, searched in turns with the first: at how many times the load does it keep the"
                            + " objectives?")
    @Nullable
    String against;

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

    @Override
    public Integer call() throws IOException {
        output.check();
        SearchPlan plan = search.toPlan(objective.slos());
        RateRuns runs = runs(target, plan);
        String described = runs.describe(); // mistakes first
        String other = against;
        if (other != null && other.equals(target)) {
            throw new TypeConversionException("--against must be another target than the first");
        }
        boolean isKept = output.files.stream().anyMatch(file -> file.kind() == OutputFile.Kind.DOWNBEAT);
        if (other != null && isKept) {
            throw new TypeConversionException("with --against a search is saved as .html or .json");
        }
        RateRuns others = other == null ? null : runs(other, plan);
        String otherDescribed = others == null ? "" : others.describe();
        interruption.watch();
        try {
            return others == null
                    ? search(plan, runs, described)
                    : searchBoth(plan, new Side(described, runs), new Side(otherDescribed, others));
        } finally {
            interruption.finished();
        }
    }

    /** One of two targets. */
    private record Side(String described, RateRuns runs) {}

    private RateRuns runs(String url, SearchPlan plan) {
        if (QueueOptions.isQueue(url)) {
            throw new TypeConversionException("sweep takes http://, https:// and unix: targets only");
        }
        RateRuns.Asking asking = new RateRuns.Asking(timing, connection, encryption, request);
        return new RateRuns(url, asking, search, plan)
                .painting(spec.commandLine().getErr(), output.quiet);
    }

    private int search(SearchPlan plan, RateRuns runs, String described) throws IOException {
        WarmUp.run(interruption);
        RateSearch rates = new RateSearch(plan, runs, step -> told("", step));
        interruption.onFirst(() -> {
            rates.stop();
            runs.stop();
        });
        say(described);
        say(SweepText.head());
        Capacity capacity = rates.run();
        if (capacity.steps().isEmpty()) {
            return nothingKnown();
        }
        SweepReport report = report(capacity, described);
        boolean written = show(
                (colour, out) -> SweepText.write(report, colour, out),
                out -> SweepJson.write(report, out),
                file -> save(file, report));
        return code(report.exitCode(objective.acceptUnsound), written);
    }

    private int searchBoth(SearchPlan plan, Side a, Side b) throws IOException {
        WarmUp.run(interruption);
        SearchInTurns searches = new SearchInTurns(
                plan,
                new SearchInTurns.Side(a.runs(), step -> told("A ", step)),
                new SearchInTurns.Side(b.runs(), step -> told("B ", step)));
        interruption.onFirst(() -> {
            searches.stop();
            a.runs().stop();
            b.runs().stop();
        });
        say("A " + a.described());
        say("B " + b.described());
        say("  " + SweepText.head());
        CapacityComparison found;
        try {
            found = searches.run();
        } finally {
            a.runs().stop(); // where one of them broke, the other may still be at work
            b.runs().stop();
        }
        if (found.base().steps().isEmpty() || found.other().steps().isEmpty()) {
            return nothingKnown();
        }
        SweepPairReport report =
                new SweepPairReport(report(found.base(), a.described()), report(found.other(), b.described()));
        boolean written = show(
                (colour, out) -> SweepPairText.write(report, colour, out),
                out -> SweepPairJson.write(report, out),
                file -> file.write(
                        file.kind() == OutputFile.Kind.HTML
                                ? out -> SweepHtml.write(report, out)
                                : out -> SweepPairJson.write(report, out)));
        return code(report.exitCode(objective.acceptUnsound), written);
    }

    private int nothingKnown() {
        error("interrupted before anything was known");
        return interruption.isReceived() ? interruption.exitCode() : ExitCode.NOTHING;
    }

    private SweepReport report(Capacity capacity, String described) {
        return new SweepReport(
                capacity,
                described,
                load(capacity.plan()),
                command(),
                search.isRandom() ? search.theSeed().toString() : "",
                Version.text());
    }

    private int code(int code, boolean written) {
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
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
    private void told(String side, RateStep step) {
        say(side + SweepText.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }

    private void say(String text) {
        if (!output.quiet) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(text.stripTrailing());
            err.flush();
        }
    }

    /** What is written to a screen. */
    private interface OnScreen {
        void write(boolean colour, Appendable out) throws IOException;
    }

    /** How a file is written. */
    interface Saving {
        void save(OutputFile file) throws IOException;
    }

    /** In the format that its ending chooses. */
    static void save(OutputFile file, SweepReport report) throws IOException {
        switch (file.kind()) {
            case DOWNBEAT -> file.writeBytes(out -> SweepFile.write(report, out));
            case HTML -> file.write(out -> SweepHtml.write(report, out));
            default -> file.write(out -> SweepJson.write(report, out));
        }
    }

    private boolean show(OnScreen screen, OutputFile.Content json, Saving saving) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            json.write(out);
        } else {
            Colour colour = downbeat == null ? Colour.AUTO : downbeat.colour;
            screen.write(colour.isOn(System.getenv(), Terminal.detect().isStdout()), out);
        }
        out.flush();
        boolean written = !out.checkError();
        for (OutputFile file : output.files) {
            try {
                saving.save(file);
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
