package dev.downbeat.report.file;

import dev.downbeat.record.Anatomy;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.record.Waits;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunSpan;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a class of records once, since a long run has tens of thousands of records: its components, and how they are
 * read and made. Thread-safe.
 */
final class RecordShape {
    /** Groups of components that stand in the tree as members of what has them. */
    private static final Set<Class<?>> GROUPS =
            Set.of(RunSpan.class, LaneCounts.class, ResponseTimes.class, Tallies.class, Waits.class, Anatomy.class);

    private static final ClassValue<RecordShape> OF = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> kind) {
            return new RecordShape(kind);
        }
    };

    final boolean isOneOfSeveral;
    final String typeName;
    final List<Component> components;
    private final Constructor<?> constructor;
    private volatile @Nullable Object empty;

    private RecordShape(Class<?> kind) {
        if (!kind.isRecord()) {
            throw new IllegalArgumentException("there is no way to read a " + kind.getSimpleName());
        }
        isOneOfSeveral = Arrays.stream(kind.getInterfaces()).anyMatch(Class::isSealed);
        typeName = typeName(kind);
        components =
                Arrays.stream(kind.getRecordComponents()).map(Component::of).toList();
        try {
            constructor = kind.getDeclaredConstructor(
                    components.stream().map(Component::type).toArray(Class<?>[]::new));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(kind + " has no canonical constructor", impossible);
        }
    }

    static RecordShape of(Class<?> kind) {
        return OF.get(kind);
    }

    static boolean isGroup(Class<?> kind) {
        return GROUPS.contains(kind);
    }

    static String memberName(String component) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < component.length(); i++) {
            char c = component.charAt(i);
            words.append(c >= 'A' && c <= 'Z' ? "_" : "").append(Character.toLowerCase(c));
        }
        String snake = words.toString();
        return snake.endsWith("_nanos") ? snake.substring(0, snake.length() - "nanos".length()) + "ns" : snake;
    }

    static String typeName(Class<?> type) {
        return memberName(Character.toLowerCase(type.getSimpleName().charAt(0))
                + type.getSimpleName().substring(1));
    }

    /** A record of these values, in the order of its components. */
    Object make(Object... values) throws ReflectiveOperationException {
        return constructor.newInstance(values);
    }

    /** The record of nothing, once {@link #isEmpty(Object)} has said which that is. */
    @Nullable
    Object empty() {
        return empty;
    }

    /** That this, which is immutable, is the record of nothing. */
    Object isEmpty(Object record) {
        empty = record;
        return record;
    }

    /** One component, and the name of its member in a tree. */
    record Component(
            String name, String memberName, boolean isGroup, Class<?> type, Type genericType, Method accessor) {
        static Component of(RecordComponent component) {
            return new Component(
                    component.getName(),
                    RecordShape.memberName(component.getName()),
                    RecordShape.isGroup(component.getType()),
                    component.getType(),
                    component.getGenericType(),
                    component.getAccessor());
        }

        Object of(Record value) {
            try {
                return accessor.invoke(value);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(accessor + " cannot be read", impossible);
            }
        }
    }
}
