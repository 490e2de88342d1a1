package dev.downbeat.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * A record component, for code that converts records to other forms and back: its external name, how to read it, and
 * how to build a record from all of them. Immutable, thread-safe.
 *
 * @param component the reflected component
 * @param key its name in JSON: {@code maxNanos} is {@code max_ns}
 */
public record RecordMember(RecordComponent component, String key) {
    /** Cached per class, because a long run has tens of thousands of records. */
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

    private static final ClassValue<Constructor<?>> CONSTRUCTORS = new ClassValue<>() {
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

    /** The components of a record class, in declaration order. */
    public static List<RecordMember> of(Class<?> kind) {
        return KNOWN.get(kind);
    }

    /** The JSON form of a Java name: {@code peakBacklog} is {@code peak_backlog}. */
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

    public Object get(Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(component + " cannot be read", impossible);
        }
    }

    /**
     * Creates a record.
     *
     * @param values values of all components, in declaration order
     * @throws RuntimeException as thrown by the record's constructor
     */
    public static <R> R make(Class<R> kind, List<?> values) {
        try {
            return kind.cast(CONSTRUCTORS.get(kind).newInstance(values.toArray()));
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException own
                    ? own
                    : new IllegalStateException(kind + " cannot be made", refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(kind + " cannot be made", impossible);
        }
    }
}
