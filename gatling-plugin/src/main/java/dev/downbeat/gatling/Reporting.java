package dev.downbeat.gatling;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.HistogramLog;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.ReportFormat;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows and saves what came of a run, by the same formats as the command line. */
final class Reporting {
    private final CorrectedRun run;
    private final Path folder;

    Reporting(CorrectedRun run, Path folder) {
        this.run = run;
        this.folder = folder;
    }

    void report(RunResult result) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("gatling", Supported.version());
        details.put("gatling_report", run.settings().correctsGatlingReport() ? "corrected" : "plain");
        if (run.settings().warmUpNanos() > 0) {
            details.put("warm_up", DurationText.format(run.settings().warmUpNanos()));
        }
        RunReport report = new RunReport(
                result,
                verdict(result),
                List.of("gatling", "-s", run.simulation()),
                Optional.empty(),
                Optional.ofNullable(Reporting.class.getPackage().getImplementationVersion())
                        .orElse("unknown"),
                MachineProfile.measure(),
                details);
        System.out.println(text(report));
    }

    private Verdict verdict(RunResult result) {
        return Verdict.of(result, run.settings().objectives());
    }

    private String text(RunReport report) {
        StringBuilder text = new StringBuilder("\n---- Downbeat: response times from the intended times ----\n");
        try {
            RunView.on(Paper.TEXT).write(report, text);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        text.append(RequestTable.text(run.journal().byName()));
        text.append("\n  Gatling's own report ")
                .append(
                        run.settings().correctsGatlingReport()
                                ? "shows these times too, in whole milliseconds"
                                : "is as always: from when each request was sent, requests without an end left out")
                .append("\n  saved ")
                .append(saved(report))
                .append('\n');
        return text.toString();
    }

    private String saved(RunReport report) {
        Path json = folder.resolve("downbeat.json");
        Path log = folder.resolve("downbeat.hlog");
        Path page = folder.resolve("downbeat.html");
        Path requests = folder.resolve("downbeat-requests.csv");
        try {
            Files.createDirectories(folder);
            save(json, RunView.on(Paper.JSON), report);
            save(log, new HistogramLog(), report);
            save(page, RunView.on(Paper.HTML), report);
            try (Writer out = Files.newBufferedWriter(requests, StandardCharsets.UTF_8)) {
                RequestTable.csv(run.journal().byName(), out);
            }
            return json + ", " + log.getFileName() + ", " + page.getFileName() + " and " + requests.getFileName();
        } catch (IOException cannot) {
            return "nothing: " + folder + ": " + cannot;
        }
    }

    private static void save(Path file, ReportFormat format, RunReport report) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            format.write(report, out);
        }
    }

    /** Only where the JVM is Gatling's own: in somebody else's, the verdict stands in the result. */
    void decideExitCode(RunResult result) {
        int code = ExitCode.of(result, verdict(result), run.settings().acceptsUnsound());
        if (code != ExitCode.MET && run.settings().setsExitCode() && GatlingMain.isAround()) {
            System.out.println("  Gatling's JVM will end with exit code " + code);
            GatlingMain.endWith(code);
        }
    }
}
