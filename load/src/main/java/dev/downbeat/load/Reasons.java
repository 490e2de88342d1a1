package dev.downbeat.load;

import dev.downbeat.exchange.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Failures by the class of what was thrown, since messages differ from request to request. Thread-safe. */
final class Reasons {
    private final Map<Class<?>, Outcome> outcomes = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

    Outcome of(Throwable thrown) {
        Throwable cause = cause(thrown);
        first.compareAndSet(null, cause);
        return outcomes.computeIfAbsent(cause.getClass(), type -> Outcome.failed(name(cause)));
    }

    /** What was thrown before a future wrapped it. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The simple name of the class of what was thrown before a future wrapped it. */
    static String name(Throwable thrown) {
        Class<?> type = cause(thrown).getClass();
        String name = type.getSimpleName();
        return name.isEmpty() ? type.getName() : name;
    }

    /** The first that was thrown: its message and stack say more than a count. */
    Optional<Throwable> first() {
        return Optional.ofNullable(first.get());
    }
}
