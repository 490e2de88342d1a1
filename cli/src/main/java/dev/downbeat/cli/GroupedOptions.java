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
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, GroupedOptions::render);
        }
    }

    private static String render(Help help) {
        CommandSpec spec = help.commandSpec();
        List<OptionSpec> rest = new ArrayList<>(spec.options());
        StringBuilder groups = new StringBuilder();
        for (Map.Entry<String, CommandSpec> mixin : groups(spec).entrySet()) {
            List<OptionSpec> options = mixin.getValue().options();
            rest.removeIf(option -> options.stream().anyMatch(other -> isSame(option, other)));
            groups.append(PlanText.format("%n%s:%n", mixin.getKey())).append(list(help, options));
        }
        return list(help, rest) + groups;
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

    private static String list(Help help, List<OptionSpec> options) {
        // made for all options, so that the columns of all groups stand below each other
        Help.Layout layout = help.createDefaultLayout(help.commandSpec().options(), List.of(), help.colorScheme());
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout.toString();
    }
}
