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
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        first.compareAndSet(null, cause);
        return outcomes.computeIfAbsent(cause.getClass(), Reasons::outcome);
    }

    private static Outcome outcome(Class<?> type) {
        String name = type.getSimpleName();
        return Outcome.failed(name.isEmpty() ? type.getName() : name);
    }

    /** The first that was thrown: its message and stack say more than a count. */
    Optional<Throwable> first() {
        return Optional.ofNullable(first.get());
    }
}
