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
public record Told<T>(Optional<T> value, String whyNot) {
    /** A value that is known. */
    public static <T> Told<T> of(T value) {
        return new Told<>(Optional.of(value), "");
    }

    /** What is not known. */
    public static <T> Told<T> not(String why) {
        return new Told<>(Optional.empty(), why);
    }

    /** What may be known. */
    public static <T> Told<T> of(Optional<T> value, String otherwise) {
        return new Told<>(value, otherwise);
    }

    /** What may be known. */
    public static Told<Long> of(OptionalLong value, String otherwise) {
        return new Told<>(value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(), otherwise);
    }

    /** What may be known, and is finite. */
    public static Told<Double> of(OptionalDouble value, String otherwise) {
        return new Told<>(
                value.isPresent() && Double.isFinite(value.getAsDouble())
                        ? Optional.of(value.getAsDouble())
                        : Optional.empty(),
                otherwise);
    }
}
