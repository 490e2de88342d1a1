package dev.downbeat.report.paper;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A value for programs, or why it is unavailable. In JSON it is then {@code null}, with the reason under
 * {@code unavailable}.
 *
 * @param value the value, if known
 * @param whyNot the reason otherwise
 * @param <T> a type that JSON has
 */
public record Known<T>(Optional<T> value, String whyNot) {
    /** A known value. */
    public static <T> Known<T> of(T value) {
        return new Known<>(Optional.of(value), "");
    }

    /** An unknown value, with the reason. */
    public static <T> Known<T> not(String why) {
        return new Known<>(Optional.empty(), why);
    }

    /** A possibly unknown value. */
    public static <T> Known<T> of(Optional<T> value, String otherwise) {
        return new Known<>(value, otherwise);
    }

    /** A possibly unknown value. */
    public static Known<Long> of(OptionalLong value, String otherwise) {
        return new Known<>(value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(), otherwise);
    }

    /** A value that may be unknown or infinite. */
    public static Known<Double> of(OptionalDouble value, String otherwise) {
        return new Known<>(
                value.isPresent() && Double.isFinite(value.getAsDouble())
                        ? Optional.of(value.getAsDouble())
                        : Optional.empty(),
                otherwise);
    }
}
