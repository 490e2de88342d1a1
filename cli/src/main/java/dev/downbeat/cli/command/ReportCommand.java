package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.ObjectStore;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.RunJournal;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "report",
        header = "Shows a saved run again, in any format.",
        customSynopsis = "downbeat report FILE [OPTION...]",
        footer = {"", "An interrupted run is in NAME.downbeat.part."},
        exitCodeList = {
            "  0:shown, whatever was found of the service",
            "  1:a report could not be written",
            "  2:invalid command line, or the file cannot be read",
            " 98:shown, but the recording was cut off"
        })
public final class ReportCommand extends AnyCommand.ResultCommand {
    @Option(names = "--last", description = "The last run, even if it was not saved.")
    public boolean last;

    @Option(
            names = "--with",
            paramLabel = "FILE",
            description =
                    "Overlays another run on the charts of the page (-o NAME.html); compare tests whether they differ.")
    @Nullable
    Path with;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "A run or a sweep that was saved with -o NAME.downbeat, or the page (.html) of a run.")
    List<String> files = new ArrayList<>(); // picocli takes a Path that is refused for a word too many

    @Override
    List<Path> filesRead() {
        return Stream.ofNullable(with).toList(); // a saved run may replace itself: it is the same again
    }

    @Override
    int call(Console console) throws IOException {
        Refusal.when(
                files.isEmpty() != last,
                last
                        ? "--last and FILE are mutually exclusive"
                        : "give a saved run, such as run.downbeat, or --last for the last run");
        Refusal.when(files.size() > 1, "report takes one file. To compare two: downbeat compare A B");
        Path other = with;
        Refusal.when(
                other != null && console.output().files.stream().noneMatch(one -> one.kind() == OutputFile.Kind.HTML),
                "--with draws another run over a page: give -o NAME.html");
        return show(
                last ? Root.lastRuns(spec).newest(1) : ObjectStore.local(files.get(0)),
                Optional.ofNullable(other),
                console);
    }

    static int show(Path file, Console console) throws IOException {
        return show(file, Optional.empty(), console);
    }

    private static int show(Path file, Optional<Path> with, Console console) throws IOException {
        console.output().reads(file);
        if (SweepFile.isOne(file)) {
            Refusal.when(with.isPresent(), "--with is for runs, and " + file + " is a sweep");
            console.checkFormats("a sweep", OutputFile.Kind.DOWNBEAT);
            SweepReport sweep = SavedFile.sweep(file);
            return write(new SweepView(sweep), out -> SweepFile.write(sweep, out), console);
        }
        RunReport report = SavedFile.read(file);
        if (with.isPresent()) {
            report = report.beside(String.valueOf(with.get().getFileName()), SavedFile.read(with.get()));
        }
        if (SavedFile.hasLaterPart(file)) {
            Path part = SavedFile.part(file);
            console.note("a later run to this file "
                    + (RunJournal.isBeingWritten(part) ? "is under way" : "was cut short or could not be saved")
                    + ": downbeat report "
                    + ShellWords.quoted(part.toString()));
        }
        boolean onlyFiles = !console.output().files.isEmpty() && !console.output().json;
        boolean shown = onlyFiles || console.show(report);
        if (!console.save(report) || !shown) {
            return ExitCode.NOTHING;
        }
        return report.result().ending() == RunSpan.Ending.CUT_OFF ? ExitCode.UNSOUND : ExitCode.MET;
    }

    /** Saves it, and shows it where it is not saved. */
    private static int write(View view, AtomicFile.Content other, Console console) {
        boolean isShown = console.output().json || console.output().files.isEmpty();
        boolean shown = !isShown || console.show(view);
        return console.save(view, other) && shown ? ExitCode.MET : ExitCode.NOTHING;
    }
}
