package dev.downbeat.report.file;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a class of records once, since a long run has tens of thousands of records: its components, and how they are
 * read and made. Thread-safe.
 */
final class RecordShape {
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
        typeName = RecordTree.typeName(kind);
        components = Arrays.stream(kind.getRecordComponents()).map(Component::of).toList();
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

    /** A record of these values, in the order of its components. */
    Object make(Object... values) throws ReflectiveOperationException {
        return constructor.newInstance(values);
    }

    /** The record of nothing, once {@link #isEmpty(Object)} has said which that is. */
    @Nullable Object empty() {
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
                    RecordTree.memberName(component.getName()),
                    RecordTree.isGroup(component.getType()),
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
