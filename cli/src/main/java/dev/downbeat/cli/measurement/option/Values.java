package dev.downbeat.cli.measurement.option;

import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.json.RecordMember;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts records of {@linkplain CliOption options} from given texts, to arguments, and to the JSON tree of a saved
 * file. Pure functions; constructors refuse invalid values with one line.
 */
public final class Values {
    private Values() {}

    /**
     * Creates a value from texts, by the long names of options ({@code --rate}) and the labels of parameters; a switch
     * is {@code true}. Given options override the defaults.
     */
    public static <R extends Record> R of(Class<R> type, Map<String, List<String>> texts) {
        return make(type, null, read(texts));
    }

    /** The base value with the given options replaced; an empty list resets an option. */
    public static <R extends Record> R overriding(R base, Map<String, List<String>> texts) {
        return make(typeOf(base), base, read(texts));
    }

    /** The same value with one option replaced, or removed if there is no value. */
    public static <R extends Record> R with(R base, String option, Object... value) {
        return make(typeOf(base), base, given(Map.of(option, List.of(value))));
    }

    /** The same value with a random seed if none is given. */
    public static <R extends Record> R withSeed(R base) {
        return arguments(base).containsKey("--seed") ? base : with(base, "--seed", Seed.random());
    }

    /** A value of another type that shares options; {@code more} are values of further ones. */
    public static <R extends Record> R convert(Class<R> type, Record shared, Map<String, List<?>> more) {
        Map<String, List<?>> all = new HashMap<>();
        each(shared, (component, part) -> all.put(component.name(), component.values(part)));
        all.putAll(more);
        return make(type, null, given(all));
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> Class<R> typeOf(R value) {
        return (Class<R>) value.getClass();
    }

    private static Function<OptionComponent, Optional<Object>> read(Map<String, List<String>> texts) {
        return component -> Optional.ofNullable(texts.get(component.name())).map(component::read);
    }

    private static Function<OptionComponent, Optional<Object>> given(Map<String, List<?>> values) {
        return component -> Optional.ofNullable(values.get(component.name())).map(component::of);
    }

    private static <R extends Record> R make(
            Class<R> type, @Nullable Record base, Function<OptionComponent, Optional<Object>> given) {
        List<Object> values = new ArrayList<>();
        for (OptionComponent component : OptionComponent.of(type)) {
            Object before = base == null ? null : component.get(base);
            values.add(
                    component.isGroup()
                            ? make(component.group(), (Record) before, given)
                            : given.apply(component)
                                    .orElseGet(() -> before == null ? component.of(List.of()) : before));
        }
        try {
            return RecordMember.make(type, values);
        } catch (RuntimeException refused) {
            throw Refusal.of(refused);
        }
    }

    /** Whether the type has an option of this name. */
    public static boolean knows(Class<? extends Record> type, String option) {
        return OptionComponent.of(type).stream()
                .anyMatch(component -> component.isGroup()
                        ? knows(component.group(), option)
                        : component.name().equals(option));
    }

    /** The texts that yield this value, by long names, in order; defaults are omitted. */
    public static Map<String, List<String>> arguments(Record value) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        each(value, (component, part) -> {
            if (!component.isDefault(part)) {
                texts.put(component.name(), component.texts(part));
            }
        });
        return texts;
    }

    /** Refuses given options that are for targets of another kind. */
    public static void refuseForOtherTargets(Record value, TargetKind kind) {
        each(value, (component, part) -> {
            List<TargetKind> kinds = component.only();
            boolean applies = kinds.contains(TargetKind.ANY) || kinds.contains(kind);
            Refusal.when(
                    !applies && !component.isDefault(part),
                    () -> component.name() + " is for "
                            + kinds.stream()
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", "))
                                    .replaceFirst(", (\\w+)$", " or $1")
                            + " targets only");
        });
    }

    /** The files that its options name. */
    public static List<Path> paths(Record value) {
        List<Path> paths = new ArrayList<>();
        each(value, (component, part) -> {
            if (part instanceof Optional<?> named && named.orElse(null) instanceof Path path) {
                paths.add(path);
            }
        });
        return paths;
    }

    private static void each(Record value, BiConsumer<OptionComponent, Object> reader) {
        for (OptionComponent component : OptionComponent.of(value.getClass())) {
            Object part = component.get(value);
            if (component.isGroup()) {
                each((Record) part, reader);
            } else {
                reader.accept(component, part);
            }
        }
    }

    /** The arguments that yield this value, one word per option; deterministic. Includes secrets. */
    public static List<String> words(Record value) {
        return words(value, false);
    }

    /** The same with *** for every secret. */
    public static List<String> redacted(Record value) {
        return words(value, true);
    }

    private static List<String> words(Record value, boolean isRedacted) {
        List<String> words = new ArrayList<>();
        each(value, (component, part) -> {
            for (String text : component.isDefault(part) ? List.<String>of() : component.texts(part)) {
                String safe = isRedacted ? component.redacted(text) : text;
                words.add(
                        component.isSwitch()
                                ? component.name()
                                : component.isParameter() ? safe : component.name() + "=" + safe);
            }
        });
        return words;
    }

    /** The value as a complete JSON tree; includes secrets. */
    public static Map<String, Object> tree(Record value) {
        return tree(value, false);
    }

    /** The same with *** for every secret. */
    public static Map<String, Object> redactedTree(Record value) {
        return tree(value, true);
    }

    private static Map<String, Object> tree(Record value, boolean isRedacted) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (OptionComponent component : OptionComponent.of(value.getClass())) {
            Object part = component.get(value);
            if (component.isGroup()) {
                members.put(component.groupName(), tree((Record) part, isRedacted));
                continue;
            }
            List<String> texts = component.texts(part).stream()
                    .map(text -> isRedacted ? component.redacted(text) : text)
                    .toList();
            if (component.isList() && !texts.isEmpty()) {
                members.put(component.key(), texts);
            } else if (!texts.isEmpty()) {
                boolean isPlain = part instanceof Number || component.isSwitch();
                members.put(component.key(), isPlain ? part : texts.get(0));
            }
        }
        return members;
    }

    /** Reads a value from a tree; refuses unknown or invalid members. */
    public static <R extends Record> R read(Class<R> type, Map<?, ?> tree) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        collect(type, tree, texts);
        return of(type, texts);
    }

    private static void collect(Class<? extends Record> type, Map<?, ?> tree, Map<String, List<String>> texts) {
        int known = 0;
        for (OptionComponent component : OptionComponent.of(type)) {
            Object member = tree.get(component.isGroup() ? component.groupName() : component.key());
            known += member == null ? 0 : 1;
            if (member instanceof Map<?, ?> group && component.isGroup()) {
                collect(component.group(), group, texts);
            } else if (member != null) {
                Refusal.when(component.isGroup(), component.groupName() + " must be an object");
                texts.put(component.name(), texts(component, member));
            }
        }
        Refusal.when(known < tree.size(), () -> {
            List<Object> names = new ArrayList<>(tree.keySet());
            OptionComponent.of(type)
                    .forEach(component -> names.remove(component.isGroup() ? component.groupName() : component.key()));
            return "unknown name '" + names.get(0) + "': written by another version of Downbeat";
        });
    }

    private static List<String> texts(OptionComponent component, Object member) {
        if (member instanceof Boolean yes && component.isSwitch()) {
            return yes ? List.of(OptionComponent.YES) : List.of();
        }
        boolean isList = member instanceof List<?>;
        List<?> all = isList ? (List<?>) member : List.of(member);
        boolean isText =
                all.stream().allMatch(one -> one instanceof String || one instanceof Long || one instanceof Integer);
        Refusal.when(
                component.isSwitch() || isList != component.isList() || !isText,
                () -> component.key() + " must be "
                        + (component.isSwitch() ? "true or false" : component.isList() ? "a list" : "a text")
                        + ", but was "
                        + member);
        return all.stream().map(Object::toString).toList();
    }
}
