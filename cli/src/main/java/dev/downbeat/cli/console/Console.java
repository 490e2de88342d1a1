package dev.downbeat.cli.console;

import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.terminal.Colour;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.cli.terminal.TerminalWidth;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.paper.ScreenPaper;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command speaks.
 *
 * @param out results
 * @param err everything else
 * @param terminal what the two are connected to
 * @param colour whether results are coloured
 * @param verbose whether to say more
 * @param output what the user asked for
 * @param command which command speaks
 * @param lastRuns where runs are kept that nobody saves; empty if nowhere
 */
public record Console(
        PrintWriter out,
        PrintWriter err,
        Terminal terminal,
        boolean colour,
        boolean verbose,
        OutputOptions output,
        String command,
        Optional<LastRuns> lastRuns) {
    /** Of {@code downbeat run}. */
    public Console(
            PrintWriter out,
            PrintWriter err,
            Terminal terminal,
            boolean colour,
            boolean verbose,
            OutputOptions output) {
        this(out, err, terminal, colour, verbose, output, "run", Optional.empty());
    }

    /** Of a command as it was called. */
    public static Console of(CommandSpec spec, OutputOptions output) {
        Terminal terminal = Terminal.detect();
        Optional<Root> root = Root.of(spec);
        return new Console(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                terminal,
                root.map(Root::colour).orElse(Colour.AUTO).isOn(System.getenv(), terminal.isStdout()),
                root.stream().anyMatch(Root::isVerbose),
                output,
                spec.name(),
                root.flatMap(Root::lastRuns));
    }

    /** The words of the command line that was called, of one that takes no secrets. */
    public static List<String> words(CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of("downbeat"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return words;
    }

    /** Writes a result on stdout; false, and says why, if it could not be. */
    public boolean show(OutputFile.Content result) {
        try {
            result.write(out);
        } catch (IOException broken) {
            error("stdout: " + Messages.of(broken));
            return false;
        }
        if (out.checkError() || System.out.checkError()) { // a writer does not ask the stream below it
            error("stdout could not be written");
            return false;
        }
        return true;
    }

    /** Writes the report of a run on stdout; false, and says why, if it could not be. */
    public boolean show(RunReport report) {
        return show(new RunView(report));
    }

    /** Writes a result of any kind on stdout; false, and says why, if it could not be. */
    public boolean show(View view) {
        return show(text -> {
            if (output.json) {
                Paper.JSON.write(view, text);
            } else {
                new ScreenPaper(colour, verbose, columns()).write(view, text);
            }
        });
    }

    /** Characters in a line of stdout. */
    public int columns() {
        return terminal.isStdout() ? TerminalWidth.now(terminal).columns() : Lines.WIDTH;
    }

    /** Saves the report of a run; false, and says why, if it could not be. */
    public boolean save(OutputFile file, RunReport report) {
        return save(file, () -> file.write(report));
    }

    /** What writes a file. */
    public interface Writing {
        void write() throws IOException;
    }

    /** Lets it be saved; false, and says why, if it could not be. */
    public boolean save(OutputFile file, Writing writing) {
        try {
            writing.write();
            return true;
        } catch (IOException broken) {
            error("-o " + file.name() + " was not written: " + Messages.ofFile(broken));
            return false;
        }
    }

    /** Shows and saves; the exit code. */
    public int report(RunReport report, boolean acceptUnsound) {
        boolean written = show(report);
        for (OutputFile file : output.files) {
            written &= save(file, report);
        }
        int code = report.accepting(acceptUnsound).analysis().outcome().exitCode();
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    /**
     * Keeps a run for {@code downbeat last}; what cannot be kept is no trouble of the user's.
     *
     * @param saved the file that has it already; empty if it was not saved
     */
    public void keep(RunReport report, Optional<Path> saved) {
        if (lastRuns.isPresent()) {
            try {
                lastRuns.get().keep(report, saved);
            } catch (IOException full) {
                detail("the run is not kept for 'downbeat last': " + Messages.ofFile(full));
            }
        }
    }

    /** Whether runs are kept for {@code downbeat last}. */
    public boolean keepsLast() {
        return lastRuns.isPresent();
    }

    /** Says a line that is no result as it stands, unless silence is wanted. */
    public void say(String line) {
        if (!output.quiet) {
            err.println(line.stripTrailing());
            err.flush();
        }
    }

    /** Says something that is no result, unless silence is wanted. */
    public void note(String text) {
        if (!output.quiet) {
            err.println("downbeat " + command + ": " + text);
            err.flush();
        }
    }

    /** Says something about our own work, if that is wanted. */
    public void detail(String text) {
        if (verbose) {
            note(text);
        }
    }

    /** Says what went wrong, always. */
    public void error(String text) {
        err.println("downbeat " + command + ": " + Messages.line(text));
        err.flush();
    }
}
