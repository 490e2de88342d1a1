package dev.downbeat.load;

import dev.downbeat.exchange.Outcome;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** Counts failures by exception class, since messages differ between requests. Thread-safe. */
final class ExceptionCounts {
    private final Map<Class<?>, Failure> failures = new ConcurrentHashMap<>();

    /** The first exception of a class, and its place among the first ones of all classes. */
    private record Failure(Outcome outcome, Throwable first, int place) {}

    Outcome of(Throwable thrown) {
        Throwable cause = cause(thrown);
        Failure known = failures.get(cause.getClass()); // no lock, which would pin virtual threads
        return known != null ? known.outcome() : add(cause).outcome();
    }

    private synchronized Failure add(Throwable cause) {
        return failures.computeIfAbsent(
                cause.getClass(), type -> new Failure(Outcome.failed(name(cause)), cause, failures.size()));
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

    /** The first exception of all, if any. */
    Optional<Throwable> first() {
        return first(failures.values().stream());
    }

    /** The first exception whose reason was counted in the run, though it may be of the warm-up. */
    Optional<Throwable> first(Set<String> counted) {
        return first(failures.values().stream()
                .filter(failure -> counted.contains(failure.outcome().reason())));
    }

    private static Optional<Throwable> first(Stream<Failure> some) {
        return some.min(Comparator.comparingInt(Failure::place)).map(Failure::first);
    }
}
