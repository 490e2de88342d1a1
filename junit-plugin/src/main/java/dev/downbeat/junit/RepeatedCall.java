package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import dev.downbeat.load.BlockingCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** The test's method as code to measure. Thread-safe as far as the method is. */
final class RepeatedCall implements BlockingCode {
    private final Method method;
    private final @Nullable Object instance;
    private final @Nullable Object[] arguments;
    private final int beatAt;

    RepeatedCall(ReflectiveInvocationContext<Method> call) {
        method = call.getExecutable();
        method.trySetAccessible();
        instance = call.getTarget().orElse(null);
        arguments = call.getArguments().toArray();
        beatAt = List.of(method.getParameterTypes()).indexOf(Beat.class);
    }

    @Override
    public void call(Beat beat) throws Exception {
        Object[] given = arguments;
        if (beatAt >= 0) {
            given = arguments.clone();
            given[beatAt] = beat;
        }
        try {
            method.invoke(instance, given);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Exception exception) {
                throw exception;
            }
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw thrown;
        }
    }
}
