package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.ErrorLines;
import dev.downbeat.cli.help.GroupedOptions;
import dev.downbeat.verdict.ExitCode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "help",
        header = "Shows all options of a command, by group.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat help [COMMAND]")
public final class HelpCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "A command. Default: lists all commands.")
    @Nullable
    String command;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        CommandLine shown = command == null ? root : root.getSubcommands().get(command);
        if (shown == null) {
            throw new TypeConversionException("unknown command '" + command + "'"
                    + ErrorLines.Suggestions.orAll(
                            String.valueOf(command), root.getSubcommands().keySet()));
        }
        boolean coloured = Console.of(spec, new OutputOptions()).colour();
        CommandLine.Help.Ansi ansi = coloured ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
        String text = command == null ? root.getUsageMessage(ansi) : GroupedOptions.whole(shown, ansi);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return ExitCode.MET;
    }
}
