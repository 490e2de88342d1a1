package dev.downbeat.cli;

import dev.downbeat.exchange.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The same measurement once more. */
@Command(
        name = "rerun",
        header = "Repeats the command of a saved run, with the same seed.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat rerun FILE [-- OPTION...]",
        footer = {
            "",
            "Files of the first run are not written again: say where to, as in",
            "downbeat rerun a.downbeat -- -o b.downbeat"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  2:the file cannot be read, or its command cannot be repeated",
            "   :otherwise those of the command"
        })
final class RerunCommand implements Callable<Integer> {
    private static final Set<String> REPEATABLE = Set.of("run", "simulate");

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A run that was saved with -o NAME.downbeat or NAME.json.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Path file;

    @Parameters(index = "1..*", paramLabel = "OPTION", description = "More options for the command, behind --.")
    List<String> more = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> words = new ArrayList<>(words(SavedFile.command(file)));
        words.addAll(more);
        CommandLine outer = Objects.requireNonNull(spec.root().commandLine());
        outer.getErr().println("downbeat rerun: downbeat " + String.join(" ", Secrets.hide(words)));
        outer.getErr().flush();
        CommandLine line = Downbeat.commandLine();
        line.setOut(spec.commandLine().getOut());
        line.setErr(spec.commandLine().getErr());
        line.setExpandAtFiles(false); // what was typed is expanded already, and what a file says never is
        return line.execute(words.toArray(String[]::new));
    }

    /** Without the files of then, and without the first word, which is our own name. */
    private List<String> words(List<String> command) {
        if (command.size() < 2 || command.stream().noneMatch(REPEATABLE::contains)) {
            throw new TypeConversionException(file + " does not say which command made it");
        }
        if (command.stream().anyMatch(word -> word.contains(Secret.HIDDEN))) {
            throw new TypeConversionException(file + " keeps no secrets, so it cannot repeat a command that had one:"
                    + " " + String.join(" ", command));
        }
        return ForeignWords.measuring(command.subList(1, command.size()), file.toString());
    }
}
