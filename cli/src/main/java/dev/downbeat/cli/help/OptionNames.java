package dev.downbeat.cli.help;

import dev.downbeat.cli.console.Root;
import dev.downbeat.exchange.SimilarNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** The options, without dashes. Those of other commands are created only if need be, which takes a while. */
// Not nested in Defaults: JDK 17 crashes when it takes a lambda of such a nested class from an archive of classes.
final class OptionNames {
    private final CommandLine line;
    private Set<String> ofAll = Set.of();

    OptionNames(CommandLine line) {
        this.line = line;
    }

    CommandLine line() {
        return line;
    }

    private static Set<String> of(CommandLine line) {
        return line.getSubcommands().values().stream()
                .flatMap(command -> command.getCommandSpec().optionsMap().keySet().stream())
                .filter(name -> name.startsWith("--"))
                .map(name -> name.substring(2))
                .collect(Collectors.toSet());
    }

    boolean contains(String name) {
        if (of(line).contains(name)) {
            return true;
        }
        if (ofAll.isEmpty()) {
            ofAll = of(Root.of(line.getCommandSpec()).map(Root::another).orElse(line));
        }
        return ofAll.contains(name);
    }

    /** An option of this command that was probably meant, if no command has the name. */
    Optional<String> similar(String name) {
        return SimilarNames.nearest(name, of(line)).filter(meant -> !contains(name));
    }

    Optional<String> removed(String name, List<String> words) {
        return Root.of(line.getCommandSpec()).flatMap(root -> root.removedOption("--" + name, words));
    }
}
