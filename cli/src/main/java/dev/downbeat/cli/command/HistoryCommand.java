package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Percentile;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.file.GitBaselines;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.SavedBuilds;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.Tolerance;
import dev.downbeat.compare.Build;
import dev.downbeat.compare.History;
import dev.downbeat.report.data.HistoryReport;
import dev.downbeat.report.file.CsvReport.HistoryCsv;
import dev.downbeat.report.view.HistoryView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code history}: builds of a service in order of time. */
@Command(
        name = "history",
        header = "Says which build changed response times for good.",
        customSynopsis = {"downbeat history FILE... [OPTION...]", "downbeat history --git BASELINE.hlog [OPTION...]"},
        footer = {
            "",
            "A file has the name of its build: a1b2c3d.downbeat, and a1b2c3d.2.downbeat for",
            "another run of it. Runs at another load or of another machine than the newest",
            "are left out, and named."
        },
        exitCodeList = {
            "  0:no percentile became slower at its last change",
            "  1:a result could not be written",
            "  2:the command line is wrong, or a file cannot be read",
            " 98:fewer than 6 builds can be compared",
            " 99:a percentile became slower at its last change, by more than --tolerance"
        })
public final class HistoryCommand extends ResultCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Runs that were saved with -o NAME.downbeat or NAME.hlog, in any order.")
    List<Path> files = new ArrayList<>();

    @Option(
            names = "--git",
            paramLabel = "BASELINE",
            description = "Each version of a baseline (.hlog) that is or was committed here is a build.")
    @Nullable
    Path git;

    @Option(
            names = "--as-given",
            description =
                    "The files are named in the order of the builds; else they are sorted by when they were measured.")
    boolean asGiven;

    @Option(
            names = "--percentiles",
            paramLabel = "P,P...",
            hideParamSyntax = true,
            split = ",",
            converter = Percentile.Converter.class,
            description = "What is looked at. Default: p50,p90,p99, where there are enough requests.")
    List<Percentile> percentiles = new ArrayList<>();

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            converter = Tolerance.Converter.class,
            description = "How much slower is no regression: 5%%. Default 0%%.")
    Tolerance tolerance = new Tolerance(0);

    @Option(
            names = "--since",
            paramLabel = "BUILD",
            description = "Changes up to this build are known: they are shown, and no failure.")
    String since = "";

    @Option(names = "--accept-unsound", description = "Includes runs that are unsound or unlike the newest.")
    boolean acceptUnsound;

    @Override
    int call(Console console) throws IOException {
        ResultOutput.check("a history", console, Optional.of(OutputFile.Kind.CSV));
        if (git == null == files.isEmpty()) {
            throw new TypeConversionException(
                    git == null
                            ? "FILE is missing: downbeat history results/*.downbeat"
                            : "--git and FILE are mutually exclusive");
        }
        List<Build> builds = git == null ? SavedBuilds.of(files, asGiven) : GitBaselines.builds(git);
        History history = History.of(
                builds, percentiles.stream().map(Percentile::value).distinct().toList(), acceptUnsound);
        if (!since.isEmpty() && history.place(since).isEmpty()) {
            throw new TypeConversionException("--since " + since + " must name one of the builds: "
                    + (history.builds().isEmpty()
                            ? "there are none"
                            : "they are " + history.builds().get(0).name() + " to "
                                    + history.builds()
                                            .get(history.builds().size() - 1)
                                            .name()));
        }
        String what = git == null
                ? builds.size() + (builds.size() == 1 ? " build" : " builds")
                : "versions of " + git.getFileName();
        HistoryReport report =
                new HistoryReport(history, what, tolerance.share(), since, Console.words(spec), Version.text());
        boolean written = ResultOutput.of(console, out -> {
                    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                    HistoryCsv.write(report, writer);
                    writer.flush();
                })
                .write(new HistoryView(report));
        int code = report.exitCode();
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }
}
