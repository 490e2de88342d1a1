package dev.downbeat.cli.console;

import dev.downbeat.cli.file.LastRuns;
import dev.downbeat.cli.terminal.Colour;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** What a command may ask of the command line that it is a part of. */
public interface Root {
    /** Whether to say more on stderr. */
    boolean isVerbose();

    /** When results are coloured. */
    Colour colour();

    /** Another command line like this one, to be used once. */
    CommandLine another();

    /** The newest runs of the user; empty if none is kept. */
    Optional<LastRuns> lastRuns();

    /** That of a command; empty if it stands alone. */
    static Optional<Root> of(CommandSpec spec) {
        return spec.root().userObject() instanceof Root root ? Optional.of(root) : Optional.empty();
    }

    /** The runs that a command may show. */
    static LastRuns lastRuns(CommandSpec spec) {
        return of(spec).flatMap(Root::lastRuns)
                .orElseThrow(() -> new TypeConversionException(
                        "no run is kept: " + LastRuns.VARIABLE + " is off, or HOME is not set"));
    }
}
