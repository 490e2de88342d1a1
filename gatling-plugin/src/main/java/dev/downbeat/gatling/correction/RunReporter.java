package dev.downbeat.gatling.correction;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.gatling.report.GatlingView;
import dev.downbeat.gatling.report.Judgement;
import dev.downbeat.gatling.report.PaceComparison;
import dev.downbeat.gatling.report.RequestCsv;
import dev.downbeat.gatling.settings.Settings;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows and saves the results of a run, in the same formats as the command line. */
final class RunReporter {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String PAGE = "downbeat.html";
    private static final String JSON = "downbeat.json";
    private static final String JUNIT = "downbeat-junit.xml";
    private static final String RUN = "downbeat.downbeat";
    private static final String HISTOGRAMS = "downbeat.hlog";
    private static final String REQUESTS = "downbeat-requests.csv";

    private final CorrectedRun run;
    private final RunWatch watch;
    private final Path folder;
    private final RunResult result;
    private final RunVerdict verdict;
    private final RunReport report;
    private boolean isSaved;

    RunReporter(CorrectedRun run, RunWatch watch, Path folder, RunResult result, List<WatchResult> watched) {
        this.run = run;
        this.watch = watch;
        this.folder = folder;
        this.result = result;
        Analysis analysis = Judgement.of(
                result,
                new Criteria(
                        run.settings().objectives(),
                        run.settings().rigour(),
                        run.settings().acceptsUnsound()));
        this.verdict = analysis.verdict();
        this.report = new RunReport(
                        analysis,
                        List.of(),
                        Optional.empty(),
                        Optional.ofNullable(RunReporter.class.getPackage().getImplementationVersion())
                                .orElse("unknown"),
                        MachineProfile.measure(),
                        details(run.settings()))
                .from(run.launcher().command(run.simulation()), EntryPoint.SIMULATION.measurement(run.simulation()))
                .with(watched);
    }

    /** Removes an earlier run's results: a run that saves nothing must not leave them as its own. */
    static void removeOlder(Path folder) throws IOException {
        for (String name : List.of(JSON, JUNIT, RUN, HISTOGRAMS, REQUESTS, PAGE)) {
            Files.deleteIfExists(folder.resolve(name));
        }
    }

    private static Map<String, Object> details(Settings settings) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("gatling", EnvironmentCheck.version());
        details.put("pace", settings.pace().word());
        details.put("gatling_report", settings.correctsGatlingReport() ? "corrected" : "plain");
        long warmUpNanos = settings.warmUpNanos();
        if (warmUpNanos != 0) {
            details.put("warm_up", warmUpNanos == Settings.UNTIL_WARM ? "auto" : DurationText.format(warmUpNanos));
        }
        return details;
    }

    void report() {
        System.out.println(text());
    }

    /** The view for readers: with a single request, a table of requests would repeat the totals. */
    private GatlingView view() {
        boolean isOne = byName().size() == 1
                && verdict.objectives().stream()
                        .noneMatch(objective -> objective.slo() instanceof ServiceLevelObjective.Named);
        RunReport shown = isOne ? report.with(result.with(result.recording().withNames(Map.of()))) : report;
        return GatlingView.of(shown, paces().section(), facts());
    }

    private PaceComparison paces() {
        return new PaceComparison(
                result.recording(), watch.overdue(), run.settings().pace(), result.windowNanos() / NANOS_PER_SECOND);
    }

    private Map<String, Recording> byName() {
        return result.recording().byName();
    }

    private List<Page.Fact> facts() {
        List<Page.Fact> facts = new ArrayList<>();
        cold().ifPresent(text -> facts.add(new Page.Fact("warm-up", text)));
        facts.add(new Page.Fact("Gatling", gatlingReport()));
        return facts;
    }

    /** A note on the warm-up, or on the time in which Gatling's JVM was cold. */
    private Optional<String> cold() {
        String length = DurationText.rounded(watch.coldNanos());
        if (run.settings().warmUpNanos() == Settings.UNTIL_WARM) {
            return Optional.of(
                    watch.leftOut().isEmpty()
                            ? "Gatling's JVM was not warm before the run ended: nothing was left out"
                            : "excluded the first " + length + ", while Gatling's JVM loaded and compiled classes: "
                                    + Numbers.count(watch.leftOut().getAsLong(), "request"));
        }
        if (run.settings().warmUpNanos() > 0) {
            return Optional.of("the first " + DurationText.format(run.settings().warmUpNanos()) + " are left out: "
                    + Numbers.count(run.journal().early(), "request"));
        }
        return watch.coldNanos() == 0
                ? Optional.empty()
                : Optional.of("the first " + length + " are included, although Gatling's JVM was still loading and"
                        + " compiling classes: -Ddownbeat.warmUp=auto excludes them");
    }

    private String gatlingReport() {
        if (watch.isExiting()) {
            return "its own report (index.html) is missing: Gatling's JVM was stopped";
        }
        return run.settings().correctsGatlingReport()
                ? "its own report (index.html) shows these times too, in whole milliseconds"
                : "its own report (index.html) is unchanged: times start at the send; unfinished requests are missing";
    }

    private String text() {
        View view = view();
        StringBuilder text = new StringBuilder("\n---- Downbeat: response times from the intended start ----\n");
        try {
            Renderer.TEXT.write(view, text);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        text.append("\n  saved ").append(saved(view)).append('\n');
        return text.toString();
    }

    private String saved(View view) {
        Path json = folder.resolve(JSON);
        try {
            Folders.create(folder);
            save(json, out -> Renderer.JSON.write(new RunView(report), out));
            save(folder.resolve(JUNIT), out -> Renderer.JUNIT.write(view, out));
            AtomicFile.write(folder.resolve(RUN), out -> RunFile.write(report, out));
            save(folder.resolve(HISTOGRAMS), out -> new HistogramLogFile().write(report, out));
            save(folder.resolve(REQUESTS), out -> RequestCsv.write(byName(), paces().byGatlingsPace(), verdict, out));
            // last, because its style is read from Downbeat's jar, which may have been deleted meanwhile
            save(folder.resolve(PAGE), out -> Renderer.HTML.write(view, out));
            isSaved = true;
            return json + ", .downbeat, .hlog, .html, -junit.xml, -requests.csv";
        } catch (LinkageError gone) {
            return json + " and others, not all: were Downbeat's jars replaced during the run? " + gone;
        } catch (IOException failed) {
            return "not everything in " + folder + ": " + failed;
        }
    }

    /** A writer of text. */
    private interface Text {
        void write(Appendable out) throws IOException;
    }

    private static void save(Path file, Text text) throws IOException {
        AtomicFile.write(file, out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            text.write(writer);
            writer.flush();
        });
    }

    /** Reports a failed run in the way its launcher supports. */
    void end() {
        Settings settings = run.settings();
        RunOutcome outcome = report.analysis().outcome();
        int inARow = undecidedInARow(outcome.answer() == RunOutcome.Conclusion.UNDECIDED);
        int code = settings.canFailBuild()
                ? settings.exit().code(outcome, isSaved, settings.undecided(), inARow)
                : ExitCode.MET;
        if (inARow > 1) {
            System.out.println("  undecided, " + UndecidedPolicy.inWords(inARow));
        }
        Optional<Path> corrected =
                settings.correctsGatlingReport() ? Optional.empty() : Optional.of(folder.resolve(PAGE));
        if (code == ExitCode.MET) {
            run.launcher().afterReport(watch.results(), corrected, code);
        } else {
            System.out.println("  " + run.launcher().endWith(code, why(outcome), watch.results(), corrected) + "\n");
        }
    }

    /** Counted beside the folder, since Gatling makes a new one for each run; not counted unless it matters. */
    private int undecidedInARow(boolean isUndecided) {
        if (run.settings().undecided().filter(UndecidedPolicy::isCounted).isEmpty()) {
            return 1;
        }
        return UndecidedPolicy.inARow(
                folder.toAbsolutePath().resolveSibling(run.simulation() + UndecidedPolicy.EXTENSION), isUndecided);
    }

    private String why(RunOutcome outcome) {
        List<String> missed = objectives(JudgedObjective.Status.MISSED);
        return switch (outcome.answer()) {
            case NOTHING ->
                result.isNothing() ? "nothing was measured: " + result.whyNothing() : "no request reached the service";
            case MISSED -> String.join(" and ", missed) + (missed.size() == 1 ? " was missed" : " were missed");
            case MET, UNDECIDED -> {
                if (!isSaved) {
                    yield "the results were not saved";
                }
                yield objectives(JudgedObjective.Status.UNDECIDED).isEmpty()
                        ? "the measurement is unsound"
                        : "it is undecided whether the objectives are met";
            }
        };
    }

    private List<String> objectives(JudgedObjective.Status status) {
        return verdict.objectives().stream()
                .filter(objective -> objective.status() == status)
                .map(objective -> objective.slo().text())
                .toList();
    }
}
