package dev.downbeat.cli.console;

import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.OutputFile.Kind;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.render.Lines;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Renderer.TerminalStyle;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err everything else
 * @param terminal what both are connected to
 * @param colour whether results are coloured
 * @param verbose whether to print more
 * @param output the user's output options
 * @param command name of the command
 * @param lastRuns where unsaved runs are kept; empty for none
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
    /** The console of a command as it was called. */
    public static Console of(CommandSpec spec, OutputOptions output) {
        Terminal terminal = Terminal.detect();
        Optional<Root> root = Root.of(spec);
        return new Console(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                terminal,
                root.map(Root::colour).orElse(Terminal.Colour.AUTO).isOn(System.getenv(), terminal.isStdout()),
                root.stream().anyMatch(Root::isVerbose),
                output,
                spec.name(),
                root.flatMap(Root::lastRuns));
    }

    /** The command line as it was called; for commands whose arguments hold no secrets. */
    public static List<String> words(CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of("downbeat"));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return words;
    }

    /** Writes a run's report to stdout; false, with a message, on failure. */
    public boolean show(RunReport report) {
        return show(new RunView(report));
    }

    /** Writes a result of any kind to stdout; false, with a message, on failure. */
    public boolean show(View view) {
        try {
            if (output.json) {
                Renderer.JSON.write(view, out);
            } else {
                new TerminalStyle(colour, verbose, columns()).write(view, out);
            }
        } catch (IOException broken) {
            error("stdout: " + Messages.of(broken));
            return false;
        }
        if (out.checkError() || System.out.checkError()) { // a writer does not report errors of its stream
            error("cannot write to stdout");
            return false;
        }
        return true;
    }

    public int columns() {
        return terminal.isStdout() ? Terminal.Width.now(terminal).columns() : Lines.WIDTH;
    }

    interface Writing {
        void write() throws IOException;
    }

    /** Saves a file; false, with a message, on failure. */
    boolean save(OutputFile file, Writing writing) {
        try {
            writing.write();
            output.saved(file);
            return true;
        } catch (IOException broken) {
            error("-o " + file.name() + " was not written: " + Messages.of(broken));
            return false;
        }
    }

    /**
     * Removes older results where this command saved no new one, so that a build does not read yesterday's. Follows
     * links. Keeps the local file of a failed upload, which may be the only copy.
     */
    public void removeOlder() {
        for (OutputFile file : output.files) {
            try {
                Path place = AtomicFile.place(file.path());
                if (!output.saved.contains(file)
                        && file.object().isEmpty()
                        && Files.isRegularFile(place)
                        && AtomicFile.isRegular(place)
                        && !output.isRead(place)) {
                    Files.delete(place);
                }
            } catch (IOException kept) {
                error("-o " + file.name() + " still holds an older result: " + Messages.of(kept));
            }
        }
    }

    /** Refuses formats that cannot hold the result named {@code what}; {@code more} are those it has besides the usual ones. */
    public void checkFormats(String what, Kind... more) {
        for (OutputFile file : output.files) {
            Refusal.when(
                    file.kind().renderer().isEmpty() && !List.of(more).contains(file.kind()),
                    "-o " + file.name() + ": " + what + " is saved as "
                            + Stream.of(more).map(kind -> kind.ending() + ", ").collect(Collectors.joining())
                            + ".html, .json, .md, .xml or .txt");
        }
    }

    /** Shows and saves a result; false if any part failed. */
    public boolean write(View view) {
        return write(view, out -> {});
    }

    /** The same for a kind of result that has a further format. */
    public boolean write(View view, AtomicFile.Content other) {
        boolean shown = show(view);
        return save(view, other) && shown;
    }

    /** Saves a result in every output file; false if any failed. Failed files keep no older result. */
    public boolean save(View view, AtomicFile.Content other) {
        boolean written = true;
        for (OutputFile file : output.files) {
            Optional<Renderer> renderer = file.kind().renderer();
            written &= save(file, () -> {
                if (renderer.isPresent()) {
                    file.write(out -> renderer.get().write(view, out));
                } else {
                    file.writeBytes(other);
                }
            });
        }
        removeOlder();
        return written;
    }

    /** The same of a run's report. */
    public boolean save(RunReport report) {
        boolean written = true;
        for (OutputFile file : output.files) {
            written &= save(file, () -> file.write(report));
        }
        removeOlder();
        return written;
    }

    /** Shows and saves the sum of shards; returns the exit code: that of a stopped shard if there is one. */
    public int report(RunReport sum) {
        boolean shown = show(sum);
        boolean saved = save(sum);
        return sum.result().isEndedBySignal()
                ? ExitCode.STOPPED
                : ExitCode.afterOutput(sum.analysis().outcome().exitCode(), shown && saved);
    }

    /** Keeps a run for {@code downbeat last}, after it has been saved; returns whether it is kept. */
    public boolean keep(RunReport report) {
        if (lastRuns.isEmpty()) {
            return false;
        }
        Optional<Path> saved =
                output.saved.stream().flatMap(file -> file.run().stream()).findFirst();
        try {
            lastRuns.get().keep(report, saved);
            return true;
        } catch (IOException full) {
            if (lastRuns.get().isAny()) {
                error("'downbeat last' still shows an earlier run: " + Messages.of(full));
            } else {
                detail("the run is not kept for 'downbeat last': " + Messages.of(full));
            }
            return false;
        }
    }

    /** Shows progress until it is closed: in place on a terminal, otherwise as an occasional line. */
    public Painter progress(Supplier<String> line) {
        if (output.quiet) {
            return Painter.none();
        }
        return terminal.isStderr() ? Painter.repainting(err, () -> List.of(line.get())) : Painter.appending(err, line);
    }

    /** Prints a line that is not part of a result, unless {@code --quiet}. */
    public void printLine(String line) {
        if (!output.quiet) {
            err.println(line.stripTrailing());
            err.flush();
        }
    }

    /** Prints a note that is not part of a result, unless {@code --quiet}. */
    public void note(String text) {
        if (!output.quiet) {
            err.println("downbeat " + command + ": " + text);
            err.flush();
        }
    }

    /** Prints a detail of Downbeat's own work, if {@code --verbose}. */
    public void detail(String text) {
        if (verbose) {
            note(text);
        }
    }

    public void error(String text) {
        err.println("downbeat " + command + ": " + Messages.line(text));
        err.flush();
    }

    public static final class OutputOptions {
        @Option(names = "--json", description = "Prints the result to stdout as JSON.")
        public boolean json;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                description = {
                    "Also saves the result; repeatable. The extension",
                    "is the format: .html .json .md .txt .xml (JUnit).",
                    "For a run also .downbeat (all of it) .hlog",
                    ".csv. s3://BUCKET/NAME uploads it."
                })
        public List<OutputFile> files = new ArrayList<>();

        /** Those that hold the result of this command. */
        private final Set<OutputFile> saved = ConcurrentHashMap.newKeySet();

        private final List<Path> read = new ArrayList<>();

        @Option(
                names = {"-q", "--quiet"},
                description = "Prints only errors to stderr.")
        public boolean quiet;

        /** Notes that the file holds the result of this command. Thread-safe. */
        public void saved(OutputFile file) {
            saved.add(file);
        }

        /** Keeps a file that the command reads, even if replacing it fails: it may be the only copy. */
        public void reads(Path file) {
            read.add(file);
        }

        private boolean isRead(Path place) throws IOException {
            for (Path one : read) {
                if (Files.exists(one) && Files.isSameFile(one, place)) {
                    return true;
                }
            }
            return false;
        }

        public boolean isSaved() {
            return saved.containsAll(files);
        }

        /** Refuses to write over a file that the command reads, or to keep a journal there. */
        public void refuseOver(Supplier<List<Path>> read) throws IOException {
            List<Path> all = files.isEmpty() ? List.of() : read.get();
            for (OutputFile file : files) {
                refuseOver(file.name(), List.of(file.path(), file.journal()), all);
            }
        }

        /** The same for another kind of file. */
        public static void refuseOver(String name, List<Path> places, List<Path> read) throws IOException {
            for (Path written : places) {
                for (Path one : read) {
                    Refusal.when(
                            Files.isRegularFile(written) && Files.exists(one) && Files.isSameFile(written, one),
                            "-o " + name + " would overwrite the input file: choose another name");
                }
            }
        }

        /** The options as if given on a command line. */
        public static OutputOptions of(boolean json, boolean quiet, List<OutputFile> files) {
            OutputOptions output = new OutputOptions();
            output.json = json;
            output.quiet = quiet;
            output.files = files;
            return output;
        }

        /** The same options with the shard's number in file names that have a placeholder. */
        public OutputOptions ofShard(int shard) {
            return of(
                    json, quiet, files.stream().map(file -> file.ofShard(shard)).toList());
        }

        /** Refuses files that cannot be written or are named twice. */
        public void check() {
            Set<Path> seen = new HashSet<>();
            for (OutputFile file : files) {
                Refusal.when(
                        !seen.add(file.path().toAbsolutePath().normalize()), "-o " + file.name() + " is given twice");
                file.check();
            }
        }
    }
}
