package dev.downbeat.gatling.version;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Reads private state of Gatling's builders. */
public final class PrivateField {
    private PrivateField() {}

    /** The value of a field of the object's class or a superclass; null if there is no such field. */
    public static @Nullable Object find(Object owner, String name) {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return read(owner, field);
                }
            }
        }
        return null;
    }

    /** The value of a field that exists in all {@linkplain EnvironmentCheck supported} versions. */
    public static Object known(Object owner, String name) {
        Object value = find(owner, name);
        if (value == null) {
            throw new UserMistake("this Gatling builds " + owner.getClass().getSimpleName() + " differently from "
                    + EnvironmentCheck.VERSIONS + ": it has no field " + name);
        }
        return value;
    }

    /** Null if the JVM forbids it. */
    public static @Nullable Object read(Object owner, Field field) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }
}
