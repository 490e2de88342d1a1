package dev.downbeat.cli.help;

import dev.downbeat.cli.terminal.PlanText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/**
 * Lists options by the names of their mixins. picocli's own groups would start anew when an option is repeated, and
 * lose earlier values. Commands with many options show the most important ones only, unless all are requested.
 */
public final class GroupedOptions {
    static final String ALL = "--help-all";

    private static final String STANDARD = "mixinStandardHelpOptions";
    private static final int FEW = 30;

    /** Replaces picocli's imperatives, since every other option says what it does. */
    private static final ResourceBundle STANDARD_TEXTS = new ListResourceBundle() {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {
                {STANDARD + ".help", "Shows this help and exits."},
                {STANDARD + ".version", "Prints the version and exits."}
            };
        }
    };

    /** Groups after those of the measurement: output, and what most readers skip. */
    private static final List<String> LAST = List.of("Output", "SQS", "JDBC", "Shards");

    private static final Set<String> ESSENTIAL = Set.of(
            "--rate",
            "--duration",
            "--connections",
            "--closed",
            "--method",
            "--header",
            "--data",
            "--slo",
            "--output",
            "--json",
            "--watch",
            "--help");

    /** A command's own options that are rarely needed. */
    private static final Set<String> RARE = Set.of("--show", "--version", "--verbose", "--color", ALL);

    private GroupedOptions() {}

    public static void install(Collection<CommandLine> commands) {
        for (CommandLine command : commands) {
            CommandSpec spec = command.getCommandSpec();
            // Searching every text for variables took nearly half of a help's time. Only displayed texts can contain
            // some.
            command.setInterpolateVariables(false);
            spec.resourceBundle(STANDARD_TEXTS);
            if (hasMany(spec)) {
                spec.addOption(OptionSpec.builder(ALL)
                        .usageHelp(true)
                        .arity("0")
                        .type(boolean.class)
                        .description("Shows all options, by group.")
                        .build());
            }
            command.getHelpSectionMap()
                    .put(
                            UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                            help -> hasMany(spec) && !isAllRequested(spec) ? essential(help) : all(help));
        }
    }

    public static String whole(CommandLine command, Help.Ansi ansi) {
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, GroupedOptions::all);
        return command.getUsageMessage(ansi);
    }

    private static boolean hasMany(CommandSpec spec) {
        return spec.options().stream().filter(option -> !option.hidden()).count() > FEW;
    }

    private static boolean isAllRequested(CommandSpec spec) {
        ParseResult parsed = spec.commandLine().getParseResult();
        return parsed != null && parsed.hasMatchedOption(ALL);
    }

    private static String essential(Help help) {
        CommandSpec spec = help.commandSpec();
        Collection<CommandSpec> groups = groups(spec).values();
        List<OptionSpec> shown = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            boolean own = groups.stream().noneMatch(group -> holds(group, option));
            if (ESSENTIAL.contains(option.longestName()) || (own && !RARE.contains(option.longestName()))) {
                shown.add(option);
            }
        }
        spec.interpolateVariables(true);
        shown.sort((one, other) -> Boolean.compare(one.usageHelp(), other.usageHelp()));
        long count = spec.options().stream().filter(option -> !option.hidden()).count();
        return PlanText.format("%nMost used options:%n")
                + list(help, columns(help), shown)
                + PlanText.format("%nAll %d options, by group:  downbeat help %s%n", count, spec.name());
    }

    private static String all(Help help) {
        CommandSpec spec = help.commandSpec();
        List<OptionSpec> rest = new ArrayList<>(spec.options());
        StringBuilder groups = new StringBuilder();
        Help.Column[] columns = columns(help);
        Map<String, CommandSpec> mixins = groups(spec);
        mixins.values().forEach(mixin -> rest.removeIf(option -> holds(mixin, option)));
        spec.interpolateVariables(true);
        for (Map.Entry<String, CommandSpec> mixin : mixins.entrySet()) {
            List<OptionSpec> options = mixin.getValue().options();
            groups.append(PlanText.format("%n%s:%n", mixin.getKey())).append(list(help, columns, options));
        }
        return list(help, columns, rest) + groups;
    }

    /** The groups by heading. A mixin composed of others has no heading of its own. */
    private static Map<String, CommandSpec> groups(CommandSpec spec) {
        Map<String, CommandSpec> groups = new LinkedHashMap<>();
        for (Map.Entry<String, CommandSpec> mixin : spec.mixins().entrySet()) {
            if (!mixin.getValue().mixins().isEmpty()) {
                groups.putAll(groups(mixin.getValue()));
            } else if (!mixin.getKey().equals(STANDARD)) {
                groups.put(mixin.getKey(), mixin.getValue());
            }
        }
        for (String last : LAST) {
            CommandSpec group = groups.remove(last);
            if (group != null) {
                groups.put(last, group);
            }
        }
        return groups;
    }

    private static boolean holds(CommandSpec group, OptionSpec option) {
        return group.options().stream().anyMatch(other -> other.longestName().equals(option.longestName()));
    }

    /** Computed once for all options, so that the columns of all groups are aligned. */
    private static Help.Column[] columns(Help help) {
        return help.createDefaultLayout(help.commandSpec().options(), List.of(), help.colorScheme())
                .textTable()
                .columns();
    }

    private static String list(Help help, Help.Column[] columns, List<OptionSpec> options) {
        Help.Layout layout = new Help.Layout(
                help.colorScheme(),
                Help.TextTable.forColumns(help.colorScheme(), columns),
                help.createDefaultOptionRenderer(),
                help.createDefaultParameterRenderer());
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout.toString();
    }
}
