package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.exchange.SimilarNames;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Formats errors: one line, possibly a suggestion, and where to read on. Never a stack trace, except with {@code -v} for an
 * exception that nobody expected.
 */
public final class ErrorLines {
    /** Units, which are words of their own if a value contains a blank; no secret looks like them. */
    private static final Set<String> UNITS =
            Set.of("ns", "us", "ms", "s", "sec", "m", "min", "h", "k", "M", "%", "/s", "/min", "/h", "kB", "MB");

    /** The beginning of the last line of a refusal. */
    public static final String SEE = "see ";

    private static final int MOST_SUGGESTIONS = 3;

    private ErrorLines() {}

    /** Reports an invalid command line; returns the exit code. */
    public static int usage(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        List<String> suggestions = wrong instanceof UnmatchedArgumentException unmatched
                ? suggestions(unmatched).stream().limit(MOST_SUGGESTIONS).toList()
                : List.of();
        return usage(command, message(wrong, command, args), suggestions);
    }

    private static List<String> suggestions(UnmatchedArgumentException unmatched) {
        if (unmatched.getUnmatched().isEmpty()) {
            return List.of();
        }
        CommandLine command = unmatched.getCommandLine();
        String word = unmatched.getUnmatched().get(0);
        boolean isCommand = !unmatched.isUnknownOption() && hasCommands(command);
        if (isCommand) {
            return Suggestions.of(word, command.getSubcommands().keySet());
        }
        List<String> near = word.startsWith("--")
                ? Suggestions.of(
                        word.split("[=:]", 2)[0],
                        command.getCommandSpec().optionsMap().keySet())
                : List.of();
        return near.isEmpty() ? unmatched.getSuggestions() : near;
    }

    private static String message(ParameterException wrong, CommandLine command, String[] args) {
        if (wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && hasCommands(command)) {
            String word = unmatched.getUnmatched().isEmpty()
                    ? ""
                    : unmatched.getUnmatched().get(0);
            Set<String> known = command.getSubcommands().keySet();
            return Messages.line("unknown command '" + word + "'"
                    + (Suggestions.of(word, known).isEmpty() ? Suggestions.list(known) : ""));
        }
        if (wrong instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            ArgSpec value = missing.getMissing().get(0);
            if (value instanceof OptionSpec option) {
                return option.longestName() + " needs a value: " + option.longestName() + " " + option.paramLabel();
            }
            String[] synopsis = command.getCommandSpec().usageMessage().customSynopsis();
            return value.paramLabel() + " is missing"
                    + (synopsis.length == 0 ? "" : ": " + synopsis[0].replace("%%", "%"));
        }
        if (wrong.getArgSpec() instanceof OptionSpec flag && flag.arity().max() == 0) {
            return command.getCommandSpec().optionsMap().entrySet().stream() // its own names of --help are unresolved
                            .filter(one -> one.getValue() == flag)
                            .map(Map.Entry::getKey)
                            .max(Comparator.comparingInt(String::length))
                            .orElseThrow()
                    + " takes no value";
        }
        ArgSpec choice = wrong.getArgSpec();
        if (choice != null && choice.type().isEnum() && choice.converters().length == 0 && wrong.getValue() != null) {
            return (choice instanceof OptionSpec option ? option.longestName() : choice.paramLabel())
                    + " must be one of " + words(choice.type()) + ", but was '" + wrong.getValue() + "'";
        }
        String message =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched(unmatched, args) : Messages.of(wrong);
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    /** Names options only. An unexpected word may be the value of a misspelt option, and a secret. */
    private static String unmatched(UnmatchedArgumentException unmatched, String[] args) {
        if (unmatched.getUnmatched().isEmpty()) { // picocli's sign of a value that looks like an option
            return likeAnOption(unmatched.getCommandLine().getCommandSpec().optionsMap(), args);
        }
        List<String> options = unmatched.getUnmatched().stream()
                .filter(word -> word.startsWith("-"))
                .map(word -> word.startsWith("--")
                        ? word.split("[=:]", 2)[0]
                        : word.substring(0, Math.min(2, word.length())))
                .toList();
        Optional<String> unit =
                unmatched.getUnmatched().stream().filter(UNITS::contains).findFirst();
        if (options.isEmpty() && unit.isPresent()) {
            return "'" + unit.get() + "' is a separate word: write value and unit without a space, such as 10"
                    + unit.get();
        }
        String rest = options.isEmpty() ? "unexpected argument" : "unknown option: " + String.join(", ", options);
        return Messages.line(rest + (options.isEmpty() ? ": is an option name or a quote missing?" : ""));
    }

    private static String likeAnOption(Map<String, OptionSpec> options, String[] args) {
        for (int i = 0; i + 1 < args.length; i++) {
            OptionSpec option = options.get(args[i]);
            String value = args[i + 1];
            if (option != null && option.arity().min() > 0 && value.startsWith("-") && !options.containsKey(value)) {
                String name = option.longestName();
                return value.matches("-[0-9]*\\.?[0-9]+[a-z%]*") // but not a name such as -5.html
                        ? Messages.line(name + " takes no negative value, but was '" + value + "'")
                        : "write a value that begins with '-' after '=': " + name + "=-x";
            }
        }
        return "write a value that begins with '-' after '='";
    }

    private static String words(Class<?> choices) {
        return Arrays.stream(choices.getEnumConstants())
                .map(choice -> choice.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
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
        err.println(SEE + "'" + name + " --help'");
        err.flush();
        return ExitCode.USAGE;
    }

    /** Reports a command's failure; returns the exit code. */
    public static int thrown(Exception thrown, CommandLine command, ParseResult parsed) {
        if (thrown instanceof TypeConversionException contradiction) {
            return usage(command, Messages.of(contradiction), List.of());
        }
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        boolean expected = thrown instanceof IOException;
        err.println(name + ": " + (expected ? "" : thrown.getClass().getName() + ": ") + Messages.of(thrown));
        if (!expected && Root.of(command.getCommandSpec()).stream().anyMatch(Root::isVerbose)) {
            thrown.printStackTrace(err);
        }
        err.flush();
        return ExitCode.NOTHING;
    }

    /** Suggests corrections for misspelt words: known words at an edit distance of at most two. */
    public static final class Suggestions {
        private static final int MOST_TYPOS = 2;

        private static final Map<String, String> ELSEWHERE = Map.of(
                "--no-color", "--color never",
                "--no-colour", "--color never",
                "--colour", "--color",
                "version", "--version",
                "bench", "run",
                "test", "run",
                "load", "run",
                "man", "help");

        private Suggestions() {}

        /** Suggestions, nearest first; empty if none is near. */
        public static List<String> of(String word, Collection<String> known) {
            if (ELSEWHERE.containsKey(word)) {
                return List.of(ELSEWHERE.get(word));
            }
            int most = Math.min(MOST_TYPOS, word.length() / 2);
            return known.stream()
                    .filter(one -> SimilarNames.typos(word, one) <= most)
                    .sorted(Comparator.comparingInt(one -> SimilarNames.typos(word, one)))
                    .toList();
        }

        /** The end of a refusal: the nearest word, or all if none is near. */
        public static String orAll(String word, Collection<String> known) {
            return of(word, known).stream()
                    .findFirst()
                    .map(near -> "; did you mean " + near + "?")
                    .orElseGet(() -> list(known));
        }

        private static String list(Collection<String> known) {
            return " (known: " + String.join(", ", known) + ")";
        }
    }
}
