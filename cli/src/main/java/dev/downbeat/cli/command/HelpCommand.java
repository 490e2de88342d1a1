package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.help.GroupedOptions;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code help}: everything about one command. */
@Command(
        name = "help",
        header = "Shows all options of a command, by group.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat help [COMMAND]",
        footer = {"", "As a manual page:  downbeat help run --man | man -l -"})
public final class HelpCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "COMMAND",
            description = "Such as run. Default: all commands, a line each.")
    @Nullable
    String command;

    @Option(names = "--man", description = "As a manual page (roff).")
    boolean man;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        CommandLine shown = command == null ? root : root.getSubcommands().get(command);
        if (shown == null) {
            List<String> meant = Errors.Suggestions.of(
                    String.valueOf(command), root.getSubcommands().keySet());
            throw new TypeConversionException("unknown command '" + command + "' (known: "
                    + String.join(", ", root.getSubcommands().keySet()) + ")"
                    + (meant.isEmpty() ? "" : "; did you mean " + meant.get(0) + "?"));
        }
        boolean coloured = Console.of(spec, new OutputOptions()).colour();
        CommandLine.Help.Ansi ansi = coloured ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
        String text = man
                ? new ManPage(shown.getCommandSpec()).text()
                : command == null ? root.getUsageMessage(ansi) : GroupedOptions.whole(shown, ansi);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return ExitCode.MET;
    }

    /** A command's help as a manual page for {@code man}. */
    private static final class ManPage {
        private final CommandSpec spec;
        private final StringBuilder page = new StringBuilder();

        public ManPage(CommandSpec spec) {
            this.spec = spec;
        }

        public String text() {
            spec.interpolateVariables(true); // resolves the names of help and version; off for speed
            String name = spec.qualifiedName("-");
            page.setLength(0);
            line(".TH \"" + name.toUpperCase(java.util.Locale.ROOT) + "\" \"1\" \"\" \"Downbeat " + Version.text()
                    + "\"");
            line(".nh"); // words of a command line are never hyphenated
            section("NAME");
            line(escaped(name + " - " + String.join(" ", spec.usageMessage().header())));
            section("SYNOPSIS");
            line(".nf");
            String[] synopsis = spec.usageMessage().customSynopsis();
            for (String each : synopsis.length == 0 ? new String[] {"downbeat COMMAND [OPTION...]"} : synopsis) {
                line(escaped(each));
            }
            line(".fi");
            commands();
            places();
            options();
            if (!spec.usageMessage().exitCodeList().isEmpty()) {
                section("EXIT STATUS");
                spec.usageMessage().exitCodeList().forEach((code, meaning) -> entry(code.strip(), meaning));
            }
            section("ENVIRONMENT");
            entry("DOWNBEAT_NAME", "A value for the option --name, where the command line does not give it.");
            section("FILES");
            entry("~/.config/downbeat/options", "The same in a file: name = value, a line each.");
            return page.toString();
        }

        private void commands() {
            if (!spec.subcommands().isEmpty()) {
                section("COMMANDS");
                for (Map.Entry<String, CommandLine> each : spec.subcommands().entrySet()) {
                    entry(
                            each.getKey(),
                            String.join(
                                    " ",
                                    each.getValue()
                                            .getCommandSpec()
                                            .usageMessage()
                                            .header()));
                }
            }
        }

        private void places() {
            if (!spec.positionalParameters().isEmpty()) {
                section("ARGUMENTS");
                for (PositionalParamSpec place : spec.positionalParameters()) {
                    entry(place.paramLabel(), words(place));
                }
            }
        }

        private void options() {
            List<OptionSpec> rest = new ArrayList<>(spec.options());
            Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
            GroupedOptions.groups(spec).forEach((name, group) -> {
                rest.removeIf(option -> GroupedOptions.holds(group, option));
                groups.put(name, group.options());
            });
            section("OPTIONS");
            rest.forEach(this::option);
            groups.forEach((name, options) -> {
                line(".SS \"" + name + "\"");
                options.forEach(this::option);
            });
        }

        private void option(OptionSpec option) {
            if (!option.hidden()) {
                String label = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
                entry(String.join(", ", option.names()) + label, words(option));
            }
        }

        private static String words(ArgSpec arg) {
            return String.join(" ", arg.description()).replace("%%", "%");
        }

        private void section(String title) {
            line(".SH \"" + title + "\"");
        }

        private void entry(String head, String words) {
            line(".TP");
            line("\\fB" + escaped(head) + "\\fR");
            line(escaped(words));
        }

        /** A line that starts with a dot or an apostrophe would be a request to troff. */
        private static String escaped(String text) {
            String plain = text.replace("\\", "\\e").replace("-", "\\-");
            return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
        }

        private void line(String text) {
            page.append(text).append('\n');
        }
    }
}
