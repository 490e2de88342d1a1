package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said when something goes wrong: a line, perhaps what was meant, and where to read on. Never a stack trace. */
public final class Errors {
    private static final int MOST_SUGGESTIONS = 3;

    private Errors() {}

    /** A command line that cannot be understood. */
    public static int usage(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        List<String> suggestions = wrong instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().limit(MOST_SUGGESTIONS).toList()
                : List.of();
        return usage(command, message(wrong, command), suggestions);
    }

    private static String message(ParameterException wrong, CommandLine command) {
        if (wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && hasCommands(command)) {
            String word = unmatched.getUnmatched().isEmpty()
                    ? ""
                    : unmatched.getUnmatched().get(0);
            return Messages.line("unknown command '" + word + "' (known: "
                    + String.join(", ", command.getSubcommands().keySet()) + ")");
        }
        String message =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched(unmatched) : Messages.of(wrong);
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    /** Names options only: a word that nobody asked for may be the value of one that was misspelt, and a secret. */
    private static String unmatched(UnmatchedArgumentException unmatched) {
        List<String> options = unmatched.getUnmatched().stream()
                .filter(word -> word.startsWith("-"))
                .map(word -> word.startsWith("--")
                        ? word.split("[=:]", 2)[0]
                        : word.substring(0, Math.min(2, word.length())))
                .toList();
        String rest = options.isEmpty() ? "a word too many" : "unknown option: " + String.join(", ", options);
        return Messages.line(
                rest + (options.isEmpty() ? " on the command line: is an option's name or a quote missing?" : ""));
    }

    private static boolean hasCommands(CommandLine command) {
        return !command.getSubcommands().isEmpty();
    }

    private static int usage(CommandLine command, String message, List<String> suggestions) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + message);
        if (!suggestions.isEmpty()) {
            err.println("did you mean " + String.join(" or ", suggestions) + "?");
        }
        err.println("see '" + name + " --help'");
        err.flush();
        return ExitCode.USAGE;
    }

    /** A command that could not do its work. */
    public static int thrown(Exception thrown, CommandLine command, ParseResult parsed) {
        if (thrown instanceof TypeConversionException contradiction) {
            return usage(command, Messages.of(contradiction), List.of());
        }
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        boolean expected = thrown instanceof IOException;
        err.println(name + ": " + (expected ? "" : thrown.getClass().getName() + ": ") + Messages.of(thrown));
        if (Root.of(command.getCommandSpec()).stream().anyMatch(Root::isVerbose)) {
            thrown.printStackTrace(err);
        }
        err.flush();
        return ExitCode.NOTHING;
    }

    /** What a command says that has no result at all. */
    public static IOException nothing(IOException thrown) {
        return new IOException("nothing could be measured: " + Messages.of(thrown), thrown);
    }
}
