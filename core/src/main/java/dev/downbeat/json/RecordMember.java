package dev.downbeat.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * One component of a record, for all that turns records into something else and back: what it is called there, how it is read
 * from a record, and how a record is made of all of them. Immutable, thread-safe.
 *
 * @param component what Java says of it
 * @param key its name in JSON: {@code maxNanos} is {@code max_ns}
 */
public record RecordMember(RecordComponent component, String key) {
    /** Asked of a class once: a long run has tens of thousands of records. */
    private static final ClassValue<List<RecordMember>> KNOWN = new ClassValue<>() {
        @Override
        protected List<RecordMember> computeValue(Class<?> kind) {
            RecordComponent[] components = kind.getRecordComponents();
            if (components == null) {
                throw new IllegalArgumentException("there is no way to read a " + kind.getSimpleName());
            }
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
            return Arrays.stream(components)
                    .map(component -> new RecordMember(component, key(component.getName())))
                    .toList();
        }
    };

    private static final ClassValue<Constructor<?>> MADE_BY = new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> kind) {
            try {
                Constructor<?> constructor = kind.getDeclaredConstructor(
                        of(kind).stream().map(RecordMember::type).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                return constructor;
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException(kind + " cannot be made", impossible);
            }
        }
    };

    /**
     * The components of a kind of records, in their order.
     *
     * @throws IllegalArgumentException if it is no kind of records
     */
    public static List<RecordMember> of(Class<?> kind) {
        return KNOWN.get(kind);
    }

    /** A name of Java as JSON has it: {@code peakBacklog} is {@code peak_backlog}. */
    public static String key(String name) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            words.append(c >= 'A' && c <= 'Z' ? "_" : "").append(Character.toLowerCase(c));
        }
        String snake = words.toString();
        return snake.endsWith("_nanos") ? snake.substring(0, snake.length() - "nanos".length()) + "ns" : snake;
    }

    public String name() {
        return component.getName();
    }

    public Class<?> type() {
        return component.getType();
    }

    /** What a record has of it. */
    public Object get(Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(component + " cannot be read", impossible);
        }
    }

    /**
     * A record.
     *
     * @param values of all components, in their order
     * @throws RuntimeException what its constructor refuses with
     */
    public static <R> R make(Class<R> kind, List<?> values) {
        try {
            return kind.cast(MADE_BY.get(kind).newInstance(values.toArray()));
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException own
                    ? own
                    : new IllegalStateException(kind + " cannot be made", refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(kind + " cannot be made", impossible);
        }
    }
}
