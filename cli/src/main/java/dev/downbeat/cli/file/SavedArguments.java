package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.exchange.Secret;
import dev.downbeat.report.paper.ShellWords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * What a file that was saved says of what made it. Files of today keep the value; those of before keep the words, which are
 * read here, as a command line is, and only here. Where results went then is no part of it.
 */
public final class SavedArguments {
    private SavedArguments() {}

    /**
     * The measurement of a plan.
     *
     * @param line reads words of before
     */
    public static Measurement measurement(CommandLine line, Map<String, Object> value, List<String> command) {
        Record read = value.isEmpty() ? parsed(line, command) : value(Map.of("run", value));
        if (read instanceof Measurement measurement) {
            return measurement;
        }
        throw new TypeConversionException("its command is not 'run'");
    }

    /**
     * What a result says of itself: by the name of its command the value, and words if it is of before.
     *
     * @param line reads words of before
     */
    public static Record value(CommandLine line, Map<String, Object> measurement, List<String> command) {
        boolean hasSecrets = measurement.isEmpty()
                ? command.stream().anyMatch(word -> word.contains(Secret.HIDDEN))
                : measurement.toString().contains(Secret.HIDDEN);
        if (hasSecrets) {
            throw new TypeConversionException(
                    "keeps no secrets: put yours in place of *** and run " + ShellWords.line(command));
        }
        if (!measurement.isEmpty()) {
            return value(measurement);
        }
        if (command.isEmpty()) {
            throw new TypeConversionException(
                    "is of code, or of a load that no command line says: run the test again that saved it");
        }
        if (!command.get(0).equals("downbeat")) {
            throw new TypeConversionException("is of another tool: repeat it by " + ShellWords.line(command));
        }
        return parsed(line, command.subList(1, command.size()));
    }

    private static Record value(Map<String, Object> measurement) {
        for (Map.Entry<String, Object> of : measurement.entrySet()) {
            if (of.getValue() instanceof Map<?, ?> tree && Repeatable.TYPES.containsKey(of.getKey())) {
                return Values.read(Objects.requireNonNull(Repeatable.TYPES.get(of.getKey())), tree);
            }
        }
        throw new TypeConversionException("does not say which command made it");
    }

    private static Record parsed(CommandLine line, List<String> words) {
        line.setExpandAtFiles(false); // a foreign word names no file of words
        try {
            ParseResult of = line.parseArgs(unescaped(words)).subcommand();
            if (of != null && of.commandSpec().userObject() instanceof Repeatable<?> command) {
                return command.value();
            }
        } catch (ParameterException wrong) {
            throw new TypeConversionException(Messages.of(wrong));
        }
        throw new TypeConversionException("does not say which command made it");
    }

    /** A body from a file was kept as {@code @@FILE}, lest it were taken for a file of words. */
    private static String[] unescaped(List<String> words) {
        String[] plain = words.toArray(String[]::new);
        for (int i = 1; i < plain.length; i++) {
            if (plain[i - 1].equals("--data") && plain[i].startsWith("@@")) {
                plain[i] = plain[i].substring(1);
            }
        }
        return plain;
    }
}
