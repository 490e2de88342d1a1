package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The words of a command that a file holds. They may say what is measured, and never what is written where. */
final class ForeignWords {
    private static final Set<String> OUTPUT = Set.of("--output", "--json", "--prometheus");

    private ForeignWords() {}

    /**
     * The command's name, the target and the options, but those that say where results go.
     *
     * @param words from the command's name on; one that begins with @ is no file of words
     * @param where they stand, for a message
     */
    static List<String> measuring(List<String> words, String where) {
        CommandLine line = Downbeat.commandLine().setExpandAtFiles(false);
        try {
            ParseResult parsed = line.parseArgs(words.toArray(String[]::new));
            if (!parsed.hasSubcommand() || parsed.subcommand().hasSubcommand()) {
                throw new TypeConversionException(where + " does not say which command made it");
            }
            ParseResult command = parsed.subcommand();
            List<String> measuring =
                    new ArrayList<>(List.of(command.commandSpec().name()));
            command.matchedPositionals().forEach(target -> measuring.addAll(target.originalStringValues()));
            for (OptionSpec option :
                    command.matchedOptions().stream().distinct().toList()) {
                if (!OUTPUT.contains(option.longestName())) {
                    measuring.addAll(PlanWords.words(option));
                }
            }
            return measuring;
        } catch (ParameterException refused) {
            throw new TypeConversionException(where + ": " + Messages.of(refused));
        }
    }
}
