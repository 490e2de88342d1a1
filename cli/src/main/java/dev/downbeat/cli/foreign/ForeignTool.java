package dev.downbeat.cli.foreign;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How another tool's command line is parsed. {@link ForeignTools} maps its options. */
final class ForeignTool {
    /** The translation of an option. */
    interface Rule {
        void take(ForeignOptions said, String value);
    }

    /** An option that is understood and has no effect here. */
    static final Rule NOTHING = (said, value) -> {};

    private final String name;

    /** Whether long names have a single dash, as in Go. */
    private final boolean hasLongShorts;

    private final Map<String, Rule> flags = new HashMap<>();
    private final Map<String, Rule> options = new HashMap<>();

    private Rule usual = NOTHING;

    ForeignTool(String name, boolean hasLongShorts) {
        this.name = name;
        this.hasLongShorts = hasLongShorts;
    }

    /** Adds a rule for every line that options may override. */
    ForeignTool first(Rule rule) {
        usual = rule;
        return this;
    }

    ForeignTool option(Rule rule, String... names) {
        return put(options, rule, names);
    }

    /** Adds an option without a value. */
    ForeignTool flag(Rule rule, String... names) {
        return put(flags, rule, names);
    }

    private ForeignTool put(Map<String, Rule> rules, Rule rule, String... names) {
        for (String each : names) {
            rules.put(each, rule);
        }
        return this;
    }

    /** Parses a command line without the tool's name. */
    ForeignOptions read(List<String> given) {
        ForeignOptions said = new ForeignOptions(name);
        usual.take(said, "");
        Deque<String> left = new ArrayDeque<>(given);
        while (!left.isEmpty()) {
            String word = left.remove();
            if (word.startsWith("-") && !word.equals("-")) {
                option(word, left, said);
            } else {
                said.positional(word);
            }
        }
        return said;
    }

    private void option(String word, Deque<String> left, ForeignOptions said) {
        int equals = word.indexOf('=');
        String option = equals < 0 ? word : word.substring(0, equals);
        option = hasLongShorts && option.startsWith("--") ? option.substring(1) : option;
        boolean isKnown = options.containsKey(option) || flags.containsKey(option);
        if (equals > 0 && flags.containsKey(option)) {
            String value = word.substring(equals + 1);
            rule(flags, value.equals("false") ? option + "=false" : option).take(said, value);
            return;
        }
        if (equals > 0 && isKnown) {
            left.addFirst(word.substring(equals + 1));
        } else if (!isKnown && !word.startsWith("--") && word.length() > 2 && !hasLongShorts) {
            option = word.substring(0, 2);
            boolean hasValue = options.containsKey(option);
            left.addFirst(hasValue ? word.substring(2) : "-" + word.substring(2));
        }
        if (options.containsKey(option) && !left.isEmpty()) {
            rule(options, option).take(said, left.remove());
        } else if (flags.containsKey(option)) {
            rule(flags, option).take(said, "");
        } else {
            said.note(option + " has no counterpart here");
        }
    }

    private static Rule rule(Map<String, Rule> rules, String option) {
        return rules.getOrDefault(option, NOTHING);
    }
}
