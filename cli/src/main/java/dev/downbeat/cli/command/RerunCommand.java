package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.MachineAccess;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.file.SavedArguments;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.file.SavedArguments.Repeatable;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.help.ArgFiles;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.report.render.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "rerun",
        header = "Repeats a saved run with the same seed.",
        customSynopsis = "downbeat rerun FILE [OPTION...]",
        footer = {
            "",
            "Files of the first run are not written again; name new ones, as in",
            "downbeat rerun a.downbeat -o b.downbeat"
        },
        exitCodeList = {
            "  2:the file cannot be read, or its command cannot be repeated",
            "   :otherwise those of the command"
        })
public final class RerunCommand extends AnyCommand {
    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A run that was saved with -o NAME.downbeat or NAME.json.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Path file;

    @Parameters(index = "1..*", paramLabel = "OPTION", description = "More options for the command.")
    List<String> more = new ArrayList<>();

    @Option(names = Permission.ALLOW_EXEC, description = Permission.ALLOW_EXEC_HELP)
    private boolean allowExec;

    @Option(names = Permission.ALLOW_ENV, description = Permission.ALLOW_ENV_HELP)
    private boolean allowEnv;

    @Override
    public Integer call() {
        Origin origin = SavedFile.origin(file);
        Record value;
        try {
            value = SavedArguments.value(another(), origin.measurement(), origin.command());
        } catch (TypeConversionException refused) {
            throw new TypeConversionException(file + " " + Messages.of(refused));
        }
        CommandLine line = another();
        line.setOut(spec.commandLine().getOut());
        line.setErr(spec.commandLine().getErr());
        String name = Repeatable.TYPES.entrySet().stream()
                .filter(type -> type.getValue() == value.getClass())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        return repeat(name, value, origin, line);
    }

    /**
     * The arguments of the repeated command, without the permissions, which are for the saved file; a leading {@code --}
     * is accepted for compatibility.
     */
    public List<String> words(String name) {
        List<String> words = new ArrayList<>(more);
        words.remove("--");
        words.removeIf(Permission.OPTIONS::contains);
        words.add(0, name);
        return words;
    }

    private Permission permission() {
        return Permission.of(
                allowExec || more.contains(Permission.ALLOW_EXEC), allowEnv || more.contains(Permission.ALLOW_ENV));
    }

    private CommandLine another() {
        return Root.of(spec).orElseThrow().another();
    }

    /**
     * Refuses what must not or cannot be repeated.
     *
     * @param saved the measurement of the file
     * @param value the measurement to be made, with the options after the file
     */
    private void check(ParseResult repeated, Record saved, Record value) {
        List<OutputFile> files = repeated.matchedOptionValue("--output", List.of());
        try {
            OutputOptions.of(false, false, files).refuseOver(() -> List.of(SavedFile.found(file)));
            List<Path> missing = missing(value);
            if (missing.isEmpty() || MachineAccess.startsCode(saved)) { // the files would be read
                MachineAccess.check(file, saved, permission());
            }
            missing.forEach(this::refuse);
        } catch (TypeConversionException | IOException refused) {
            throw new ParameterException(spec.commandLine(), Messages.of(refused), refused);
        }
    }

    private static List<Path> missing(Record value) {
        List<Path> given = value instanceof Measurement measurement
                ? measurement.givenFiles()
                : value instanceof Sweep search ? search.asking().givenFiles(search.target()) : List.of();
        return given.stream().filter(needed -> !Files.exists(needed)).toList();
    }

    private void refuse(Path missing) {
        throw new TypeConversionException(file + " needs " + missing + ", which does not exist"
                + (missing.isAbsolute() ? "" : " here: its paths are relative to the folder of the first run"));
    }

    private int repeat(String name, Record saved, Origin origin, CommandLine line) {
        @SuppressWarnings("unchecked") // the command of this name
        Repeatable<Record> command = (Repeatable<Record>)
                Objects.requireNonNull(line.getSubcommands().get(name)).getCommand();
        command.repeat(saved);
        line.setExecutionStrategy(parsed -> {
            Record value = command.value();
            check(parsed.subcommand(), saved, value);
            if (!parsed.subcommand().hasMatchedOption("--quiet")) {
                note(ShellWords.line(Origin.of(name, value).command()), line);
                noteChanges(origin, value, line);
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        return line.execute(ArgFiles.escapeBodies(words(name).toArray(String[]::new)));
    }

    private void noteChanges(Origin origin, Record value, CommandLine line) {
        List<String> changed = value instanceof Measurement measurement
                ? Refusal.wrap(() -> origin.changedFiles(measurement))
                : List.of();
        if (!changed.isEmpty()) {
            note(String.join(", ", changed) + " changed since " + file + " was saved: the requests differ", line);
        }
    }

    private static void note(String text, CommandLine line) {
        line.getErr().println("downbeat rerun: " + text);
        line.getErr().flush();
    }
}
