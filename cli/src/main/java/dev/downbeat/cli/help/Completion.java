package dev.downbeat.cli.help;

import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A shell's completion script. */
@Command(
        name = "completion",
        header = "Prints a completion script for bash, zsh or fish.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat completion [SHELL]",
        footer = {"", "bash, zsh:  source <(downbeat completion)", "fish:       downbeat completion fish | source"})
public final class Completion implements Callable<Integer> {
    /** Those that we know. */
    enum ForShell {
        BASH,
        ZSH,
        FISH
    }

    /** As they are said. */
    static final class Shells implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return java.util.stream.Stream.of(ForShell.values())
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
        root.setInterpolateVariables(true); // of the names of help and version; it is off for speed
        // picocli's script is for both, with bashcompinit
        String script = shell == ForShell.FISH ? fish(root) : bash(root);
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
        return ExitCode.MET;
    }

    /** picocli keeps the candidates of an option in a variable that it calls by the label, which several options may share. */
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
            words.append(" -r");
            if (option.completionCandidates() != null) {
                words.append(" -f -a '")
                        .append(String.join(" ", option.completionCandidates()))
                        .append('\'');
            }
        }
        String help = String.join(" ", option.description()).replace("%%", "%");
        return words + described(help.split("[.:;] ", 2)[0]);
    }

    private static String described(String words) {
        return " -d '" + words.replace("\\", "\\\\").replace("'", "\\'") + "'\n";
    }
}
