package dev.downbeat.cli.help;

import dev.downbeat.cli.terminal.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's help as a manual page for {@code man}. */
public final class ManPage {
    private final CommandSpec spec;
    private final StringBuilder page = new StringBuilder();

    public ManPage(CommandSpec spec) {
        this.spec = spec;
    }

    public String text() {
        spec.interpolateVariables(true); // resolves the names of help and version; off for speed
        String name = spec.qualifiedName("-");
        page.setLength(0);
        line(".TH \"" + name.toUpperCase(java.util.Locale.ROOT) + "\" \"1\" \"\" \"Downbeat " + Version.text() + "\"");
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
                                each.getValue().getCommandSpec().usageMessage().header()));
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
