package dev.downbeat.cli.help;

import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        header = "Prints a completion script for bash, zsh or fish.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat completion [SHELL]",
        footer = {"", "bash, zsh:  source <(downbeat completion)", "fish:       downbeat completion fish | source"})
public final class Completion implements Callable<Integer> {
    enum ForShell {
        BASH,
        ZSH,
        FISH
    }

    static final class Shells implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return Stream.of(ForShell.values())
                    .map(shell -> shell.name().toLowerCase(Locale.ROOT))
                    .iterator();
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "SHELL",
            completionCandidates = Shells.class,
            description = "bash (default), zsh or fish.")
    ForShell shell = ForShell.BASH;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        root.setInterpolateVariables(true); // resolves the names of help and version; off for speed
        // picocli's script serves both shells, by bashcompinit
        String script = shell == ForShell.FISH ? fish(root) : bash(root);
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
        return ExitCode.MET;
    }

    /** picocli names the variable of an option's candidates by its label, which several options may share. */
    private static String bash(CommandLine root) {
        for (CommandLine command : root.getSubcommands().values()) {
            CommandSpec all = command.getCommandSpec();
            for (OptionSpec option : List.copyOf(all.options())) {
                if (option.completionCandidates() != null) {
                    all.remove(option);
                    all.addOption(
                            option.toBuilder().paramLabel(option.longestName()).build());
                }
            }
        }
        return AutoComplete.bash("downbeat", root);
    }

    private static String fish(CommandLine root) {
        StringBuilder script = new StringBuilder("complete -c downbeat -n __fish_use_subcommand -f\n");
        for (Map.Entry<String, CommandLine> each : root.getSubcommands().entrySet()) {
            CommandSpec command = each.getValue().getCommandSpec();
            script.append("complete -c downbeat -n __fish_use_subcommand -f -a ")
                    .append(each.getKey())
                    .append(described(String.join(" ", command.usageMessage().header())));
            for (OptionSpec option : command.options()) {
                if (!option.hidden()) {
                    script.append("complete -c downbeat -n '__fish_seen_subcommand_from ")
                            .append(each.getKey())
                            .append("'")
                            .append(option(option));
                }
            }
        }
        return script.toString();
    }

    private static String option(OptionSpec option) {
        StringBuilder words = new StringBuilder();
        for (String name : option.names()) {
            words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            words.append(isFile(option.paramLabel()) ? " -r" : " -r -f"); // fish offers files by default
            if (option.completionCandidates() != null) {
                words.append(" -a '")
                        .append(String.join(" ", option.completionCandidates()))
                        .append('\'');
            }
        }
        String help = String.join(" ", option.description()).replace("%%", "%");
        return words + described(help.split("[.:;] ", 2)[0]);
    }

    private static boolean isFile(String label) {
        return Stream.of("FILE", "FOLDER", "PATH", "BASELINE").anyMatch(label::contains);
    }

    private static String described(String words) {
        return " -d '" + words.replace("\\", "\\\\").replace("'", "\\'") + "'\n";
    }
}
