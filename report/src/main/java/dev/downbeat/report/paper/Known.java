package dev.downbeat.report.paper;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A value for programs, or why there is none. In JSON it is {@code null} then, and {@code unavailable} has the reason.
 *
 * @param value if it is known
 * @param whyNot otherwise
 * @param <T> a type that JSON has
 */
public record Known<T>(Optional<T> value, String whyNot) {
    /** A value that is known. */
    public static <T> Known<T> of(T value) {
        return new Known<>(Optional.of(value), "");
    }

    /** What is not known. */
    public static <T> Known<T> not(String why) {
        return new Known<>(Optional.empty(), why);
    }

    /** What may be known. */
    public static <T> Known<T> of(Optional<T> value, String otherwise) {
        return new Known<>(value, otherwise);
    }

    /** What may be known. */
    public static Known<Long> of(OptionalLong value, String otherwise) {
        return new Known<>(value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(), otherwise);
    }

    /** What may be known, and is finite. */
    public static Known<Double> of(OptionalDouble value, String otherwise) {
        return new Known<>(
                value.isPresent() && Double.isFinite(value.getAsDouble())
                        ? Optional.of(value.getAsDouble())
                        : Optional.empty(),
                otherwise);
    }
}
