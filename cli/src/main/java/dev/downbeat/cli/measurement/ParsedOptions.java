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
 *
 * @param <R> type of the value
 */
public final class ParsedOptions<R extends Record> {
    /** Marks a value that starts with a dash while picocli handles it. */
    private static final String KEPT = "\u0001";

    private final Class<R> type;
    private final Set<String> without;
    private final Map<String, List<String>> texts = new LinkedHashMap<>();

    /**
     * Creates an empty set of options.
     *
     * @param without components that this command line does not have
     */
    public ParsedOptions(Class<R> type, String... without) {
        this.type = type;
        this.without = Set.of(without);
    }

    /** The options, as a mixin for a command. */
    public CommandSpec spec() {
        return spec(type);
    }

    private CommandSpec spec(Class<? extends Record> of) {
        CommandSpec spec = CommandSpec.create();
        for (OptionComponent piece : OptionComponent.of(of)) {
            if (without.contains(piece.groupName())) {
                continue;
            }
            if (piece.isGroup()) {
                spec.addMixin(piece.word().names()[0], spec(piece.group()));
            } else if (piece.isPlace()) {
                spec.addPositional(place(piece, spec.positionalParameters().size()));
            } else {
                spec.addOption(option(piece));
            }
        }
        return spec;
    }

    private PositionalParamSpec place(OptionComponent piece, int index) {
        return PositionalParamSpec.builder()
                .index(Integer.toString(index))
                .arity(piece.mayBeAbsent() ? "0..1" : "1")
                .type(String.class)
                .paramLabel(piece.name())
                .description(piece.word().help())
                .setter(setter(piece.name()))
                .build();
    }

    private OptionSpec option(OptionComponent piece) {
        OptionSpec.Builder option = OptionSpec.builder(piece.word().names())
                .paramLabel(piece.word().label())
                .description(piece.word().help())
                .setter(setter(piece.name()));
        if (piece.isSwitch()) {
            return option.type(boolean.class).arity("0").build();
        }
        option.preprocessor(ParsedOptions::keepDash);
        if (piece.isList()) {
            return option.type(List.class)
                    .auxiliaryTypes(String.class)
                    .getter(getter(piece.name()))
                    .build();
        }
        List<String> choices = piece.format().choices();
        if (!choices.isEmpty()) { // with an empty list, a shell would insert an empty word
            option.completionCandidates(choices);
        }
        return option.type(String.class).build();
    }

    /** Begins like {@code -1s}, as no option does. */
    private static final Pattern NEGATIVE = Pattern.compile("-[0-9.].*", Pattern.DOTALL);

    /** Treats what follows {@code =}, or is negative, as a value even if picocli would refuse it as an option. */
    private static boolean keepDash(Stack<String> words, CommandSpec spec, ArgSpec of, Map<String, Object> info) {
        if (!words.isEmpty()
                && words.peek().startsWith("-")
                && ("=".equals(info.get("separator"))
                        || NEGATIVE.matcher(words.peek()).matches())) {
            words.push(KEPT + words.pop());
        }
        return false;
    }

    private static String kept(Object text) {
        String word = text.toString();
        return word.startsWith(KEPT) ? word.substring(KEPT.length()) : word;
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
                                    list.stream().map(ParsedOptions::kept).toList()));
                } else if (value == null || value.equals(false)) {
                    texts.remove(name);
                } else {
                    texts.put(name, List.of(kept(value)));
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
    public R over(R base) {
        Map<String, List<String>> said = new LinkedHashMap<>();
        for (String option : Values.said(base).keySet()) {
            if (LoadOptions.isReplaced(option, this::isGiven)) {
                said.put(option, List.of());
            }
        }
        said.putAll(texts);
        return Values.over(base, said);
    }
}
