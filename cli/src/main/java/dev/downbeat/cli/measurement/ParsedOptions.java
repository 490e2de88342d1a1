package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.OptionComponent;
import dev.downbeat.cli.measurement.option.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command line's texts for a value. picocli stores them here while parsing. The immutable value is then built from
 * all of them at once. Not thread-safe.
 */
public final class ParsedOptions<R extends Record> {
    /** Marks a value that starts with a dash while picocli handles it. */
    private static final String DASH_MARK = "\u0001";

    private final Class<R> type;
    private final Set<String> without;
    private final Map<String, List<String>> texts = new LinkedHashMap<>();

    /** Creates an empty set of options; leaves out the components {@code without}. */
    public ParsedOptions(Class<R> type, String... without) {
        this.type = type;
        this.without = Set.of(without);
    }

    public CommandSpec spec() {
        return spec(type);
    }

    private CommandSpec spec(Class<? extends Record> of) {
        CommandSpec spec = CommandSpec.create();
        for (OptionComponent component : OptionComponent.of(of)) {
            if (without.contains(component.groupName())) {
                continue;
            }
            if (component.isGroup()) {
                spec.addMixin(component.option().names()[0], spec(component.group()));
            } else if (component.isParameter()) {
                spec.addPositional(
                        parameter(component, spec.positionalParameters().size()));
            } else {
                spec.addOption(option(component));
            }
        }
        return spec;
    }

    private PositionalParamSpec parameter(OptionComponent component, int index) {
        return PositionalParamSpec.builder()
                .index(Integer.toString(index))
                .arity(component.isOptional() ? "0..1" : "1")
                .type(String.class)
                .paramLabel(component.name())
                .description(component.option().help())
                .setter(setter(component.name()))
                .build();
    }

    private OptionSpec option(OptionComponent component) {
        OptionSpec.Builder option = OptionSpec.builder(component.option().names())
                .paramLabel(component.option().label())
                .description(component.option().help())
                .setter(setter(component.name()));
        if (component.isSwitch()) {
            return option.type(boolean.class).arity("0").build();
        }
        option.preprocessor(ParsedOptions::markDash);
        if (component.isList()) {
            return option.type(List.class)
                    .auxiliaryTypes(String.class)
                    .getter(getter(component.name()))
                    .build();
        }
        List<String> choices = component.format().choices();
        if (!choices.isEmpty()) { // with an empty list, a shell would insert an empty word
            option.completionCandidates(choices);
        }
        return option.type(String.class).build();
    }

    /** A value such as {@code -1s}; no option begins so. */
    private static final Pattern NEGATIVE = Pattern.compile("-[0-9.].*", Pattern.DOTALL);

    /** Treats what follows {@code =}, or is negative, as a value even if picocli would refuse it as an option. */
    private static boolean markDash(Stack<String> words, CommandSpec spec, ArgSpec of, Map<String, Object> info) {
        if (!words.isEmpty()
                && words.peek().startsWith("-")
                && ("=".equals(info.get("separator"))
                        || NEGATIVE.matcher(words.peek()).matches())) {
            words.push(DASH_MARK + words.pop());
        }
        return false;
    }

    private static String unmarked(Object text) {
        String word = text.toString();
        return word.startsWith(DASH_MARK) ? word.substring(DASH_MARK.length()) : word;
    }

    /** picocli appends to the list it gets. */
    private IGetter getter(String name) {
        return new IGetter() {
            @Override
            @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as picocli requires
            public <T> @Nullable T get() {
                return (T) texts.get(name);
            }
        };
    }

    private ISetter setter(String name) {
        return new ISetter() {
            @Override
            public <T> @Nullable T set(@Nullable T value) {
                if (value instanceof List<?> list) {
                    texts.put(
                            name,
                            new ArrayList<>(
                                    list.stream().map(ParsedOptions::unmarked).toList()));
                } else if (value == null || value.equals(false)) {
                    texts.remove(name);
                } else {
                    texts.put(name, List.of(unmarked(value)));
                }
                return null;
            }
        };
    }

    /** Whether an option was given, by its longest name. */
    public boolean isGiven(String option) {
        return texts.containsKey(option);
    }

    public R value() {
        return Values.of(type, texts);
    }

    /** The base value with the given options replaced. A given load replaces the base's load. */
    public R overriding(R base) {
        Map<String, List<String>> replaced = new LinkedHashMap<>();
        for (String option : Values.arguments(base).keySet()) {
            if (LoadOptions.isOverridden(option, this::isGiven)) {
                replaced.put(option, List.of());
            }
        }
        replaced.putAll(texts);
        return Values.overriding(base, replaced);
    }
}
