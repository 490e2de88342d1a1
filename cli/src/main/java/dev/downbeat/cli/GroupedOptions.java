package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Lists the options of each named mixin under its name. picocli's own groups would do so too, but they begin anew each
 * time an option of theirs is repeated, and lose what was said before.
 */
final class GroupedOptions {
    private static final String STANDARD = "mixinStandardHelpOptions";

    private GroupedOptions() {}

    static void install(Collection<CommandLine> commands) {
        for (CommandLine command : commands) {
            // Looking for variables in each text, again and again, took nearly half of a help. Only what is shown can
            // have some.
            command.setInterpolateVariables(false);
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, GroupedOptions::render);
        }
    }

    private static String render(Help help) {
        CommandSpec spec = help.commandSpec();
        List<OptionSpec> rest = new ArrayList<>(spec.options());
        StringBuilder groups = new StringBuilder();
        // reckoned for all options, so that the columns of all groups stand below each other, and once: it takes long
        Help.Column[] columns = help.createDefaultLayout(spec.options(), List.of(), help.colorScheme())
                .textTable()
                .columns();
        Map<String, CommandSpec> mixins = groups(spec);
        mixins.values()
                .forEach(mixin ->
                        rest.removeIf(option -> mixin.options().stream().anyMatch(other -> isSame(option, other))));
        spec.interpolateVariables(true);
        for (Map.Entry<String, CommandSpec> mixin : mixins.entrySet()) {
            List<OptionSpec> options = mixin.getValue().options();
            groups.append(PlanText.format("%n%s:%n", mixin.getKey())).append(list(help, columns, options));
        }
        return list(help, columns, rest) + groups;
    }

    /** A mixin that is made of others has no name for readers: theirs count. */
    private static Map<String, CommandSpec> groups(CommandSpec spec) {
        Map<String, CommandSpec> groups = new LinkedHashMap<>();
        for (Map.Entry<String, CommandSpec> mixin : spec.mixins().entrySet()) {
            if (!mixin.getValue().mixins().isEmpty()) {
                groups.putAll(groups(mixin.getValue()));
            } else if (!mixin.getKey().equals(STANDARD)) {
                groups.put(mixin.getKey(), mixin.getValue());
            }
        }
        return groups;
    }

    private static boolean isSame(OptionSpec one, OptionSpec other) {
        return one.longestName().equals(other.longestName());
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
