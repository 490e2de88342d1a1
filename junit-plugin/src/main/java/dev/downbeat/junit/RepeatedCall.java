package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** The test method as code to measure. Thread-safe if the method is. */
final class RepeatedCall {
    private final Method method;
    private final @Nullable Object instance;
    private final @Nullable Object[] arguments;
    private final List<Class<?>> types;
    private volatile boolean forgotAnswer;
    private volatile @Nullable URI service;
    private volatile @Nullable TestAbortedException aborted;
    private @Nullable Thread measuring;

    RepeatedCall(ReflectiveInvocationContext<Method> call) {
        method = call.getExecutable();
        instance = call.getTarget().orElse(null);
        arguments = call.getArguments().toArray();
        types = List.of(method.getParameterTypes());
    }

    /** Sets the service to call from now on. */
    void calls(URI called) {
        service = called;
    }

    /** Whether a call may end after the method returns. */
    boolean isAsync() {
        return types.contains(Answer.class);
    }

    /** Whether the method returned at least once without setting its {@link Answer}. */
    boolean forgotAnswer() {
        return forgotAnswer;
    }

    /** Sets the measuring thread, which an aborted call interrupts; null after the measurement. */
    synchronized void measuredBy(@Nullable Thread thread) {
        measuring = thread;
    }

    /** The exception of a failed assumption. */
    Optional<TestAbortedException> aborted() {
        return Optional.ofNullable(aborted);
    }

    /** Ends when the method returns. */
    void call(Beat beat) {
        invoke(beat, null);
    }

    /** An assertion that fails at once is an end like any other. */
    CompletionStage<?> begin(Beat beat) {
        Answer answer = new Answer();
        try {
            invoke(beat, answer);
        } catch (AssertionError failed) {
            return CompletableFuture.failedFuture(failed);
        }
        if (answer.isForgotten()) {
            forgotAnswer = true;
        }
        CompletionStage<?> stage = answer.stage();
        stage.whenComplete((answered, failed) -> {
            if (cause(failed) instanceof TestAbortedException notHere) {
                abort(notHere);
            }
        });
        return stage; // a timeout cancels this stage
    }

    /** A dependent stage wraps the original exception. */
    private static @Nullable Throwable cause(@Nullable Throwable failed) {
        return failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
    }

    private void invoke(Beat beat, @Nullable Answer answer) {
        Object[] given = arguments.clone();
        for (int i = 0; i < given.length; i++) {
            if (types.get(i) == Beat.class) {
                given[i] = beat;
            } else if (types.get(i) == Answer.class) {
                given[i] = answer;
            } else if (types.get(i) == URI.class && service != null) {
                given[i] = service;
            }
        }
        try {
            // through JUnit, because a test module may be open only to JUnit
            ReflectionSupport.invokeMethod(method, instance, given);
        } catch (TestAbortedException unsupported) {
            abort(unsupported);
            throw unsupported;
        }
    }

    /** The first abort ends the measurement; later ones have the same cause or are a consequence. */
    private synchronized void abort(TestAbortedException notHere) {
        Thread thread = measuring;
        if (aborted == null && thread != null) {
            aborted = notHere;
            thread.interrupt();
        }
    }
}
