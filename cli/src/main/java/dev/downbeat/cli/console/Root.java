package dev.downbeat.cli.console;

import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** The root command's services for its subcommands. */
public interface Root {
    /** Whether to print more to stderr. */
    boolean isVerbose();

    Terminal.Colour colour();

    /** A fresh command line like this one, for one use. */
    CommandLine another();

    /** The answer for an option of an earlier version in this command line; empty for other options. */
    Optional<String> removedOption(String option, List<String> words);

    /** The user's latest runs; empty if none are kept. */
    Optional<LastRuns> lastRuns();

    /** The root of a command; empty if the command is used alone. */
    static Optional<Root> of(CommandSpec spec) {
        return spec.root().userObject() instanceof Root root ? Optional.of(root) : Optional.empty();
    }

    static LastRuns lastRuns(CommandSpec spec) {
        return of(spec).flatMap(Root::lastRuns)
                .orElseThrow(() -> new TypeConversionException(
                        "no run is kept: " + LastRuns.VARIABLE + " is off, or HOME is not set"));
    }
}
