package dev.downbeat.load;

import dev.downbeat.exchange.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Counts failures by exception class, since messages differ between requests. Thread-safe. */
final class ExceptionCounts {
    private final Map<Class<?>, Outcome> outcomes = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

    Outcome of(Throwable thrown) {
        Throwable cause = cause(thrown);
        first.compareAndSet(null, cause);
        return outcomes.computeIfAbsent(cause.getClass(), type -> Outcome.failed(name(cause)));
    }

    /** The original exception, without a future's wrapper. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The simple class name of the original exception, without a future's wrapper. */
    static String name(Throwable thrown) {
        Class<?> type = cause(thrown).getClass();
        String name = type.getSimpleName();
        return name.isEmpty() ? type.getName() : name;
    }

    /** The first exception, whose message and stack trace say more than a count. */
    Optional<Throwable> first() {
        return Optional.ofNullable(first.get());
    }
}
