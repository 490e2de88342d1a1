package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.SimulationOptions;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.exchange.Secret;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.render.ShellWords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads how a saved file was made. Current files contain the value as JSON; older ones contain arguments, which only
 * this class parses. Output files are not part of it.
 */
public final class SavedArguments {
    private SavedArguments() {}

    /** The measurement of a plan; {@code line} parses arguments of older files. */
    public static Measurement measurement(CommandLine line, Map<String, Object> value, List<String> command) {
        Record read = value.isEmpty() ? parsed(line, command) : value(Map.of("run", value));
        if (read instanceof Measurement measurement) {
            return measurement;
        }
        throw new TypeConversionException("its command is not 'run'");
    }

    /** The value of a saved result, by its command; {@code line} parses arguments of older files. */
    public static Record value(CommandLine line, Map<String, Object> measurement, List<String> command) {
        boolean hasSecrets = measurement.isEmpty()
                ? command.stream().anyMatch(word -> word.contains(Secret.HIDDEN))
                : measurement.toString().contains(Secret.HIDDEN);
        Refusal.when(
                hasSecrets, () -> "contains no secrets: replace *** with yours and run " + ShellWords.line(command));
        EntryPoint.text(measurement).ifPresent(entry -> {
            throw new TypeConversionException("is a run of " + entry + ": "
                    + (command.isEmpty() ? "run it again" : "repeat it with " + ShellWords.line(command)));
        });
        if (!measurement.isEmpty()) {
            return value(measurement);
        }
        Refusal.when(command.isEmpty(), "is a run of code, or of a load without a command line: run its test again");
        Refusal.when(
                !command.get(0).equals("downbeat"),
                () -> "is a run of another tool: repeat it with " + ShellWords.line(command));
        return parsed(line, command.subList(1, command.size()));
    }

    private static Record value(Map<String, Object> measurement) {
        for (Map.Entry<String, Object> of : measurement.entrySet()) {
            if (of.getValue() instanceof Map<?, ?> tree && Repeatable.TYPES.containsKey(of.getKey())) {
                return Values.read(Objects.requireNonNull(Repeatable.TYPES.get(of.getKey())), tree);
            }
        }
        throw new TypeConversionException("does not record its command");
    }

    private static Record parsed(CommandLine line, List<String> words) {
        line.setExpandAtFiles(false); // do not expand argument files named by foreign files
        try {
            ParseResult of = line.parseArgs(unescaped(words)).subcommand();
            if (of != null && of.commandSpec().userObject() instanceof Repeatable<?> command) {
                return command.value();
            }
        } catch (ParameterException wrong) {
            throw new TypeConversionException(Messages.of(wrong));
        }
        throw new TypeConversionException("does not record its command");
    }

    /** Older files escape {@code @FILE} as {@code @@FILE}, so that picocli does not expand it. */
    private static String[] unescaped(List<String> words) {
        String[] plain = words.toArray(String[]::new);
        for (int i = 1; i < plain.length; i++) {
            if (plain[i - 1].equals("--data") && plain[i].startsWith("@@")) {
                plain[i] = plain[i].substring(1);
            }
        }
        return plain;
    }

    /** What was measured, without secrets: as a command line, and as a JSON tree. */
    public record Origin(List<String> command, Map<String, Object> measurement) {
        public static Origin of(String command, Record value, String... more) {
            List<String> words = new ArrayList<>(List.of("downbeat", command));
            words.addAll(Values.redacted(value));
            words.addAll(List.of(more));
            return new Origin(List.copyOf(words), Map.of(command, Values.redactedTree(value)));
        }

        /** A copy with digests of the files that the requests come from, by path. */
        public Origin withFiles(Map<String, String> digests) {
            Map<String, Object> whole = new LinkedHashMap<>(measurement);
            if (!digests.isEmpty()) {
                whole.put(RunReport.FILES, digests);
            }
            return new Origin(command, whole);
        }

        /** Files of the measurement whose contents are no longer those of the saved run, in order. */
        public List<String> changedFiles(Measurement value) throws IOException {
            Map<String, String> saved = RunReport.files(measurement);
            return saved.isEmpty() ? List.of() : FileDigests.changed(saved, FileDigests.of(value));
        }
    }

    /** A command that can repeat what a saved file describes. */
    public interface Repeatable<R extends Record> {
        /** The record that each command is configured by. */
        Map<String, Class<? extends Record>> TYPES =
                Map.of("run", Measurement.class, "simulate", SimulationOptions.class, "sweep", Sweep.class);

        /** Makes the value the default of all options. */
        void repeat(R value);

        R value();
    }
}
