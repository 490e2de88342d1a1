package dev.downbeat.cli.measurement.option;

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
    public static <R extends Record> R of(Class<R> type, Map<String, List<String>> said) {
        return make(type, null, read(said));
    }

    /** The base value with the given options replaced; an empty list resets an option. */
    public static <R extends Record> R over(R base, Map<String, List<String>> said) {
        return make(typeOf(base), base, read(said));
    }

    /** The same value with one option replaced, or removed if there is no value. */
    public static <R extends Record> R with(R base, String option, Object... value) {
        return make(typeOf(base), base, given(Map.of(option, List.of(value))));
    }

    /**
     * A value of another type that shares options.
     *
     * @param more values of further options
     */
    public static <R extends Record> R like(Class<R> type, Record shared, Map<String, List<?>> more) {
        Map<String, List<?>> all = new HashMap<>();
        each(shared, (piece, part) -> all.put(piece.name(), piece.values(part)));
        all.putAll(more);
        return make(type, null, given(all));
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> Class<R> typeOf(R value) {
        return (Class<R>) value.getClass();
    }

    private static Function<OptionComponent, Optional<Object>> read(Map<String, List<String>> said) {
        return piece -> Optional.ofNullable(said.get(piece.name())).map(piece::read);
    }

    private static Function<OptionComponent, Optional<Object>> given(Map<String, List<?>> values) {
        return piece -> Optional.ofNullable(values.get(piece.name())).map(piece::of);
    }

    private static <R extends Record> R make(
            Class<R> type, @Nullable Record base, Function<OptionComponent, Optional<Object>> given) {
        List<Object> values = new ArrayList<>();
        for (OptionComponent piece : OptionComponent.of(type)) {
            Object before = base == null ? null : piece.get(base);
            values.add(
                    piece.isGroup()
                            ? make(piece.group(), (Record) before, given)
                            : given.apply(piece).orElseGet(() -> before == null ? piece.of(List.of()) : before));
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
                .anyMatch(piece -> piece.isGroup()
                        ? knows(piece.group(), option)
                        : piece.name().equals(option));
    }

    /** The texts that yield this value, by long names, in order; defaults are omitted. */
    public static Map<String, List<String>> said(Record value) {
        Map<String, List<String>> said = new LinkedHashMap<>();
        each(value, (piece, part) -> {
            if (!piece.isDefault(part)) {
                said.put(piece.name(), piece.texts(part));
            }
        });
        return said;
    }

    /** Refuses given options that are for targets of another kind. */
    public static void refuseForOtherTargets(Record value, CliOption.Only kind) {
        each(value, (piece, part) -> {
            List<CliOption.Only> kinds = piece.only();
            boolean isMeant = kinds.contains(CliOption.Only.ANY) || kinds.contains(kind);
            Refusal.when(
                    !isMeant && !piece.isDefault(part),
                    () -> piece.name() + " is for "
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
        each(value, (piece, part) -> {
            if (part instanceof Optional<?> named && named.orElse(null) instanceof Path path) {
                paths.add(path);
            }
        });
        return paths;
    }

    private static void each(Record value, BiConsumer<OptionComponent, Object> reader) {
        for (OptionComponent piece : OptionComponent.of(value.getClass())) {
            Object part = piece.get(value);
            if (piece.isGroup()) {
                each((Record) part, reader);
            } else {
                reader.accept(piece, part);
            }
        }
    }

    /** The arguments that yield this value, one word per option; deterministic. Includes secrets. */
    public static List<String> words(Record value) {
        return words(value, false);
    }

    /** The same with *** for every secret. */
    public static List<String> shown(Record value) {
        return words(value, true);
    }

    private static List<String> words(Record value, boolean isShown) {
        List<String> words = new ArrayList<>();
        each(value, (piece, part) -> {
            for (String text : piece.isDefault(part) ? List.<String>of() : piece.texts(part)) {
                String safe = isShown ? piece.shown(text) : text;
                words.add(piece.isSwitch() ? piece.name() : piece.isPlace() ? safe : piece.name() + "=" + safe);
            }
        });
        return words;
    }

    /** The value as a complete JSON tree; includes secrets. */
    public static Map<String, Object> tree(Record value) {
        return tree(value, false);
    }

    /** The same with *** for every secret. */
    public static Map<String, Object> shownTree(Record value) {
        return tree(value, true);
    }

    private static Map<String, Object> tree(Record value, boolean isShown) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (OptionComponent piece : OptionComponent.of(value.getClass())) {
            Object part = piece.get(value);
            if (piece.isGroup()) {
                members.put(piece.groupName(), tree((Record) part, isShown));
                continue;
            }
            List<String> texts = piece.texts(part).stream()
                    .map(text -> isShown ? piece.shown(text) : text)
                    .toList();
            if (piece.isList() && !texts.isEmpty()) {
                members.put(piece.key(), texts);
            } else if (!texts.isEmpty()) {
                boolean isPlain = part instanceof Number || piece.isSwitch();
                members.put(piece.key(), isPlain ? part : texts.get(0));
            }
        }
        return members;
    }

    /**
     * Reads a value from a tree.
     *
     * @throws picocli.CommandLine.TypeConversionException if the tree has unknown or invalid members
     */
    public static <R extends Record> R read(Class<R> type, Map<?, ?> tree) {
        Map<String, List<String>> said = new LinkedHashMap<>();
        collect(type, tree, said);
        return of(type, said);
    }

    private static void collect(Class<? extends Record> type, Map<?, ?> tree, Map<String, List<String>> said) {
        int known = 0;
        for (OptionComponent piece : OptionComponent.of(type)) {
            Object member = tree.get(piece.isGroup() ? piece.groupName() : piece.key());
            known += member == null ? 0 : 1;
            if (member instanceof Map<?, ?> group && piece.isGroup()) {
                collect(piece.group(), group, said);
            } else if (member != null) {
                Refusal.when(piece.isGroup(), piece.groupName() + " must be an object");
                said.put(piece.name(), texts(piece, member));
            }
        }
        Refusal.when(known < tree.size(), () -> {
            List<Object> names = new ArrayList<>(tree.keySet());
            OptionComponent.of(type).forEach(piece -> names.remove(piece.isGroup() ? piece.groupName() : piece.key()));
            return "unknown name '" + names.get(0) + "': written by another version of Downbeat";
        });
    }

    private static List<String> texts(OptionComponent piece, Object member) {
        if (member instanceof Boolean yes && piece.isSwitch()) {
            return yes ? List.of(OptionComponent.YES) : List.of();
        }
        boolean isList = member instanceof List<?>;
        List<?> all = isList ? (List<?>) member : List.of(member);
        boolean isText =
                all.stream().allMatch(one -> one instanceof String || one instanceof Long || one instanceof Integer);
        Refusal.when(
                piece.isSwitch() || isList != piece.isList() || !isText,
                () -> piece.key() + " must be "
                        + (piece.isSwitch() ? "true or false" : piece.isList() ? "a list" : "a text") + ", but was "
                        + member);
        return all.stream().map(Object::toString).toList();
    }
}
