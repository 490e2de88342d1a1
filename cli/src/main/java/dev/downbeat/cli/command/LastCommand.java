package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.render.Page;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "last",
        header = "Shows the last run again, or saves it: the newest ten are kept.",
        customSynopsis = "downbeat last [N] [OPTION...]",
        footer = {
            "",
            "Runs are cached, readable only by you. DOWNBEAT_LAST=off keeps none.",
            "downbeat last -o run.downbeat    saves the last run",
            "downbeat last 2                  the one before it"
        },
        exitCodeList = {
            "  0:shown, whatever was found of the service",
            "  1:a report could not be written",
            "  2:invalid command line, or there is no such run"
        })
public final class LastCommand extends AnyCommand.ResultCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "N",
            description = "Run number: 1 is the last (default), 2 the one before.")
    @Nullable
    Integer number;

    @Option(names = "--list", description = "Lists the runs by their ends, newest first.")
    boolean list;

    @Override
    int call(Console console) throws IOException {
        Refusal.when(list && (output.json || !output.files.isEmpty()), "--list cannot be combined with -o or --json");
        Refusal.when(list && number != null, "--list shows all runs: leave out " + number);
        LastRuns runs = Root.lastRuns(spec);
        if (list) {
            list(runs.newest());
            return ExitCode.MET;
        }
        return ReportCommand.show(runs.newest(number == null ? 1 : number), console);
    }

    private void list(List<Path> kept) {
        PrintWriter out = spec.commandLine().getOut();
        for (int i = 0; i < kept.size(); i++) {
            out.println(PlanText.format("%3d  %s", i + 1, line(kept.get(i))));
        }
        out.flush();
    }

    private static String line(Path run) {
        try {
            RunResult result = SavedFile.read(run).result();
            return Page.moment(result.started().plusNanos(result.durationNanos())) + "  " + result.target();
        } catch (TypeConversionException unreadable) {
            return Messages.of(unreadable);
        }
    }
}
